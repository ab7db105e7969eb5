"""A match of `arena play` as text and as data: points, faults, standard error of bots with faults, and cards.

Prints nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from arena.cli.layout import TERMINAL, columns, fitted_apart, plain, table, width, wrapped

if TYPE_CHECKING:
    from arena.match.faults import Fault
    from arena.match.record import MatchRecord
    from arena.workbench.one_match import Played

_MOST_ROUNDS = 12
"""The most rounds whose points are shown one by one; with more the table is too wide."""

_STDERR_LINES = 12
_MOST_OF_A_NAME = 14
"""The most columns of a bot's name beside its cards."""
_LEFT = frozenset({1})


def played_text(played: Played, names: Sequence[str], seed: str) -> str:
    """Return the points of every bot, its faults, and the end of standard error of those with faults."""
    from arena.match.fault_wording import FaultSentence

    record = played.record
    rounds, seats = len(record.rounds), range(len(names))
    shown = range(rounds) if rounds <= _MOST_ROUNDS else range(0)
    head = ["seat", "bot", *(f"r{number}" for number in shown), "card", "fault", "total", "place"]
    rows = []
    for seat in sorted(seats, key=lambda seat: record.seats[seat].place):
        own, points = record.seats[seat], [record.rounds[number].points[seat] for number in shown]
        numbers = [*points, own.points, own.charge, own.points + own.charge, own.place]
        rows.append([str(seat), plain(names[seat]), *map(str, numbers)])
    lines = [
        f"{rounds} round{'s' if rounds > 1 else ''}; the same deals again: --rounds {rounds} --seed {seed}",
        "",
        *table(head, rows, _LEFT),
    ]
    lines += _other_names(played, names)
    for seat in seats:
        lines += _trouble(record, seat, names[seat])
        if count := played.kept_back.get(seat):
            lines.append(f"  WARNING: {FaultSentence.KEPT_BACK.say(count=count)}.")
    return "\n".join(lines)


def round_pieces(record: MatchRecord, number: int, names: Sequence[str]) -> Iterator[str]:
    """Yield a round in the pieces that are shown one after another: the deal, then each trick.

    * marks what the stand-in chose. A trick ends with the points that each seat has taken so far. Raises
    ValueError before the first piece if the record breaks the rules.
    """
    from arena.match.relabel import Relabelling
    from arena.papayoo import PAPAYOOS
    from arena.reviews.decisions import RoundReplay

    replay = RoundReplay(record, number)
    for _ in replay.decisions(()):
        pass
    played, of_stand_in = replay.round, record.rounds[number].stand_in
    labels, size = Relabelling.of(record.setup.suits), record.setup.players
    shown = fitted_apart(map(plain, names), _MOST_OF_A_NAME)
    short = [shown[plain(name)] for name in names]
    rows, room = [], TERMINAL - 4 - max(map(width, short))
    passed = [" ".join(labels.names(cards)) for cards in played.passed]
    for seat, name in enumerate(short):
        # Decisions count from 0: first the passes, then the plays. Cards are passed to the left.
        star = "*" if seat in of_stand_in else ""
        passes = wrapped(f"passes {passed[seat]}{star}, gets {passed[seat - 1]}", room)
        rows.append(
            (f"{seat} {name}", f"{wrapped(' '.join(labels.names(replay.dealt[seat])), room)}\n{passes}")
        )
    papayoo = labels.card_names[PAPAYOOS[record.setup.boards[number].papayoo_suit]]
    head = f"Round {number}: {short[played.dealer]} deals and leads. The Papayoo is {papayoo}."
    yield "\n".join([head, *columns(rows)])
    sums = [0] * size
    for place, trick in enumerate(played.tricks):
        sums[trick.taker] += trick.points
        cards = ", ".join(
            f"{short[(trick.leader + turn) % size]} {labels.card_names[card]}"
            + "*" * (size + size * place + turn in of_stand_in)
            for turn, card in enumerate(trick.cards)
        )
        text = f"{cards}: {short[trick.taker]} takes {trick.points} ({' '.join(map(str, sums))})"
        yield "\n".join(columns([(f"trick {place:2}", wrapped(text, TERMINAL - 10))]))


def _other_names(played: Played, names: Sequence[str]) -> Iterator[str]:
    """Yield what bots said that they are called, where that is not their name here."""
    said = [
        (seat, ready)
        for seat, ready in enumerate(played.ready)
        if not names[seat].casefold().startswith(ready.name.casefold())  # "Duck 2" may be a second Duck
    ]
    if said:
        yield ""
    for seat, ready in said:
        yield plain(f"{names[seat]} (seat {seat}) calls itself {ready.name} {ready.version}".rstrip())


def _trouble(record: MatchRecord, seat: int, name: str) -> Iterator[str]:
    faults = [fault for fault in record.faults if fault.seat == seat]
    if not faults:
        return
    yield ""
    yield f"Faults of {plain(name)} (seat {seat})"
    yield from columns([(f"  {_where(fault)}", _fault_text(fault)) for fault in faults])
    of_seat = record.seats[seat]
    if of_seat.hand_over is not None:
        yield f"  The stand-in then played the rest of its match ({of_seat.hand_over.value})."
    said = (of_seat.stderr_head + of_seat.stderr_tail).rstrip().splitlines()
    if said:
        yield f"  The end of its standard error ({of_seat.stderr_bytes} bytes):"
        yield from (f"    {plain(line.expandtabs(4))}" for line in said[-_STDERR_LINES:])


def _where(fault: Fault) -> str:
    """Return where a fault was: the start, or the round and the trick or pass."""
    if fault.round is None:
        return "start"
    return f"round {fault.round}, " + ("pass" if fault.trick is None else f"trick {fault.trick}")


def _fault_text(fault: Fault) -> str:
    sent = f"\nit sent: {fault.sent}" if fault.sent else ""
    text = f"{fault.kind.value}: {fault.reason}{sent}\nafter {fault.wall_us / 1000:.1f} ms"
    return "\n".join(map(plain, text.splitlines()))


def played_json(played: Played, names: Sequence[str], seed: str) -> dict[str, object]:
    """Return all of it as plain data."""
    record = played.record
    return {
        "seed": seed,
        "rounds": [{"points": list(one.points)} for one in record.rounds],
        "seats": [
            {
                "seat": number,
                "bot": names[number],
                "ready": {"name": played.ready[number].name, "version": played.ready[number].version},
                "kept_back_bytes": played.kept_back.get(number, 0),
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
