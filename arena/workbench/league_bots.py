"""Bots of a league outside of it: at a table of an author's (`table_of`, `league_bots`), or all of them,
started as its next run would (`call_league`).

Plays nothing, and changes nothing of the league. The deals are never the league's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from arena.bot.build import Builder
from arena.bot.launch import BotCommand
from arena.bot.process import StartFailure
from arena.bot.roll_call import RollCall, call_the_roll
from arena.bot.snapshot import take_snapshot
from arena.errors import ArenaError, BotFolderError, UsageError, one_error
from arena.league import read_league
from arena.league.entries import sections
from arena.league.given_bots import find_bots
from arena.league.house import field_of
from arena.league.model import BotSection
from arena.league.reader import LoadedLeague
from arena.linux.alarm import run
from arena.linux.family import adopting_orphans
from arena.match.record import Terms
from arena.runner.seasons import bot_command
from arena.sandbox import Failure, Sandbox
from arena.sandbox.for_league import league_sandbox
from arena.score.entry_ids import bot_of
from arena.store import read
from arena.store.database import Database, is_there
from arena.store.scoring import scored
from arena.workbench.bots import Bot, Say, build_bots
from protocol.messages import Ready


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
    field, _ = sections(loaded.league, loaded.root)
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


def league_bots(table: LeagueTable, mode: str | None, folder: Path, say: Say) -> tuple[Bot, ...]:
    """Return the table's bots, copied and built below `folder`, in the sandbox that the league asks for.

    `mode`: of the sandbox, None for the league's. Raises UsageError where a sandbox is required and cannot be
    had, or a folder cannot be copied, BotsBroken where a bot cannot be built.
    """
    loaded = table.loaded
    sandbox = _of_league(loaded, mode, say)
    copies = [take_snapshot((loaded.root / bot.folder).resolve(), folder / "bots") for bot in table.bots]
    commands = [
        replace(bot_command(loaded, bot, copy), sandbox=sandbox)
        for bot, copy in zip(table.bots, copies, strict=True)
    ]
    return build_bots(table.bots, commands, folder, say)


def _of_league(loaded: LoadedLeague, mode: str | None, say: Say) -> Sandbox | None:
    sandbox = league_sandbox(loaded, mode or loaded.league.sandbox.mode)
    if isinstance(sandbox, Failure):
        say(sandbox.warning)
        return None
    return sandbox


# All bots of a league


@dataclass(frozen=True, slots=True)
class Called:
    """A bot of the league. `ready`: what it said of itself; None if it is not ready, and `failure` says why.

    `command`: how it was started, None where it did not come to that.
    """

    bot: str
    ready: Ready | None
    failure: StartFailure | None = None
    command: BotCommand | None = None


def call_league(loaded: LoadedLeague, mode: str | None, folder: Path, say: Say) -> tuple[Called, ...]:
    """Build and start every bot of a league, in the order of its file, and end it again.

    Copies are made and built below `folder`. `mode`: of the sandbox, None for the league's. Bots of stages to
    come are those of the file. Raises UsageError where a sandbox is required and cannot be had.
    """
    sandbox = _of_league(loaded, mode, say)
    here, refused = sections(loaded.league, loaded.root)
    bots = here if loaded.league.league.open else field_of(loaded.league)
    commands: list[BotCommand] = []
    failed: dict[str, StartFailure] = {}
    for bot in bots:
        try:
            copy = take_snapshot(loaded.bot_folder(bot), folder / "bots")
        except BotFolderError as error:
            failed[bot.id] = StartFailure(str(error))
        else:
            commands.append(replace(bot_command(loaded, bot, copy), sandbox=sandbox))

    async def call() -> tuple[tuple[BotCommand, ...], RollCall]:
        built, unbuilt = await Builder(folder / "built", say).build_all(commands)
        tables = loaded.league.process.tables
        return built, await call_the_roll(built, version("papayoo-arena"), unbuilt, tables)

    with one_error(), adopting_orphans():
        built, roll = run(call)
    failed.update(roll.failed)
    known = {command.bot: command for command in built}
    called = (Called(bot.id, roll.ready.get(bot.id), failed.get(bot.id), known.get(bot.id)) for bot in bots)
    # Apart from the others: the id of a refused folder may be that of a bot which plays.
    return (*called, *(Called(one.bot, None, StartFailure(one.reason)) for one in refused))
