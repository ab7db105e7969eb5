"""Finds the keeper of bots, writes its command line, and finds what it keeps. It starts nothing.

A keeper is a small process between the arena and one bot, which ends all that the bot started: keeper.c says
how. The installation compiles it where there is a C compiler (hatch_build.py). Elsewhere, and where the
compiled one is not that of this source, `slow_keeper` does what Python can do.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from arena.linux.process_tree import below, read_file

__all__ = ["compiled_keeper", "dismiss", "go_on", "kept", "rest", "started_by"]

_SOURCE = Path(__file__).with_name("keeper.c")
_SLOW = Path(__file__).with_name("slow_keeper.py")


@cache
def compiled_keeper() -> Path | None:
    """Return the compiled keeper, or None where this installation has none.

    Its name holds a digest of the source, so one that an older source has left is not taken.
    """
    digest = hashlib.sha256(_SOURCE.read_bytes()).hexdigest()
    program = _SOURCE.with_name(f"keeper-{digest[:16]}")
    return program if os.access(program, os.X_OK) else None


def kept(argv: Sequence[str], *, own_processes: bool) -> tuple[str, ...]:
    """Return the command line that starts `argv` under a keeper, which ends when this process is gone.

    `own_processes`: whether it gets a process namespace of its own, where that is possible.
    """
    program = compiled_keeper()
    keeper = [sys.executable, "-I", "-S", "-B", str(_SLOW)] if program is None else [str(program)]
    return (*keeper, str(os.getpid()), "own" if own_processes else "plain", *argv)


def started_by(starter: int) -> int:
    """Return the process of the program that a keeper, or bubblewrap, has started; `starter` if it is gone.

    Both may have a second process of their own in between, which has their command line.
    """
    own = read_file(f"/proc/{starter}/cmdline")
    for member in below(starter):
        if read_file(f"/proc/{member.pid}/cmdline") not in (own, b""):
            return member.pid
    return starter


def rest(keeper: int) -> None:
    """Have a keeper stop all that it keeps. It begins at once, and nobody waits for it.

    The keeper does it, because a look at each process takes it a tenth of the time that it takes the arena.
    """
    _signal(keeper, signal.SIGUSR1)


def go_on(keeper: int) -> None:
    """Have a keeper let all go on that it keeps. This always follows a `rest` that was asked for before."""
    # Of two signals that wait, the kernel delivers the one with the lower number first.
    _signal(keeper, signal.SIGUSR2)


def dismiss(keeper: int) -> None:
    """Tell a keeper, which must not have been waited for, to end all that it keeps and then itself."""
    # A bot with the arena's rights may have stopped it.
    for number in (signal.SIGTERM, signal.SIGCONT):
        _signal(keeper, number)


def _signal(keeper: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.kill(keeper, number)
