"""`arena play`: plays one match, without a league or a database, and shows the result.

With --me a person sits among the bots, and plays on the terminal.

Shows the points, the faults, and the standard error of bots with faults, as text and as data.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, Unpack

import click

from arena.cli.exits import FAULTS
from arena.cli.layout import columns, fitted_apart, plain, table
from arena.cli.options import (
    BotWishes,
    as_json,
    bot_options,
    bots_ready,
    complete_bot,
    examples,
    say,
    seconds_option,
)

if TYPE_CHECKING:
    from arena.match.faults import Fault
    from arena.match.record import MatchRecord, SeatRecord
    from arena.workbench.bots import Bot
    from arena.workbench.one_match import Overheard, Played, Rules

__all__ = ["play", "played_json", "played_text"]

_MOST_ROUNDS = 12
"""The most rounds whose points are shown one by one; with more the table is too wide."""

_STDERR_LINES = 12
_LEFT = frozenset({1})
_MOST_OF_A_NAME = 16
"""The most columns of a bot's name beside the cards that it plays."""
_ME = "You"
"""The name of the person in results."""


class _Wishes(BotWishes):
    """What is played, and what is shown of it; see the help of each option."""

    me: bool
    clock: bool
    rounds: int | None
    seed: str | None
    move_seconds: float
    bank_seconds: float
    max_faults: int
    fault_points: int
    show: bool
    trace: Path | None
    fail_on_fault: bool
    as_json: bool


@click.command(
    epilog=examples(
        "arena play random duck sharp",
        "arena play mybot random duck dump --rounds 8 --seed today",
        "arena play 'ruby mybot/bot.rb' duck low --show --trace lines.txt",
        "arena play --me sharp count duck --rounds 1",
    )
)
@click.argument("bots", nargs=-1, required=True, metavar="BOT BOT BOT ...", shell_complete=complete_bot)
@click.option("--me", is_flag=True, help="Play yourself: you take seat 0, without a clock.")
@click.option("--clock", is_flag=True, help="With --me: you have the time that the bots have.")
@click.option(
    "--rounds", type=click.IntRange(1, 1000), help="Rounds of the match.  [default: one for each seat]"
)
@click.option("--seed", metavar="TEXT", help="What all deals follow from.  [default: drawn, and printed]")
@click.option("--show", is_flag=True, help="Show each card as it is played.")
@click.option(
    "--trace",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write every line, in both directions, as text.",
)
@seconds_option("--move-seconds", 1.0, "Time for one pass or one play.")
@seconds_option("--bank-seconds", 0.0, "Extra time for the whole match.")
@click.option(
    "--max-faults",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Faults that end a bot's match.",
)
@click.option(
    "--fault-points", type=click.IntRange(0), default=40, show_default=True, help="Points for a fault."
)
@bot_options
@click.option("--fail-on-fault", is_flag=True, help="Exit with 3 if any bot committed a fault.")
@as_json
def play(bots: tuple[str, ...], **wishes: Unpack[_Wishes]) -> None:
    """Play one match between 3 to 8 bots, or with --me between you and bots, and show the result.

    A BOT is a sample (random, low, duck, dump, count, sharp, learned, redeal), a folder such as `arena new`
    makes, a program file, or a command in quotes; NAME=BOT gives it a name. The same bot may sit at several
    seats. Nothing is stored, and bots run in the sandbox where that works.

    With --me you see your hand, the cards as they fall and the points, and type the cards that you pass and
    play; ? shows the rules in short, quit ends the match.

    Exit codes: 0 the match was played, 2 a bot cannot be started or the command cannot be used as it is, 3 a
    bot committed a fault (with --fail-on-fault), 130 you have ended the match.
    """
    me = wishes["me"]
    _check_count(bots, me)
    if wishes["clock"] and not me:
        raise click.UsageError("--clock is for --me: bots always have their clocks")
    if me and wishes["show"]:
        raise click.UsageError("--show shows the hands of the others: leave it out with --me")
    rules = _rules(wishes, len(bots) + me)
    with bots_ready(bots, wishes) as ready:
        names = [*([_ME] if me else []), *_names_of(ready, me)]
        with _overhearing(names, wishes) as overheard:
            played = _played(ready, rules, names, overheard, wishes)
    record = played.record
    if wishes["as_json"]:
        click.echo(json.dumps(played_json(played, names, rules.seed), indent=2, ensure_ascii=False))
    else:
        click.echo(("\n" if wishes["show"] or me else "") + played_text(played, names, rules.seed))
    if wishes["fail_on_fault"] and record.faults:
        sys.exit(FAULTS)


