"""Shares work of many equal parts among the cores: forked processes that know all that this one knows.

A fork costs a few milliseconds, while a process of its own would have to read the league again. It is done
only where nothing else goes on in this process. It knows no page.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final, Generic, Protocol, TypeVar

from arena.linux.reaper import die_with_parent

MOST_HELPERS: Final = 7
LEAST: Final = 32
"""The fewest parts that are worth a helper."""
_MOST_BATCHES: Final = 256
"""A batch is one byte in a pipe."""
_IDLE: Final = ("Trio thread ",)
"""The beginning of the names of threads that wait for work, which nobody gives them now."""

Part = TypeVar("Part")
Note = TypeVar("Note")


class Ledger(Protocol[Note]):
    """What keeps account of the work, in each process its own."""

    def noted(self) -> Note:
        """Return the account so far. It must be picklable."""

    def add(self, other: Note, since: Note) -> None:
        """Take the account of another process into this one. `since`: what both had in common."""


def shared(
    parts: Sequence[Part],
    work: Callable[[Sequence[Part]], None],
    ledger: Ledger[Note],
    meanwhile: Callable[[], None] = lambda: None,
) -> None:
    """Do `work` for all the parts, in batches: whoever is free takes the next one.

    `meanwhile` is done here, before the first batch that is. Only the account of a helper comes back, not
    what it changes in its memory. What it failed at is done again here, so that an error is raised here.
    """
    size = max(1, -(-len(parts) // _MOST_BATCHES), min(LEAST // 4, len(parts)))
    batches = [parts[first : first + size] for first in range(0, len(parts), size)]
    taking = _Taking(len(batches))
    before = ledger.noted()

    def take() -> list[int]:
        done = []
        while (number := taking.next()) is not None:
            work(batches[number])
            done.append(number)
        return done

    helpers: list[_Helper[Note]] = []
    alone = _alone()
    if alone:
        # A collection would look at all that is there already, and copy what the processes share. In a helper
        # it might also close what only its parent may close, such as a connection to a database.
        gc.freeze()
    try:
        with suppress(OSError):  # no more processes can be started: there are fewer then
            helpers.extend(_Helper(take, ledger) for _ in range(_helpers(len(parts)) if alone else 0))
        meanwhile()
        done = set(take())
        for helper in helpers:
            done.update(helper.finish(before))
    finally:
        taking.close()
        for helper in helpers:
            helper.end()
        if alone:
            gc.unfreeze()
    for number in sorted(set(range(len(batches))) - done):
        work(batches[number])


def _alone() -> bool:
    """Return whether no other thread of this process is at work. Only then may it fork."""
    own = threading.current_thread()
    at_work = [one for one in threading.enumerate() if one is not own and not one.name.startswith(_IDLE)]
    return not at_work and own is threading.main_thread()


def _helpers(parts: int) -> int:
    """Return how many helpers that many parts are worth."""
    return min(len(os.sched_getaffinity(0)) - 1, parts // LEAST, MOST_HELPERS)


class _Taking:
    """The numbers of the batches, each given once to one of several processes."""

    def __init__(self, batches: int) -> None:
        self._from, to = os.pipe()
        os.write(to, bytes(range(batches)))
        os.close(to)

    def next(self) -> int | None:
        """Return the number of a batch that nobody has; None if there is none."""
        byte = os.read(self._from, 1)
        return byte[0] if byte else None

    def close(self) -> None:
        os.close(self._from)


class _Helper(Generic[Note]):
    """A process that takes batches as long as there are any."""

    def __init__(self, take: Callable[[], list[int]], ledger: Ledger[Note]) -> None:
        self._take, self._ledger = take, ledger
        self._ours, theirs = multiprocessing.Pipe(duplex=False)
        fork = multiprocessing.get_context("fork")
        self._process = fork.Process(target=self._do, args=(theirs, os.getpid()), daemon=True)
        self._process.start()
        theirs.close()

    def finish(self, before: Note) -> list[int]:
        """Wait for its account, and return the numbers of the batches that it has done: none if it failed."""
        try:
            done, noted = pickle.loads(self._ours.recv_bytes())  # noqa: S301 - of our own fork
        except (EOFError, OSError):
            return []
        self._ledger.add(noted, before)
        return list(done)

    def end(self) -> None:
        """End it, whatever it is doing."""
        self._process.kill()
        self._process.join()
        self._process.close()
        self._ours.close()

    def _do(self, account: Connection, parent: int) -> None:
        """Work as the helper, and say nothing of what fails: it is done again by who has a voice."""
        die_with_parent(signal.SIGKILL)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_DFL)
        if os.getppid() == parent:
            with suppress(Exception):
                done = self._take()
                account.send_bytes(pickle.dumps((done, self._ledger.noted())))
