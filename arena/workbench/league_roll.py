"""Builds and starts every bot of a league as its next run would, and plays nothing. Changes nothing of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from arena.bot.build import Builder
from arena.bot.launch import BotCommand
from arena.bot.process import StartFailure
from arena.bot.roll_call import RollCall, call_the_roll
from arena.bot.snapshot import take_snapshot
from arena.errors import BotFolderError, one_error
from arena.league.entries import Waiting, sections
from arena.league.house import field_of
from arena.league.model import BotSection
from arena.league.reader import LoadedLeague
from arena.linux.alarm import run
from arena.linux.family import adopting_orphans
from arena.runner.seasons import bot_command
from arena.sandbox import Failure
from arena.sandbox.for_league import league_sandbox
from protocol.messages import Ready


@dataclass(frozen=True, slots=True)
class Called:
    """A bot of the league. `ready`: what it said of itself; None if it is not ready, and `failure` says why.

    `command`: how it was started, None where it did not come to that.
    """

    bot: str
    ready: Ready | None
    failure: StartFailure | None = None
    command: BotCommand | None = None


def call_league(
    loaded: LoadedLeague, mode: str, workshop: Path, say: Callable[[str], object]
) -> tuple[Called, ...]:
    """Build and start every bot of a league, in the order of its file, and end it again.

    Copies are made and built below `workshop`. `mode`: of the sandbox, as in the league file. `say` is told
    what takes time, and that there is no sandbox. Bots of stages to come are those of the file.

    Raises UsageError where a sandbox is required and cannot be had.
    """
    sandbox = league_sandbox(loaded, mode)
    if isinstance(sandbox, Failure):
        say(sandbox.warning)
        sandbox = None
    found, refused = _field(loaded)
    commands, failed = _copied(loaded, found, workshop)
    placed = [replace(command, sandbox=sandbox) for command in commands]
    with one_error(), adopting_orphans():
        built, roll = run(_call, placed, loaded.league.process.tables, workshop / "built", say)
    failures = {**failed, **roll.failed}
    known = {command.bot: command for command in built}
    playing = (
        Called(bot.id, roll.ready.get(bot.id), failures.get(bot.id), known.get(bot.id)) for bot in found
    )
    # Apart from the others: the id of a refused folder may be that of a bot which plays.
    return (*playing, *(Called(one.bot, None, StartFailure(one.reason)) for one in refused))


def _field(loaded: LoadedLeague) -> tuple[list[BotSection], list[Waiting]]:
    """Return the bots that would play now, and the folders of an open league that hold none."""
    if loaded.league.league.open:
        return sections(loaded.league, loaded.root)
    return list(field_of(loaded.league)), []


def _copied(
    loaded: LoadedLeague, bots: list[BotSection], workshop: Path
) -> tuple[list[BotCommand], dict[str, StartFailure]]:
    commands: list[BotCommand] = []
    failed: dict[str, StartFailure] = {}
    for bot in bots:
        try:
            copy = take_snapshot(loaded.bot_folder(bot), workshop / "bots")
        except BotFolderError as error:
            failed[bot.id] = StartFailure(str(error))
        else:
            commands.append(bot_command(loaded, bot, copy))
    return commands, failed


async def _call(
    commands: list[BotCommand], tables: int, store: Path, say: Callable[[str], object]
) -> tuple[tuple[BotCommand, ...], RollCall]:
    built, unbuilt = await Builder(store, say).build_all(commands)
    return built, await call_the_roll(built, version("papayoo-arena"), unbuilt, tables)
