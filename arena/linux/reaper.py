"""Leaves nothing behind: a referee adopts what its bots leave running, and ends it. Linux only.

A coordinator does the same with what a lost referee leaves. Only processes that descend from the calling
one are ended. A bot may leave a process outside its group (setsid) whose parent has ended. A subreaper
becomes the parent of such a stray, and finds it among its children as one that nobody here started.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Iterator

import trio

from arena.linux.process_tree import children

__all__ = [
    "MOST_HELD",
    "adopting_orphans",
    "become_subreaper",
    "end_strays",
    "hold_descendants",
    "kill_children",
    "kill_held",
    "kill_strays",
    "mine",
    "not_mine",
]

_PR_SET_CHILD_SUBREAPER = 36
_PR_GET_CHILD_SUBREAPER = 37
_POLL_SECONDS = 0.002
_STRAY_SECONDS = 0.005
_STRAY_POLLS = 400
MOST_HELD = 64
"""The most descriptors that `hold_descendants` opens."""

_started: set[int] = set()
"""The children that code in this process started and will wait for. Global, because children are."""


def mine(pid: int) -> None:
    """Note that this process started a child and will wait for it: neither it nor its session is stray."""
    _started.add(pid)


def not_mine(pid: int) -> None:
    """Note that a child has been waited for: what is left of its session is stray now."""
    _started.discard(pid)


def become_subreaper() -> None:
    """From now on, make orphaned descendants children of this process instead of init's.

    Only for a process whose children are bots or are made known by `mine`: `kill_strays` ends all others.
    """
    _set_subreaper(True)


def _set_subreaper(wanted: bool) -> None:
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, int(wanted), 0, 0, 0)


def hold_descendants(pid: int) -> list[int]:
    """Return a pidfd of every process below `pid`, so that they can be killed after they left the tree.

    The caller must pass them to `kill_held`. At most MOST_HELD are opened, for the oldest processes: a bot
    that breeds without end must not use up the arena's descriptors. In a referee the others become strays.
    """
    found = children(pid)
    for child in found:  # grows while it is walked
        found += children(child)
    held: list[int] = []
    for child in found[:MOST_HELD]:
        with contextlib.suppress(OSError):
            held.append(os.pidfd_open(child))
    return held


def kill_held(held: list[int]) -> None:
    """Kill what `hold_descendants` returned, and close the pidfds.

    A process that got the same number since is not killed.
    """
    for pidfd in held:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
        os.close(pidfd)


def kill_strays() -> int:
    """Kill and reap what bots left behind. Return how many strays still live and are being killed.

    A stray is a child that nobody here started and that is in no session of a started one. An orphan that is
    still in its bot's session may be a helper of the bot, and ends when the bot does. It does nothing unless
    this process is a subreaper; only a subreaper has such children.
    """
    if not _is_subreaper():
        return 0
    living = 0
    for pid in children():
        # Those that have ended are reaped, for nobody else will wait for them.
        if pid in _started or _reap(pid):
            continue
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if os.getsid(pid) not in _started:
                living += 1
                os.kill(pid, signal.SIGKILL)
    return living


async def end_strays() -> None:
    """Kill strays until there are none, or for two seconds if the kernel takes so long."""
    for _ in range(_STRAY_POLLS):
        if not kill_strays():
            return
        await trio.sleep(_STRAY_SECONDS)


@contextlib.contextmanager
def adopting_orphans() -> Iterator[None]:
    """While the context lasts, make what a lost referee leaves behind strays of this process, a coordinator.

    It spares the children that this process has already, and all in its own session, in which no bot is.
    """
    spared = {*children(), os.getsid(0)} - _started
    was_subreaper = _is_subreaper()
    _started.update(spared)
    become_subreaper()
    try:
        yield
    finally:
        deadline = time.monotonic() + _STRAY_POLLS * _STRAY_SECONDS
        while kill_strays() and time.monotonic() < deadline:
            time.sleep(_STRAY_SECONDS)
        _started.difference_update(spared)
        _set_subreaper(was_subreaper)


def kill_children(patience: float = 5.0) -> int:
    """Kill everything below this process, generation by generation. Return how many were killed.

    It waits at most `patience` seconds for the kernel to end them.
    """
    killed: set[int] = set()
    deadline = time.monotonic() + patience
    # Children of a killed child become children of this process when it is a subreaper, so it looks again.
    while (pids := [pid for pid in children() if not _reap(pid)]) and time.monotonic() < deadline:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
                killed.add(pid)
        time.sleep(_POLL_SECONDS)
    return len(killed)


def _reap(pid: int) -> bool:
    """Return whether this child had ended. If it had, it has been waited for."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    # Somebody else has waited for it.
    except ChildProcessError:
        return True


def _is_subreaper() -> bool:
    flag = ctypes.c_int(0)
    try:
        ctypes.CDLL(None, use_errno=True).prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(flag), 0, 0, 0)
    except (OSError, AttributeError):
        return False
    return bool(flag.value)
