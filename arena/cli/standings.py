"""`arena standings`: the leaderboard on the terminal, and questions that can be put to it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click

from arena.cli.helping import as_json, examples, league_argument

if TYPE_CHECKING:
    from arena.cli.league_files import OpenLeague

__all__ = ["standings"]


class Answer(Protocol):
    """What can be shown: as text for a terminal, or as a document for programs."""

    def text(self) -> str:
        """Text of at most 80 columns, without a newline at its end."""
        ...

    def document(self) -> dict[str, object]:
        """What becomes JSON."""
        ...


@click.command(
    epilog=examples(
        "arena standings league.toml",
        "arena standings spring.db --json > standings.json",
        "arena standings spring.db --without duck",
    )
)
@league_argument
@click.option("--without", metavar="BOT", help="Leave out all sessions in which BOT sat; claims no rank.")
@click.option("--only-seats", metavar="K", help="Plain means at these seats only, as 0 or 0,2; no verdict.")
@click.option("--by-cycle", is_flag=True, help="Show how the standing moved.")
@click.option("--elo", is_flag=True, help="Show Elo ratings (Bradley-Terry) beside the score.")
@as_json
def standings(
    league: Path, without: str | None, only_seats: str | None, by_cycle: bool, elo: bool, as_json: bool
) -> None:
    """Show the leaderboard of the newest season, and how sure it is.

    Points are for one round, and fewer are better. Complete sessions count. The ranks that a bot
    may still have, and the letters that bots share which cannot be told apart, come from complete
    cycles alone and stay true however often they are looked at; everything else is for looking once.
    """
    from arena.cli.league_files import opened

    if sum([without is not None, only_seats is not None, by_cycle]) > 1:
        raise click.UsageError("--without, --only-seats and --by-cycle are different questions: ask one.")
    if elo and (by_cycle or only_seats is not None or without is not None):
        raise click.UsageError("--elo stands beside the whole score: not with --without and the like.")
    with opened(league) as found:
        if only_seats is not None:
            answer = _at_seats(found, only_seats)
        else:
            answer = _course(found) if by_cycle else _leaderboard(found, without, elo)
        text = json.dumps(answer.document(), indent=2, ensure_ascii=False) if as_json else answer.text()
    click.echo(text)


def _leaderboard(found: OpenLeague, without: str | None, elo: bool) -> Answer:
    from arena.cli.exploring import board_without
    from arena.cli.leaderboard import Board
    from arena.store.rating import rated
    from arena.store.scoring import scored

    season, score = found.season, scored(found.reader, found.season)
    board = Board(season, score) if without is None else board_without(season, score, without)
    if not elo:
        return board
    return replace(board, ratings=rated(found.reader, season.number, score.standings.fit.bots))


def _course(found: OpenLeague) -> Answer:
    from arena.cli.course import Course
    from arena.store.scoring import scored

    return Course(found.season, scored(found.reader, found.season))


def _at_seats(found: OpenLeague, given: str) -> Answer:
    from arena.cli.exploring import seats_from
    from arena.cli.seat_means import AtSeats, seat_means

    season = found.season
    seats = seats_from(given, season.seats)
    bots = [entry.bot for entry in season.entries]
    return AtSeats(season, seats, tuple(seat_means(found.reader.matches(season.number), bots, seats)))
