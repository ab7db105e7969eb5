"""What bots of an earlier run left running, found by a mark in its environment and ended. Linux only.

Every bot gets the mark of its league. It is needed only where coordinator and referees were all lost
at once and there was no sandbox: whatever else happens, one of them ends what bots leave. A program
that wipes its own environment is not found. To be used only by who holds the lock of the league.
"""

from __future__ import annotations

import hashlib
import os
import signal
import time
from pathlib import Path

from arena.linux.process_tree import signal_member, tree

__all__ = ["MARK", "end_leftovers", "mark_of"]

MARK = "PAPAYOO_ARENA"
"""The environment variable."""
_PATIENCE_SECONDS = 5.0
_POLL_SECONDS = 0.01


def mark_of(arena_folder: Path) -> str:
    """The value of the mark: which league on this machine, without telling its bots where it is."""
    return hashlib.sha256(os.fsencode(arena_folder.resolve())).hexdigest()[:16]


def end_leftovers(mark: str) -> int:
    """Kill every process with this mark, and all below it; how many there were.

    Returns when they are gone, or after some seconds if the kernel or they take longer.
    """
    wanted = f"{MARK}={mark}".encode()
    killed: set[tuple[int, int]] = set()
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while (found := _marked(wanted)) and time.monotonic() < deadline:
        for pid in found:
            killed |= _kill_tree(pid, wanted)
        time.sleep(_POLL_SECONDS)
    return len(killed)


def _marked(wanted: bytes) -> list[int]:
    names = [entry.name for entry in os.scandir("/proc")]
    pids = [int(name) for name in names if name.isdecimal() and int(name) != os.getpid()]
    return [pid for pid in pids if _has(pid, wanted)]


def _has(pid: int, wanted: bytes) -> bool:
    """Whether the process was started with this; False for a zombie, and where we may not look."""
    try:
        return wanted in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


def _kill_tree(pid: int, wanted: bytes) -> set[tuple[int, int]]:
    members = tree(pid)
    if not _has(pid, wanted):  # its number is a stranger's by now
        return set()
    return {member.key for member in members if signal_member(member, signal.SIGKILL)}
