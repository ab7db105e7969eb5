"""What is meant by `--without BOT` and `--only-seats K`, or why it cannot be had. Shows nothing."""

from __future__ import annotations

from arena.cli.leaderboard import Board
from arena.cli.naming import bot_from
from arena.errors import UsageError
from arena.standings import TooLittleLeftError, without
from arena.store.scoring import Scored
from arena.store.views import SeasonView

__all__ = ["board_without", "seats_from"]


def board_without(season: SeasonView, score: Scored, given: str) -> Board:
    """The leaderboard without the sessions of a bot, given by its id or name.

    UsageError for a bot that is not of the season, or when what is left is too little.
    """
    bot = bot_from(season, given)
    try:
        rest = without(score.scoring, score.results, bot)
    except TooLittleLeftError as error:
        raise UsageError(f"--without {given}: {error}") from error
    scoring, results = rest.scoring, rest.results
    left = Scored(scoring, results, scoring.standings(results), scoring.look(results))
    return Board(season, left, without=bot)


def seats_from(given: str, seats: int) -> tuple[int, ...]:
    """Seat numbers, "0" or "0,2", ascending. UsageError for what is no seat of a table of so many."""
    parts = [part.strip() for part in given.split(",")]
    bad = [part for part in parts if not (part.isascii() and part.isdecimal() and int(part) < seats)]
    if bad:
        raise UsageError(
            f"--only-seats {given}: expected seats from 0 to {seats - 1}, such as 0 or 0,2, got {bad[0]!r}"
        )
    return tuple(sorted({int(part) for part in parts}))
