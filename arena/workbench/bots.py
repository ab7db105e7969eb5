"""Bots named on a command line, as commands that can be started: found, built, in a sandbox. Starts no bot.

In a sandbox, or where it has to be built, a bot runs in a copy of its folder, as in a league: the sandbox may
run it as a user who cannot read the folder itself. Otherwise it runs where it is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import trio

from arena.bot.build import Builder
from arena.bot.launch import BotCommand
from arena.bot.roll_call import causes
from arena.bot.snapshot import naming, take_snapshot
from arena.errors import BotsBroken, NoSandbox, UsageError
from arena.league.given_bots import find_bots
from arena.league.model import BotSection
from arena.sandbox import Limits, Sandbox, home, probe

_NICE = 10


@dataclass(frozen=True, slots=True)
class Conditions:
    """The conditions for bots: seconds to become ready, MiB of memory, and the mode of the sandbox.

    `sandbox`: "off", "auto" or "require".
    """

    start_seconds: float = 10.0
    memory_mib: int = 512
    sandbox: str = "off"


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot and how it is started; `command.bot` is its id."""

    name: str
    command: BotCommand

    @property
    def sandboxed(self) -> bool:
        """Return whether it is started in a sandbox."""
        return self.command.sandbox is not None


def bots_given(
    given: Sequence[str], conditions: Conditions, workshop: Path, say: Callable[[str], object]
) -> tuple[Bot, ...]:
    """Return the bots that `given` names, in order; bots with a build command are built below `workshop`.

    `say` is told what takes time, and that there is no sandbox. Raises UsageError where no bot can be started
    or a name is misspelt, with the nearest name, and BotsBroken when a bot cannot be built.
    """
    if sys.platform != "linux":
        raise UsageError("bots can be run on Linux only: the arena ends processes in Linux's ways")
    here = Path.cwd()
    sections = find_bots(given, None, here)
    sandbox = _sandbox(conditions.sandbox, say)
    commands = [_command(section, here, conditions, sandbox, workshop) for section in sections]
    ready, failed = trio.run(Builder(workshop / "built", say).build_all, commands)
    if failed:
        raise BotsBroken(f"not built:\n{causes(commands, failed)}")
    return tuple(Bot(section.name, command) for section, command in zip(sections, ready, strict=True))


def _command(
    bot: BotSection, here: Path, conditions: Conditions, sandbox: Sandbox | None, workshop: Path
) -> BotCommand:
    folder = (here / bot.folder).resolve()
    command = BotCommand(
        bot=bot.id,
        argv=bot.command,
        folder=str(folder),
        start_ms=round(conditions.start_seconds * 1000),
        nice=_NICE,
        memory_mib=conditions.memory_mib,
        sandbox=sandbox,
        build=bot.build,
    )
    if not bot.build and sandbox is None:
        return command
    with naming(bot.id):
        copy = take_snapshot(folder, workshop / "bots")
    return replace(command, folder=str(copy.path.resolve()))


def _sandbox(mode: str, say: Callable[[str], object]) -> Sandbox | None:
    """Return the sandbox as `league_sandbox` does for a league, with a league's default limits."""
    if mode == "off":
        return None
    found = probe(Limits(), hidden=(str(home()),))
    if isinstance(found, Sandbox):
        return found
    if mode == "require":
        raise NoSandbox(f"a sandbox is required, but does not work here: {found}")
    say(f"no sandbox: {found}")
    return None
