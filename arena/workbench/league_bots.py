"""Bots of a league at a table outside of it: which ones, under which terms, ready to be started.

The deals are never the league's. Changes nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import trio

from arena.bot.build import Builder
from arena.bot.roll_call import causes
from arena.bot.snapshot import take_snapshot
from arena.errors import ArenaError, BotsBroken, UsageError
from arena.league import read_league
from arena.league.entries import sections
from arena.league.given_bots import find_bots
from arena.league.model import BotSection
from arena.league.reader import LoadedLeague
from arena.match.record import Terms
from arena.runner.seasons import bot_command
from arena.sandbox import Failure
from arena.sandbox.for_league import league_sandbox
from arena.score.entry_ids import bot_of
from arena.store import read
from arena.store.database import Database, is_there
from arena.store.scoring import scored
from arena.workbench.bots import Bot


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """A table of a league's bots, with `people` who take the first seats."""

    loaded: LoadedLeague
    bots: tuple[BotSection, ...]
    people: int

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return self.people + len(self.bots)

    @property
    def rounds(self) -> int:
        """Return the rounds of a match of the league."""
        return self.loaded.league.league.rounds

    @property
    def terms(self) -> Terms:
        """Return the clocks and penalties of the league."""
        time, faults = self.loaded.league.time, self.loaded.league.faults
        return Terms(time.move_ms, time.bank_ms, faults.fault_points, faults.max_faults)


def table_of(path: Path, given: Sequence[str], people: int, seats: int | None) -> LeagueTable:
    """Return the bots that are named; without names the best of the league, as many as fit.

    A name is the id or name of a bot of the league, or what `find_bots` takes. `seats`: of the table; None
    for those of a match of the league. Raises UsageError for a name that no bot has, with the nearest, and
    for a table that cannot be.
    """
    loaded = read_league(path, to_play=True)
    field = _field(loaded)
    if given and seats is not None and seats != len(given) + people:
        raise UsageError(f"--seats {seats}: {len(given)} bots are named; leave --seats or the bots out")
    wanted = (seats or loaded.league.league.seats) - people
    words = tuple(given) or tuple(bot.id for bot in _best(loaded, field)[:wanted])
    if not 3 <= len(words) + people <= 8 or (not given and len(words) < wanted):
        raise UsageError(
            f"{path}: {len(words)} of its bots{' and you' if people == 1 else ''}: a table has 3 to 8 seats"
            + ("" if given else f", and this one {wanted + people}")
        )
    # In an open league the file names only some of them.
    wide = replace(loaded, league=loaded.league.model_copy(update={"bots": tuple(field)}))
    return LeagueTable(loaded, tuple(find_bots(words, wide, loaded.root)), people)


def _field(loaded: LoadedLeague) -> list[BotSection]:
    """Return the bots that would play now, but for house bots."""
    return sections(loaded.league, loaded.root)[0]


def _best(loaded: LoadedLeague, field: Sequence[BotSection]) -> list[BotSection]:
    """Return the bots in the order of the newest standings; those without a rank last, as in the file."""
    place = {bot: rank for rank, bot in reversed(list(enumerate(_ranking(loaded))))}
    return sorted(field, key=lambda bot: place.get(bot.id, len(place)))


def _ranking(loaded: LoadedLeague) -> list[str]:
    try:
        if not is_there(loaded.database):
            return []
        with Database.open(loaded.database, read_only=True) as database:
            newest = read.current_season(database)
            rows = () if newest is None else scored(database, newest).standings.rows
            return [bot_of(row.bot) for row in rows]
    except ArenaError:  # a database that cannot be read stops nobody from playing
        return []


def league_bots(
    table: LeagueTable, mode: str | None, workshop: Path, say: Callable[[str], object]
) -> tuple[Bot, ...]:
    """Return the table's bots, copied and built below `workshop`, in the sandbox that the league asks for.

    `mode`: of the sandbox, None for the league's. `say` is told what takes time, and of a missing sandbox.
    Raises UsageError where a sandbox is required and cannot be had, or a folder cannot be copied, BotsBroken
    where a bot cannot be built.
    """
    loaded = table.loaded
    sandbox = league_sandbox(loaded, mode or loaded.league.sandbox.mode)
    if isinstance(sandbox, Failure):
        say(sandbox.warning)
        sandbox = None
    copies = [take_snapshot((loaded.root / bot.folder).resolve(), workshop / "bots") for bot in table.bots]
    commands = [
        replace(bot_command(loaded, bot, copy), sandbox=sandbox)
        for bot, copy in zip(table.bots, copies, strict=True)
    ]
    ready, failed = trio.run(Builder(workshop / "built", say).build_all, commands)
    if failed:
        raise BotsBroken(f"not built:\n{causes(commands, failed)}")
    return tuple(Bot(section.name, command) for section, command in zip(table.bots, ready, strict=True))
