"""`arena replay`: a match on the terminal, round by round as text or stepped through trick by trick."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.helping import examples, league_argument
from arena.errors import UsageError

if TYPE_CHECKING:
    from arena.cli.league_files import OpenLeague
    from arena.store.views import MatchView
    from reports import RoundPart

__all__ = ["replay"]


@click.command(epilog=examples("arena replay league.toml 12", "arena replay spring.db 12:0 --text"))
@league_argument
@click.argument("match", metavar="MATCH[:ROUND]")
@click.option("--text", "as_text", is_flag=True, help="Print it all; so it is anyway unless on a terminal.")
def replay(league: Path, match: str, as_text: bool) -> None:
    """Show a finished match of the newest season: hands, passes, every trick.

    MATCH is its number on the pages; with :ROUND only that round. On a terminal each press of Enter
    shows the next trick, n the next round, q ends it. Cards are those that the bots of this match saw;
    * marks what the stand-in chose.
    """
    from arena.cli.league_files import opened

    number, wanted = _wanted(match)
    with opened(league) as found:
        view = _match(found, number)
        rounds = _rounds(found, view)
    if wanted is not None and wanted >= len(rounds):
        raise UsageError(f"Match {number} has rounds 0 to {len(rounds) - 1}, not {wanted}")
    chosen = rounds if wanted is None else rounds[wanted : wanted + 1]
    stepping = not as_text and sys.stdin.isatty() and sys.stdout.isatty()
    click.echo(_head(view))
    for part in chosen:
        click.echo()
        if not _tell(_lines(part), stepping):
            return


def _wanted(text: str) -> tuple[int, int | None]:
    number, colon, round_ = text.partition(":")
    if not number.isdecimal() or (colon and not round_.isdecimal()):
        raise UsageError(f"{text!r} is no match: expected its number, as 12, or with a round, as 12:0")
    return int(number), int(round_) if colon else None


def _match(found: OpenLeague, number: int) -> MatchView:
    finished = {match.number: match for match in found.reader.matches(found.season.number)}
    if not finished:
        raise UsageError("No match has been finished yet")
    if number not in finished:
        raise UsageError(f"There is no finished match {number}: they have numbers up to {max(finished)}")
    match = finished[number]
    if not match.cards_may_show:
        raise UsageError(
            f"The cards of match {number} appear once every match of its session is over: "
            "the same deals are still being played"
        )
    return match


def _rounds(found: OpenLeague, match: MatchView) -> tuple[RoundPart, ...]:
    from reports import round_parts

    record = found.reader.record(found.season.number, match.number)
    return round_parts(record, [seat.name for seat in match.seats])


def _head(match: MatchView) -> str:
    from arena.cli.layout import plain, table

    rows = [
        (str(seat.seat), plain(seat.name), str(seat.place), str(seat.points), str(seat.charge))
        for seat in match.seats
    ]
    head = f"Match {match.number}, session {match.cycle}.{match.index}, seat order {match.order}"
    return "\n".join([head, "", *table(("seat", "bot", "place", "card", "fault"), rows, frozenset({0, 1}))])


def _lines(part: RoundPart) -> Iterator[str]:
    """The round in pieces that are shown one after another: the deal, then each trick."""
    from arena.cli.layout import columns, plain, wrapped

    deal = [f"Round {part.number}: seat {part.dealer} deals and leads. The Papayoo is {part.papayoo.name}."]
    for hand in part.hands:
        star = "*" if hand.passed_by_stand_in else ""
        dealt, passed, got = (" ".join(c.name for c in of) for of in (hand.dealt, hand.passed, hand.received))
        text = wrapped(dealt, 60) + "\n" + wrapped(f"passes {passed}{star}, gets {got}", 60)
        deal += columns([(f"{hand.seat} {plain(hand.bot)[:14]}", text)])
    yield "\n".join(deal)
    size = len(part.hands)
    for trick in part.tricks:
        turns = ((trick.leader + turn) % size for turn in range(size))
        played = " ".join(
            f"{seat}:{trick.cards[seat].name}{'*' if trick.cards[seat].stand_in else ''}" for seat in turns
        )
        so_far = " ".join(map(str, trick.running))
        yield "\n".join(
            columns(
                [(f"trick {trick.number:2}", f"{played}\nseat {trick.taker} takes {trick.points}: {so_far}")]
            )
        )


def _tell(pieces: Iterator[str], stepping: bool) -> bool:
    """Print the pieces; whether to go on with the next round."""
    for piece in pieces:
        click.echo(piece)
        if stepping:
            key = click.getchar()
            if key in ("q", "\x1b"):
                return False
            if key == "n":
                return True
    return True
