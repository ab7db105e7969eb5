"""Turns a bot's command into what is executed: argv, environment and folder, in a sandbox if there is one.

Starts nothing itself (`process` does) and knows no messages.
"""

from __future__ import annotations

import errno
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from arena.linux.namespace import has_namespaces, in_family
from arena.sandbox import Sandbox, find_program, wrap

__all__ = ["BotCommand", "Launch", "plan_launch"]


@dataclass(frozen=True, slots=True)
class BotCommand:
    """What a referee knows of an entry: how to start it, where, and with what limits.

    `argv`: as in the league file; "{python}" is the interpreter that runs the arena. `folder`: the snapshot
    that it runs in. `start_ms`: the time to become ready. `memory_mib` and `cpu_ms`: the limits that
    `watchdog` sets to the memory of all its processes together, and to their processor time in one match; 0
    is no limit. `threads`: the most threads that it is to compute with. `cores`: the cores that they run on;
    empty for the cores of its referee. `cgroup`: the folder for control groups (see `cgroups`), or None where
    there are none. `sandbox`: the sandbox that it is started in, or None. `build`: the command that builds it
    first, empty for none. `build_ms`: the time for the build.
    """

    bot: str
    argv: tuple[str, ...]
    folder: str
    env: tuple[tuple[str, str], ...] = ()
    start_ms: int = 10_000
    nice: int = 0
    memory_mib: int = 0
    cpu_ms: int = 0
    threads: int = 1
    cores: tuple[int, ...] = ()
    cgroup: str | None = None
    sandbox: Sandbox | None = None
    build: tuple[str, ...] = ()
    build_ms: int = 300_000

    @property
    def in_namespace(self) -> bool:
        """Return whether it is started in a process namespace: in a sandbox, and wherever there are any."""
        return self.sandbox is not None or has_namespaces()


@dataclass(frozen=True, slots=True)
class Launch:
    """Exactly what is executed. No shell reads the bot's command, and no environment is inherited."""

    argv: tuple[str, ...]
    folder: str
    env: dict[str, str]


def plan_launch(command: BotCommand, *, writable: bool = False) -> Launch:
    """Return the launch of a bot as a family: in its sandbox if it has one, else with the arena's rights.

    `writable`: whether it may write in its folder; without a sandbox nothing hinders it. Raises
    FileNotFoundError, with the name of the program, when a sandbox would find no such program.
    """
    if command.sandbox is None:
        return _plain(command)
    program = command.argv[0].replace("{python}", sys.executable)
    if find_program(program, Path(command.folder), os.environ.get("PATH", os.defpath)) is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), program)
    folder, env = Path(command.folder), dict(command.env)
    wrapped = wrap(command.sandbox, command.argv, folder, env, nice=command.nice, writable=writable)
    return Launch(wrapped.argv, command.folder, wrapped.env)


def _plain(command: BotCommand) -> Launch:
    """Return the launch of a bot with the rights of the arena.

    A program that is named without a slash is looked for in PATH, any other below the folder.
    """
    argv = [part.replace("{python}", sys.executable) for part in command.argv]
    path = os.environ.get("PATH", os.defpath)
    in_folder = Path(command.folder, argv[0]) if "/" in argv[0] else None
    argv[0] = str(in_folder or find_program(argv[0], Path(command.folder), path) or argv[0])
    # What cannot be executed is tried as it is, so that the error names the program.
    found = shutil.which(argv[0]) is not None
    env = {
        "PATH": path,
        "HOME": command.folder,
        "LANG": "C.UTF-8",
        # So that the bot's folder stays as it was digested.
        "PYTHONDONTWRITEBYTECODE": "1",
        **dict(command.env),
    }
    return Launch(in_family(argv) if found else tuple(argv), command.folder, env)
