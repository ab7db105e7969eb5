"""Leaving nothing behind: a referee adopts what its bots leave running, and ends it; a coordinator
what a lost referee leaves. Linux only.

Ends only processes that descend from the calling one. A bot may leave a process outside its group
(setsid) whose parent has ended; a subreaper becomes the parent of such a stray and finds it among
its children, as one that nobody here started.
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
"""Descriptors that `hold_descendants` opens at most."""

_started: set[int] = set()
"""The children that somebody in this process started and will wait for; as global as children are."""


def mine(pid: int) -> None:
    """A child was started by this process and will be waited for: it is no stray, nor is its session."""
    _started.add(pid)


def not_mine(pid: int) -> None:
    """That child has been waited for: what is left of its session is stray now."""
    _started.discard(pid)


def become_subreaper() -> None:
    """From now on orphans among the descendants become children of this process, not of init.

    For a process whose children are bots, or are made known by `mine`: `kill_strays` ends others.
    """
    _set_subreaper(True)


def _set_subreaper(wanted: bool) -> None:
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, int(wanted), 0, 0, 0)


def hold_descendants(pid: int) -> list[int]:
    """A pidfd of every process below `pid`, so that they can be killed when they hang there no longer.

    The caller passes them to `kill_held`. At most MOST_HELD, the oldest: a bot that breeds without end
    must not use up our descriptors; in a referee the others become strays.
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
    """Kill what `hold_descendants` gave, and nobody who got the same number since; closes the pidfds."""
    for pidfd in held:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
        os.close(pidfd)


def kill_strays() -> int:
    """Kill and reap what bots left behind; how many strays still live, being killed.

    A stray is a child that nobody here started and that is in no session of a started one: an orphan
    that is still in its bot's session may be a helper of it, and goes when the bot does. Does
    nothing unless this process is a subreaper, for then it has no such children.
    """
    if not _is_subreaper():
        return 0
    living = 0
    for pid in children():
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
    """For a coordinator: while this lasts, what a lost referee leaves behind becomes a stray of ours.

    Spares the children that this process has already, and all in its own session, in which no bot is.
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
    """Kill everything below this process, generation by generation; how many were killed.

    Waits at most `patience` seconds for the kernel to end them.
    """
    killed: set[int] = set()
    deadline = time.monotonic() + patience
    while (pids := [pid for pid in children() if not _reap(pid)]) and time.monotonic() < deadline:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
                killed.add(pid)
        time.sleep(_POLL_SECONDS)
    return len(killed)


def _reap(pid: int) -> bool:
    """Whether this child had ended; if so it is waited for."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True


def _is_subreaper() -> bool:
    flag = ctypes.c_int(0)
    try:
        ctypes.CDLL(None, use_errno=True).prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(flag), 0, 0, 0)
    except (OSError, AttributeError):
        return False
    return bool(flag.value)