def _check_count(bots: Sequence[str], me: bool) -> None:
    if 3 <= len(bots) + me <= 8:
        return
    company = [name for name in ("random", "duck", "low") if name not in bots]
    named = [*bots, *company][: 4 - me] if len(bots) < 3 else bots[: 8 - me]
    example = " ".join([*(["--me"] if me else []), *named])
    count = f"{'you and ' if me else ''}{len(bots)} bot{'s' if len(bots) != 1 else ''}"
    raise click.UsageError(f"{count}: a table has 3 to 8 seats, for example: arena play {example}")


def _names_of(bots: Sequence[Bot], me: bool) -> list[str]:
    names = [bot.name for bot in bots]
    if me and any(name.casefold() == _ME.casefold() for name in names):
        raise click.UsageError(f"{_ME} are you: give that bot another name")
    return names


def _played(
    bots: Sequence[Bot], rules: Rules, names: Sequence[str], overheard: Overheard, wishes: _Wishes
) -> Played:
    """Play the match: of bots alone, or with a person on the terminal (on standard error with --json)."""
    from arena.workbench.one_match import Guest, play_match

    if not wishes["me"]:
        return play_match(bots, rules, overheard)
    from arena.errors import Interrupted
    from arena.workbench.seat_terminal import LEFT, SeatTerminal

    short = fitted_apart(map(plain, names), _MOST_OF_A_NAME)
    shown = [short[plain(name)] for name in names]
    clock = wishes["clock"]
    terminal = SeatTerminal(
        shown,
        lambda text: click.echo(text, nl=False, err=wishes["as_json"]),
        rules.terms.move_ms / 1000 if clock else None,
    )
    guest = Guest(_ME, terminal.converse, clock)
    try:
        return play_match([guest, *bots], rules, overheard, terminal.replaced)
    except* KeyboardInterrupt:
        terminal.end_line()
    raise Interrupted(LEFT)


def _rules(wishes: _Wishes, seats: int) -> Rules:
    from arena.deals import check_printable
    from arena.match.record import Terms
    from arena.workbench.one_match import Rules, new_seed

    seed = wishes["seed"]
    if seed is not None:
        try:
            check_printable(seed)
        except ValueError as error:
            raise click.UsageError(f"--seed: {error}") from None
    move_ms, bank_ms = max(1, round(wishes["move_seconds"] * 1000)), round(wishes["bank_seconds"] * 1000)
    terms = Terms(move_ms, bank_ms, wishes["fault_points"], wishes["max_faults"])
    return Rules(wishes["rounds"] or seats, terms, seed or new_seed())


@contextmanager
def _overhearing(names: Sequence[str], wishes: _Wishes) -> Iterator[Overheard]:
    """Yield what is told of every line: the spectator (on standard error with --json) and the trace are."""
    from arena.cli.layout import plain
    from arena.workbench.spectator import Spectator
    from arena.workbench.trace import Trace

    shown_names = [plain(name) for name in names]
    spectator = Spectator(shown_names) if wishes["show"] else None
    path = wishes["trace"]
    file = None if path is None else _opened(path)
    tracing = Trace(shown_names, file.write, time.monotonic) if file else None

    def overheard(seat: int, from_bot: bool, line: bytes) -> None:
        if tracing is not None:
            tracing.heard(seat, from_bot, line)
        if spectator is not None:
            for piece in spectator.heard(seat, from_bot, line):
                click.echo(piece, nl=False, err=wishes["as_json"])

    try:
        yield overheard
    finally:
        if file is not None:
            file.close()
            say(f"every line, in both directions: {path}")


def _opened(path: Path) -> TextIO:
    from arena.errors import UsageError

    try:
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"--trace: {path}: cannot be written: {error.strerror}") from None


def played_text(played: Played, names: Sequence[str], seed: str) -> str:
    """Return the points of every bot, its faults, and the end of standard error of those with faults."""
    from arena.match.fault_wording import FaultSentence

    record = played.record
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
    lines += _other_names(played, names)
    for seat in seats:
        lines += _trouble(record, seat, names[seat])
        if count := played.kept_back.get(seat):
            lines.append(f"  WARNING: {FaultSentence.KEPT_BACK.say(count=count)}.")
    return "\n".join(lines)


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
    """Return where a fault was: the start, or the round and the trick or pass."""
    if fault.round is None:
        return "start"
    return f"round {fault.round}, " + ("pass" if fault.trick is None else f"trick {fault.trick}")


def _fault_text(fault: Fault) -> str:
    sent = f"\nit sent: {fault.sent}" if fault.sent else ""
    return plain_lines(f"{fault.kind.value}: {fault.reason}{sent}\nafter {fault.wall_us / 1000:.1f} ms")


def plain_lines(text: str) -> str:
    """Apply `plain` line by line."""
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
