"""Ends a bot with everything that it has started: one way, in a sandbox and out of it. Linux only.

A bot and all that it starts are a family. Bubblewrap starts it in a process namespace: for a sandbox anyway,
and elsewhere as nothing but that (`namespace`). It is killed with the process that started it. With the
first process of the namespace the kernel ends all others, however fast they breed. Where bubblewrap makes no
namespace, a process of Python stands there instead (`supervisor`).

Either way `Family.end` returns when nothing is left. For that the caller adopts orphans, which are children
that it has not started itself: bubblewrap tells how a bot has ended a moment before the namespace is gone.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from typing import Final

import trio

from arena.linux.namespace import heads_namespace
from arena.linux.process_tree import children
from arena.linux.reaper import is_subreaper, kill_trees, reap, set_subreaper

_KILL_SECONDS: Final = 5.0
"""The longest wait for a supervisor to end its family. Then it is killed, and what is left are orphans."""
_SIGNALLED: Final = 128
"""The number that bubblewrap adds to that of the signal that has ended the bot, for its own exit code."""
_POLL_SECONDS: Final = 0.005
_POLLS: Final = 2000
"""The most looks for orphans, which is ten seconds. It is long because nobody looks for them again."""

_started: set[int] = set()
"""The children that code in this process started and will wait for. Global, because children are."""


class Family:
    """A family by its first process, `popen`, which must lead a session and be started by the main thread.

    `namespace`: whether bubblewrap has started it. The first process is waited for (reaped) only at the end
    of `end`. Until then the kernel gives its number to no other process, so that no stranger is ever killed,
    and its processor time can still be read.
    """

    def __init__(self, popen: subprocess.Popen[bytes], *, namespace: bool) -> None:
        self.pid = popen.pid
        self._popen = popen
        self._namespace = namespace
        try:
            self._pidfd = os.pidfd_open(popen.pid)
        except OSError:  # nobody will look after it
            kill_trees([popen.pid])
            popen.wait()
            raise
        mine(popen.pid)

    def status(self) -> int | None:
        """Return the exit code, or minus the signal's number, or None while it runs. Does not reap it."""
        if self._popen.returncode is not None:
            return self._popen.returncode
        found = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is None:
            return None
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status

    def signal_in(self, status: int) -> int | None:
        """Return the signal that has ended the program with this status, or None if it ended by itself."""
        if status < 0:
            return -status
        told = status - _SIGNALLED if self._namespace else 0
        return told if 0 < told <= signal.SIGRTMAX else None

    async def wait(self, patience: float = math.inf) -> int | None:
        """Wait so many seconds for the end of the program, and return its status, or None if it runs on."""
        if self.status() is None:
            # A descriptor of its own, because only one task may wait for each.
            pidfd = os.dup(self._pidfd)
            try:
                with trio.move_on_after(patience):
                    await trio.lowlevel.wait_readable(pidfd)
            finally:
                os.close(pidfd)
        return self.status()

    async def wait_until_gone(self) -> None:
        """Wait until the program has ended, whenever that is, and nothing that it started is left."""
        await self.wait()
        await end_orphans()

    def kill(self) -> None:
        """Have the family killed at once."""
        if self._popen.returncode is not None:
            return
        # A supervisor may have been stopped by a bot with the arena's rights.
        for number in (signal.SIGKILL,) if self._namespace else (signal.SIGTERM, signal.SIGCONT):
            os.kill(self.pid, number)

    async def end(self) -> None:
        """Kill all of the family that is left, and return when it is gone. A second call does nothing."""
        if self._popen.returncode is not None:
            return
        # Shielded: also when the run is cancelled, nothing that a bot has started may be left behind.
        with trio.CancelScope(shield=True):
            self.kill()
            if await self.wait(_KILL_SECONDS) is None:
                self._popen.kill()
                await self.wait(_KILL_SECONDS)
            self._popen.poll()
            not_mine(self.pid)
            os.close(self._pidfd)
            await end_orphans()


# Orphans


def mine(pid: int) -> None:
    """Note that this process started a child and will wait for it: neither it nor its session is orphaned."""
    _started.add(pid)


def not_mine(pid: int) -> None:
    """Note that a child has been waited for: what is left of its session is orphaned now."""
    _started.discard(pid)


def become_subreaper() -> None:
    """From now on, make orphaned descendants children of this process instead of init's.

    Only for a process whose children are families or made known by `mine`: `kill_orphans` ends all others.
    """
    set_subreaper(True)


def kill_orphans() -> int:
    """Kill and reap what a lost family or referee left. Return how many were found, 0 when nothing is left.

    It does nothing unless this process is a subreaper; only a subreaper has such children. What is in the
    session of a child that was started here is spared: `adopting_orphans` needs that.
    """
    if not is_subreaper():
        return 0
    found = [pid for pid in children() if pid not in _started]
    # Those that have ended are reaped, for nobody else will wait for them. They count: they may have left
    # others a moment after the children were read.
    ended = {pid for pid in found if reap(pid)}
    orphans = [pid for pid in found if pid not in ended and not _is_ours(pid)]
    # With the first process of a namespace the kernel ends all others, and nobody has to look for them.
    heads = [pid for pid in orphans if heads_namespace(pid)]
    for pid in heads:
        os.kill(pid, signal.SIGKILL)
    kill_trees(pid for pid in orphans if pid not in heads)
    return len(orphans) + len(ended)


async def end_orphans() -> None:
    """Kill orphans until there are none, or for ten seconds if the kernel takes so long."""
    for _ in range(_POLLS):
        if not kill_orphans():
            return
        await trio.sleep(_POLL_SECONDS)


@contextlib.contextmanager
def adopting_orphans() -> Iterator[None]:
    """While the context lasts, adopt what a lost referee leaves behind, as a coordinator does, and end it.

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
        while kill_orphans() and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)
        _started.difference_update(spared)
        set_subreaper(was_subreaper)


def _is_ours(pid: int) -> bool:
    try:
        return os.getsid(pid) in _started
    # It has ended since.
    except OSError:
        return True
