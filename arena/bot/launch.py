"""How a bot is started: its command with its limits, and what is executed for it. Starts nothing itself."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from arena.linux.namespace import has_namespaces, in_family, try_out
from arena.sandbox import Launch, Sandbox, find_program, wrap
from protocol.refusal import visible

NICE = 10
"""How far bots give way to their referee and the rest of the machine."""
BUILD_NICE = 19
"""How far builds beside play give way: as far as a process can."""
_ROOM_SECONDS = 20.0
_MOST_OF_A_LINE = 256
"""The bytes of a first line that the kernel reads."""


@dataclass(frozen=True, slots=True)
class BotCommand:
    """What a referee knows of an entry: how to start it, where, and with what limits.

    `argv`: as in the league file; "{python}" is the interpreter that runs the arena. `folder`: the snapshot
    that it runs in. `start_ms`: the time to become ready. `memory_mib` and `cpu_ms`: the limits that
    `watchdog` sets to the memory of all its processes together, and to their processor time in one match; 0
    is no limit. `threads`: the most threads that it is to compute with. `cores`: the cores that they run on;
    empty for the cores of its referee. `sandbox`: the sandbox that it is started in, or None. `build`: the
    command that builds it first, empty for none. `build_ms`: the time for the build.
    """

    bot: str
    argv: tuple[str, ...]
    folder: str
    start_ms: int = 10_000
    nice: int = 0
    memory_mib: int = 0
    cpu_ms: int = 0
    threads: int = 1
    cores: tuple[int, ...] = ()

    sandbox: Sandbox | None = None
    build: tuple[str, ...] = ()
    build_ms: int = 300_000

    @property
    def in_namespace(self) -> bool:
        """Return whether it is started in a process namespace: in a sandbox, and wherever there are any."""
        return self.sandbox is not None or has_namespaces()


def plan_launch(command: BotCommand, *, writable: bool = False) -> Launch:
    """Return the launch of a bot as a family: in its sandbox if it has one, else with the arena's rights.

    No shell reads the bot's command, and no environment is inherited. `writable`: whether it may write in its
    folder; without a sandbox nothing hinders it. Raises OSError with the name of the program and what its
    author can do about it, when it is one of the bot's files and cannot be executed, or when a sandbox would
    find no such program.
    """
    argv = [part.replace("{python}", sys.executable) for part in command.argv]
    path, folder = os.environ.get("PATH", os.defpath), Path(command.folder)
    program = find_program(argv[0], folder, path)
    if program is not None and program.is_relative_to(folder) and (why := _why_unfit(program, folder)):
        raise OSError(errno.ENOEXEC, why, argv[0])
    if command.sandbox is not None:
        if program is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), argv[0])
        return wrap(command.sandbox, argv, folder, nice=command.nice, writable=writable)
    argv[0] = str(folder / argv[0] if "/" in argv[0] else program or argv[0])
    env = {
        "PATH": path,
        "HOME": command.folder,
        "LANG": "C.UTF-8",
        # So that the bot's folder stays as it was digested.
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    # What cannot be executed is tried as it is, so that the error names the program.
    return in_family(argv) if shutil.which(argv[0]) is not None else tuple(argv), env


def check_room(command: BotCommand) -> None:
    """Start what stands around a bot, with a program in it that does nothing.

    Raises OSError when this machine is too full even for that. Then no bot can be blamed.
    """
    argv, env = plan_launch(replace(command, argv=("/bin/sh", "-c", ":")))
    # That it is slow says nothing of its room.
    with suppress(subprocess.TimeoutExpired):
        try_out(argv, env, _ROOM_SECONDS, command.folder)


def _why_unfit(program: Path, folder: Path) -> str:
    """Return why a file cannot be executed, which the kernel says in misleading words; else an empty text."""
    if not os.access(program, os.X_OK):
        return "Permission denied; chmod +x makes it a program"
    with program.open("rb") as file:
        first = file.readline(_MOST_OF_A_LINE)
    if not first.startswith(b"#!") or not first[2:].split():
        return ""
    interpreter = os.fsdecode(first[2:].split()[0])
    if first.endswith(b"\r\n"):
        return "its first line ends with CR LF, as on Windows; end its lines with LF"
    if not (folder / interpreter).exists():
        return f"its first line names {visible(interpreter)}, and there is no such program"
    return ""
