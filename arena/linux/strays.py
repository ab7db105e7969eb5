"""Leaves nothing behind where a keeper was lost: a referee adopts what it kept, and ends it. Linux only.

A coordinator does the same with what a lost referee leaves. Only processes that descend from the calling
one are ended. A stray is a child that nobody here started: its parent, a keeper or a referee, has ended.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from typing import Final

import trio

from arena.linux.process_tree import children
from arena.linux.reaper import is_subreaper, kill_trees, reap, set_subreaper

__all__ = ["adopting_orphans", "become_subreaper", "end_strays", "kill_strays", "mine", "not_mine"]

_POLL_SECONDS: Final = 0.005
_POLLS: Final = 2000
"""The most looks for strays, which is ten seconds. It is long because nobody looks for them again."""

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
    set_subreaper(True)


def kill_strays() -> int:
    """Kill and reap what a lost keeper or referee left. Return how many strays live and are being killed.

    It does nothing unless this process is a subreaper; only a subreaper has such children. What is in the
    session of a child that was started here is spared: `adopting_orphans` needs that.
    """
    if not is_subreaper():
        return 0
    # Those that have ended are reaped, for nobody else will wait for them.
    strays = [pid for pid in children() if pid not in _started and not reap(pid) and not _is_ours(pid)]
    kill_trees(strays)
    return len(strays)


async def end_strays() -> None:
    """Kill strays until there are none, or for ten seconds if the kernel takes so long."""
    for _ in range(_POLLS):
        if not kill_strays():
            return
        await trio.sleep(_POLL_SECONDS)


@contextlib.contextmanager
def adopting_orphans() -> Iterator[None]:
    """While the context lasts, make what a lost referee leaves behind strays of this process, a coordinator.

    It spares the children that this process has already, and all in its own session, in which no bot is.
    """
    spared = {*children(), os.getsid(0)} - _started
    was_subreaper = is_subreaper()
    _started.update(spared)
    become_subreaper()
    try:
        yield
    finally:
        deadline = time.monotonic() + _POLLS * _POLL_SECONDS
        while kill_strays() and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)
        _started.difference_update(spared)
        set_subreaper(was_subreaper)


def _is_ours(pid: int) -> bool:
    try:
        return os.getsid(pid) in _started
    # It has ended since.
    except OSError:
        return True
