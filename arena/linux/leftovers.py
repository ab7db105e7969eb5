"""Finds what bots of an earlier run left running, by a mark in its environment, and ends it. Linux only.

Every bot gets the mark of its league. It is needed only where coordinator and referees were all lost at once
and there are no process namespaces: elsewhere the kernel or one of them ends what bots leave. A program that
wipes its own environment is not found. Only the holder of the league's lock may use this module.
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
"""The name of the environment variable that holds the mark."""
_PATIENCE_SECONDS = 5.0
_POLL_SECONDS = 0.01


def mark_of(arena_folder: Path) -> str:
    """Return the value of the mark.

    It names a league on this machine without telling its bots where it is.
    """
    return hashlib.sha256(os.fsencode(arena_folder.resolve())).hexdigest()[:16]


def end_leftovers(mark: str) -> int:
    """Kill every process with this mark, and all below it. Return how many there were.

    It returns when they are gone, or after some seconds if the kernel or they take longer.
    """
    wanted = f"{MARK}={mark}".encode()
    killed: set[tuple[int, int]] = set()
    deadline = time.monotonic() + _PATIENCE_SECONDS
    # A killed process takes a moment to end and may have forked meanwhile, so look until nothing is found.
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
    """Return whether the process was started with this.

    False for a zombie, and where this user may not look.
    """
    try:
        return wanted in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


def _kill_tree(pid: int, wanted: bytes) -> set[tuple[int, int]]:
    members = tree(pid)
    # Checked again after the tree was read: the number may have gone to a stranger since the first look.
    if not _has(pid, wanted):
        return set()
    return {member.key for member in members if signal_member(member, signal.SIGKILL)}
