"""The house bots of a league that has too few bots to fill a table: copies of one sample bot, not ranked.

Adds them to the field and says where their files are; copies and starts nothing. Two bots need none:
they play a duel and share the seats. In a gauntlet they sit beside a candidate, so that only opponents count.
"""

from __future__ import annotations

from importlib.resources import files
from itertools import count, islice
from pathlib import Path

from arena.league.model import BotSection, League
from arena.league.texts import folded
from arena.schedule.plan import Field
from arena.schedule.seating import DUELLISTS

__all__ = ["HOUSE_FOLDER", "field_of", "house_bots", "house_folder", "schedule_field"]

HOUSE_FOLDER = "bots/python/duck"
"""The sample bot in the house's seats, as the season's document names it: a sensible player, and quick."""

_COMMAND = ("{python}", "bot.py")


def field_of(league: League) -> tuple[BotSection, ...]:
    """Every bot that takes seats, in the order in which the schedule numbers them."""
    return (*league.bots, *house_bots(league))


def house_bots(league: League) -> tuple[BotSection, ...]:
    """As many house bots as seats would be empty; none where there are enough bots, or two.

    They are called "House 1", "House 2", ... with the ids house-1, house-2, ..., except for
    names and ids that a bot of the file has already.
    """
    missing = _missing(league)
    taken = {folded(bot.name) for bot in league.bots} | {bot.id for bot in league.bots}
    free = (number for number in count(1) if not {f"house {number}", f"house-{number}"} & taken)
    return tuple(
        BotSection(
            name=f"House {number}",
            id=f"house-{number}",
            folder=HOUSE_FOLDER,
            command=_COMMAND,
            role="house",
        )
        for number in islice(free, missing)
    )


def _missing(league: League) -> int:
    bots, seats = len(league.bots), league.league.seats
    if league.line_ups == "gauntlet":
        return max(0, seats - 1 - sum(bot.role == "house" for bot in league.bots))
    return 0 if bots == DUELLISTS else max(0, seats - bots)


def schedule_field(league: League, digest: str) -> Field:
    """What the schedule of the season of that digest depends on; entrants are candidates in a gauntlet."""
    bots = field_of(league)
    kind = league.line_ups
    entrants = tuple(number for number, bot in enumerate(bots) if bot.role == "entrant")
    candidates = entrants if kind == "gauntlet" else ()
    return Field(len(bots), league.league.seats, digest, kind, candidates)


def house_folder() -> Path:
    """Where the sample bot is installed: beside this package, from which `bots` is always installed too.

    Not asked of `bots` itself: without an `__init__.py` it may be found in the working folder instead.
    """
    return Path(str(files("arena"))).parent / HOUSE_FOLDER
