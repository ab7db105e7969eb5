"""Adopts orphans and ends trees of processes, without trio, so that a supervisor can use it. Linux only.

A subreaper becomes the parent of every descendant whose own parent has ended, so nothing leaves its tree.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Iterable

from arena.linux.process_tree import children, signal_member, stop_all, tree

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_PR_GET_CHILD_SUBREAPER = 37
_POLL_SECONDS = 0.002


def set_subreaper(wanted: bool) -> None:
    """From now on, let orphaned descendants become children of this process, or of init again."""
    _prctl(_PR_SET_CHILD_SUBREAPER, int(wanted))


def is_subreaper() -> bool:
    """Return whether this process adopts orphans."""
    flag = ctypes.c_int(0)
    _prctl(_PR_GET_CHILD_SUBREAPER, ctypes.addressof(flag))
    return bool(flag.value)


def die_with_parent(number: signal.Signals) -> None:
    """Have the kernel send this process a signal when the thread that started it is gone."""
    _prctl(_PR_SET_PDEATHSIG, int(number))


def kill_trees(roots: Iterable[int]) -> None:
    """Kill these processes and all below them, as far as one look finds them. Does not wait.

    Everything is stopped first, because a stopped process starts no other and answers no death.
    """
    roots = list(roots)
    stop_all(lambda: [member for root in roots for member in tree(root)])
    for root in roots:
        for member in tree(root):
            signal_member(member, signal.SIGKILL)


def kill_children(patience: float = 5.0) -> bool:
    """Kill and reap everything below this process, which must be a subreaper to find all. Say if it is done.

    It waits at most `patience` seconds for the kernel to end them.
    """
    deadline = time.monotonic() + patience
    # A list of children is old when it is read: who has ended may have left one more. The kernel knows.
    while not _is_childless():
        if time.monotonic() > deadline:
            return False
        kill_trees([pid for pid in children() if not reap(pid)])
        time.sleep(_POLL_SECONDS)
    return True


def _is_childless() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return True
    return False


def reap(pid: int) -> bool:
    """Return whether this child had ended. If it had, it has been waited for."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    # Somebody else has waited for it.
    except ChildProcessError:
        return True


def _prctl(option: int, value: int) -> None:
    # Pointers are as long as unsigned longs wherever Linux runs.
    with contextlib.suppress(OSError, AttributeError):
        words = map(ctypes.c_ulong, (value, 0, 0, 0))
        ctypes.CDLL(None, use_errno=True).prctl(option, *words)
