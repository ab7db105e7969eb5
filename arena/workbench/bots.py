"""Bots named on a command line, copied and built where that is needed, in a sandbox. Starts no bot.

In a sandbox, or where it has to be built, a bot runs in a copy of its folder, as in a league: the sandbox may
run it as a user who cannot read the folder itself. Otherwise it runs where it is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import trio

from arena.bot.build import Builder
from arena.bot.launch import NICE, BotCommand
from arena.bot.roll_call import causes
from arena.bot.snapshot import naming, take_snapshot
from arena.errors import BotsBroken, UsageError
from arena.league.given_bots import find_bots
from arena.league.model import BotSection, SandboxSection
from arena.linux.folders import workshop
from arena.sandbox import Failure, home
from arena.sandbox.for_league import asked_sandbox

Say: TypeAlias = Callable[[str], object]
"""A function that is told what takes time, and that there is no sandbox."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot and how it is started; `command.bot` is its id."""

    name: str
    command: BotCommand


@contextmanager
def bots_workshop() -> Iterator[Path]:
    """Make a temporary folder for copies and builds, and remove it after the block."""
    with workshop("arena-bots-") as folder:
        folder.chmod(0o755)  # in a sandbox a bot may run as another user
        yield folder


def bots_given(
    given: Sequence[str],
    folder: Path,
    say: Say,
    *,
    start_seconds: float = 10.0,
    memory_mib: int = 512,
    sandbox: str = "off",
) -> tuple[Bot, ...]:
    """Return the bots that `given` names, in order, copied and built below `folder` where that is needed.

    `start_seconds`: the time to become ready. `sandbox`: "off", "auto" or "require". Raises UsageError where
    no bot can be started, a name is misspelt, with the nearest name, or there is no sandbox that is required,
    and BotsBroken when a bot cannot be built.
    """
    if sys.platform != "linux":
        raise UsageError("bots can be run on Linux only: the arena ends processes in Linux's ways")
    here = Path.cwd()
    bots = find_bots(given, None, here)
    placed = None if sandbox == "off" else asked_sandbox(SandboxSection(), sandbox, (str(home()),))
    if isinstance(placed, Failure):
        say(f"no sandbox: {placed}")
        placed = None

    def command(bot: BotSection) -> BotCommand:
        own = (here / bot.folder).resolve()
        if bot.build or placed is not None:
            with naming(bot.id):
                own = take_snapshot(own, folder / "bots").path.resolve()
        return BotCommand(
            bot=bot.id,
            argv=bot.command,
            folder=str(own),
            start_ms=round(start_seconds * 1000),
            nice=NICE,
            memory_mib=memory_mib,
            sandbox=placed,
            build=bot.build,
        )

    return build_bots(bots, list(map(command, bots)), folder, say)


def build_bots(
    bots: Sequence[BotSection], commands: list[BotCommand], folder: Path, say: Say
) -> tuple[Bot, ...]:
    """Build below `folder` what has to be built. Raises BotsBroken, with the causes, where that fails."""
    ready, failed = trio.run(Builder(folder / "built", say).build_all, commands)
    if failed:
        raise BotsBroken(f"not built:\n{causes(commands, failed)}")
    return tuple(Bot(bot.name, command) for bot, command in zip(bots, ready, strict=True))
