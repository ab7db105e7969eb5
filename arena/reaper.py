"""Leaving nothing behind: a referee adopts what its bots leave running, and ends it. Linux only.

Ends only processes that descend from the calling one.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
from pathlib import Path

__all__ = ["become_subreaper", "children", "kill_children"]

_PR_SET_CHILD_SUBREAPER = 36


def become_subreaper() -> None:
    """From now on orphans among the descendants become children of this process, not of init."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children() -> list[int]:
    """The ids of the processes directly below this one."""
    found: list[int] = []
    for task in Path("/proc/self/task").glob("*/children"):
        with contextlib.suppress(OSError):
            found += [int(pid) for pid in task.read_text(encoding="ascii").split()]
    return found


def kill_children(rounds: int = 20) -> int:
    """Kill everything below this process, generation by generation; how many were killed."""
    killed = 0
    for _ in range(rounds):
        pids = children()
        if not pids:
            break
        for pid in pids:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
                killed += 1
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
    return killed
