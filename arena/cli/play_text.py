"""How one match came out, as text for people and as data: points, faults, what the faulty said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.cli.layout import columns, plain, table
from arena.match.faults import Fault
from arena.match.record import MatchRecord, SeatRecord

__all__ = ["played_json", "played_text"]

_MOST_ROUNDS = 12
"""With more, the points of each round make too wide a table."""
_STDERR_LINES = 12
_LEFT = frozenset({1})


def played_text(record: MatchRecord, names: Sequence[str], seed: str) -> str:
    """The points of every bot, its faults, and the end of what those with faults wrote to standard error."""
    rounds, seats = len(record.rounds), range(len(names))
    shown = range(rounds) if rounds <= _MOST_ROUNDS else range(0)
    head = ["seat", "bot", *(f"r{number}" for number in shown), "card", "fault", "total", "place"]
    rows = [
        [
            str(seat),
            plain(names[seat]),
            *(str(record.rounds[number].points[seat]) for number in shown),
            *_sums(record.seats[seat]),
        ]
        for seat in sorted(seats, key=lambda seat: record.seats[seat].place)
    ]
    lines = [
        f"{rounds} round{'s' if rounds > 1 else ''}; the same deals again: --rounds {rounds} --seed {seed}",
        "",
        *table(head, rows, _LEFT),
    ]
    for seat in seats:
        lines += _trouble(record, seat, names[seat])
    return "\n".join(lines)


def _sums(seat: SeatRecord) -> list[str]:
    return [str(seat.points), str(seat.charge), str(seat.points + seat.charge), str(seat.place)]


def _trouble(record: MatchRecord, seat: int, name: str) -> Iterator[str]:
    faults = [fault for fault in record.faults if fault.seat == seat]
    if not faults:
        return
    yield ""
    yield f"Faults of {plain(name)} (seat {seat})"
    yield from columns([(f"  {where(fault)}", _fault_text(fault)) for fault in faults])
    of_seat = record.seats[seat]
    if of_seat.hand_over is not None:
        yield f"  The stand-in then played the rest of its match ({of_seat.hand_over.value})."
    said = (of_seat.stderr_head + of_seat.stderr_tail).rstrip().splitlines()
    if said:
        yield f"  The end of its standard error ({of_seat.stderr_bytes} bytes):"
        yield from (f"    {plain(line.expandtabs(4))}" for line in said[-_STDERR_LINES:])


def where(fault: Fault) -> str:
    """The round and the trick of a fault, or that it was a pass."""
    if fault.round is None:
        return "start"
    return f"round {fault.round}, " + ("pass" if fault.trick is None else f"trick {fault.trick}")


def _fault_text(fault: Fault) -> str:
    sent = f"\nit sent: {fault.sent}" if fault.sent else ""
    return plain_lines(f"{fault.kind.value}: {fault.reason}{sent}\nafter {fault.wall_us / 1000:.1f} ms")


def plain_lines(text: str) -> str:
    """`plain`, line by line."""
    return "\n".join(map(plain, text.splitlines()))


def played_json(record: MatchRecord, names: Sequence[str], seed: str) -> dict[str, object]:
    """All of it as plain data."""
    return {
        "seed": seed,
        "rounds": [{"points": list(played.points)} for played in record.rounds],
        "seats": [
            {
                "seat": number,
                "bot": names[number],
                "card_points": seat.points,
                "fault_points": seat.charge,
                "total": seat.points + seat.charge,
                "place": seat.place,
                "handed_over": None if seat.hand_over is None else seat.hand_over.value,
                "stderr": seat.stderr_head + seat.stderr_tail,
            }
            for number, seat in enumerate(record.seats)
        ],
        "faults": [
            {
                "seat": fault.seat,
                "kind": fault.kind.value,
                "reason": fault.reason,
                "round": fault.round,
                "trick": fault.trick,
                "sent": fault.sent,
                "wall_us": fault.wall_us,
            }
            for fault in record.faults
        ],
    }
