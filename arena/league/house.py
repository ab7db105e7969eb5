"""The house bots of a league that has too few bots to fill a table: copies of one sample bot, not ranked.

It adds them to the field and says where their files are; it copies and starts nothing. Two bots need none:
they play a duel and share the seats. In a gauntlet house bots sit beside a candidate, so only opponents
count. The field of an open league has no fixed size, so its house bots are not found here but for each of
its phases.
"""

from __future__ import annotations

from importlib.resources import files
from itertools import count, islice
from pathlib import Path

from arena.league.model import BotSection, League
from arena.league.texts import HOUSE_ID, folded
from arena.schedule.plan import Field
from arena.schedule.seating import DUELLISTS

HOUSE_FOLDER = "bots/python/duck"
"""The folder of the sample bot in the house's seats, as the season document names it.

Duck was chosen because it is a sensible player, and quick.
"""

_COMMAND = ("{python}", "bot.py")


def field_of(league: League) -> tuple[BotSection, ...]:
    """Return every bot that takes seats, in the order in which the schedule numbers them."""
    return (*league.bots, *house_bots(league))


def house_bots(league: League) -> tuple[BotSection, ...]:
    """Return as many house bots as seats would be empty; none where there are enough bots, or two.

    They are called "House 1", "House 2", ... with the ids house-1, house-2, ... Numbers whose name or id a
    bot of the file has already are left out.
    """
    missing = 0 if league.league.open else _missing(league)
    taken = {folded(bot.name) for bot in league.bots} | {bot.id for bot in league.bots}
    free = (number for number in count(1) if not {f"house {number}", f"house-{number}"} & taken)
    return tuple(house_bot(number) for number in islice(free, missing))


def house_bot(number: int) -> BotSection:
    """Return the house bot of a number, from 1."""
    return BotSection(
        name=f"House {number}", id=f"house-{number}", folder=HOUSE_FOLDER, command=_COMMAND, role="house"
    )


def is_house(bot: str) -> bool:
    """Return whether an id is one that the arena gives to its own house bots."""
    return HOUSE_ID.fullmatch(bot) is not None


def _missing(league: League) -> int:
    bots, seats = len(league.bots), league.league.seats
    if league.schedule.line_ups == "gauntlet":
        return max(0, seats - 1 - sum(bot.role == "house" for bot in league.bots))
    return 0 if bots == DUELLISTS else max(0, seats - bots)


def schedule_field(league: League, digest: str) -> Field:
    """Return what the schedule of the season with this digest depends on.

    In a gauntlet entrants are candidates.
    """
    bots = field_of(league)
    kind = "balanced" if league.league.open else league.schedule.line_ups
    entrants = tuple(number for number, bot in enumerate(bots) if bot.role == "entrant")
    candidates = entrants if kind == "gauntlet" else ()
    return Field(len(bots), league.league.seats, digest, kind, candidates)


def line_ups_of(league: League) -> str:
    """Return the line-ups that a cycle plays, with "auto" resolved: "all", "balanced" or "gauntlet"."""
    return "balanced" if league.league.open else schedule_field(league, "").resolve().value


def house_folder() -> Path:
    """Return where the sample bot is installed: beside this package, as `bots` always is."""
    # Python is not asked for `bots` itself: without an `__init__.py` it might find that name in the working
    # folder.
    return Path(str(files("arena"))).parent / HOUSE_FOLDER
