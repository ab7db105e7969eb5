"""The house bots of a league that has too few bots to fill a table: copies of one sample bot, not ranked.

Adds them to the field and says where their files are; copies and starts nothing. Two bots need none:
they play a duel and share the seats.
"""

from __future__ import annotations

from importlib.resources import files
from itertools import count, islice
from pathlib import Path

from arena.league.model import BotSection, League
from arena.league.texts import folded
from arena.schedule.seating import DUELLISTS

__all__ = ["HOUSE_FOLDER", "field_of", "house_bots", "house_folder"]

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
    bots, seats = len(league.bots), league.league.seats
    missing = 0 if bots == DUELLISTS else max(0, seats - bots)
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


def house_folder() -> Path:
    """Where the sample bot is installed: beside this package, from which `bots` is always installed too.

    Not asked of `bots` itself: without an `__init__.py` it may be found in the working folder instead.
    """
    return Path(str(files("arena"))).parent / HOUSE_FOLDER
