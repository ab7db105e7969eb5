"""How a bot's command becomes a process: argv, environment, folder. The seam where a sandbox goes.

Starts nothing itself (`bot_process` does) and knows no messages.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

__all__ = ["BotCommand", "Launch", "plan_launch"]


@dataclass(frozen=True, slots=True)
class BotCommand:
    """What a referee knows of an entry: how to start it, where, and with what limits.

    `argv` as in the league file ("{python}" is the interpreter that runs the arena), `folder` the
    snapshot that it runs in, `start_ms` the time to become ready. `memory_mib` of all its processes
    together and `cpu_ms`, their processor time in one match, are what `watchdog` allows; 0: no limit.
    """

    bot: str
    argv: tuple[str, ...]
    folder: str
    env: tuple[tuple[str, str], ...] = ()
    start_ms: int = 10_000
    fresh_process: bool = False
    nice: int = 0
    memory_mib: int = 0
    cpu_ms: int = 0


@dataclass(frozen=True, slots=True)
class Launch:
    """Exactly what is executed: no shell, no inherited environment."""

    argv: tuple[str, ...]
    folder: str
    env: dict[str, str]


def plan_launch(command: BotCommand) -> Launch:
    """The launch of a bot without a sandbox.

    Where setpriv is present, the kernel kills the bot when the referee is gone. A program named
    without a slash is looked for in PATH, any other below the folder.
    """
    argv = [part.replace("{python}", sys.executable) for part in command.argv]
    path = os.environ.get("PATH", os.defpath)
    found = shutil.which(argv[0], path=path) if "/" not in argv[0] else str(Path(command.folder, argv[0]))
    argv[0] = found or argv[0]
    setpriv = shutil.which("setpriv", path=path)
    # What cannot be executed is tried without it, so that the error names the program.
    if setpriv is not None and shutil.which(argv[0]) is not None:
        argv = [setpriv, "--pdeathsig", "KILL", "--", *argv]
    env = {
        "PATH": path,
        "HOME": command.folder,
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",  # a bot's folder stays as it was digested
        **dict(command.env),
    }
    return Launch(tuple(argv), command.folder, env)
