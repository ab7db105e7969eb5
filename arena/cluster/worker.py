"""What the engine (Dask) calls on a worker: plain data in and out, for one host process. Decides nothing.

A worker is one slot. Its host process (`arena.cluster.host`) makes the bots ready and plays; here lines are
only carried. What can be expected to go wrong is in the results, and not raised.

This module is imported by the bridge too, which names its functions, so it imports no event loop and no
database, and never the engine.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile
from threading import RLock, Thread, Timer
from typing import IO, Final

from arena.bot.snapshot import Snapshot
from arena.cluster.bundles import MOST_BYTES, unpack
from arena.cluster.hiding import to_hide
from arena.cluster.host_client import HostClient
from arena.cluster.host_folder import HostFolder, Lock
from arena.cluster.host_referee import HostReferee, Played, unready
from arena.errors import BotFolderError
from arena.linux.leftovers import end_leftovers

__all__ = ["IDLE_SECONDS", "begin", "leave", "missing", "play", "stop", "take", "take_over"]

_STOP = b"Stop {}\n"
"""The line of a Stop, as `arena.referee.jobs` writes it."""
IDLE_SECONDS = 60.0
"""A host process that has nothing to do for so long is ended. The next task starts it again."""


class Worker:
    """The one slot of this process, for any thread."""

    def __init__(self) -> None:
        self._folder = HostFolder.here()
        self._lock = RLock()
        self._place = -1
        self._place_lock: Lock | None = None
        self._run = ""
        """The run that it plays for. Set beside what a task is doing, so without the lock."""
        self._referee = HostReferee()
        """The latest one. Only a task replaces it, with the lock; it is ended without the lock."""
        self._stopped = False
        """Whether the run has told it to stop."""
        self._order = b""
        self._idle: Timer | None = None
        self._arriving: dict[str, IO[bytes]] = {}
        """What has come of bundles, by digest."""

    # Bundles

    def missing(self, digests: list[str]) -> list[str]:
        """See the function `missing`."""
        folders = {digest: self._folder.bundle(digest) for digest in digests}
        found = {digest for digest, folder in folders.items() if folder.is_dir()}
        # They must still be here when the order comes.
        self._folder.note_use(folders[digest] for digest in found)
        return [digest for digest in digests if digest not in found]

    def take(self, digest: str, place: int, data: bytes, last: bool) -> str:
        """See the function `take`."""
        with self._lock:
            try:
                snapshot = Snapshot(digest, self._folder.bundle(digest))
                self._folder.make()
                return self._take(snapshot, place, data, last)
            except OSError as error:
                self._drop(digest)
                return self._folder.no_room(error)
            except (BotFolderError, ValueError) as error:
                self._drop(digest)
                return str(error)

    def _take(self, snapshot: Snapshot, place: int, data: bytes, last: bool) -> str:
        digest = snapshot.digest
        if place == 0:
            self._drop(digest)
            # It has no name, so that nothing is left of it whatever becomes of this process.
            self._arriving[digest] = TemporaryFile(dir=self._folder.path)  # noqa: SIM115
        bundle = self._arriving.get(digest)
        if bundle is None or bundle.seek(0, os.SEEK_END) < place:
            raise ValueError(f"a piece of the bundle {digest} is missing before byte {place}")
        if place + len(data) > MOST_BYTES:
            raise ValueError(f"the bundle {digest} is too long")
        bundle.seek(place)
        bundle.truncate()
        bundle.write(data)
        if last:
            bundle.flush()
            with self._folder.lock("bundles").held():
                self._folder.remove_remains()
                if not snapshot.path.is_dir():
                    unpack(bundle, snapshot)
            self._drop(digest)
        return ""

    def _drop(self, digest: str) -> None:
        """Forget what has come of a bundle."""
        if (bundle := self._arriving.pop(digest, None)) is not None:
            with suppress(OSError):  # what is buffered cannot be written
                bundle.close()

    # Sessions

    def begin(self, order: bytes) -> list[bytes]:
        """See the function `begin`."""
        run = _run_of(order)
        # Another league may have begun to play here since this run has asked.
        if busy := self.take_over(run):
            return [unready("BUSY", busy)]
        with self._busy():
            self._stopped = False
            referee = self._referee
            # What it holds was given by somebody who does not wait for it any more.
            if order != self._order or not referee.alive or referee.left:
                self._order = order
                referee = self._start()
            return list(referee.told)

    def play(self, run: str, lines: list[bytes], seconds: float) -> Played:
        """See the function `play`."""
        with self._busy():
            if run != self._run:
                why = "its worker does not play for this run, or was started anew"
                return Played([], ended=why, unready=True)
            referee = self._referee
            # What it was playing is lost with it, so only then may another one begin.
            if not (referee.alive or referee.left or self._stopped):
                referee = self._start()
            # It may have been told so while it was being started: then nobody else knows of it.
            if self._stopped and not referee.left:
                return Played([], ended="it was told to stop before it began")
            if not referee.ready:
                why = f"its process did not become ready again: {referee.why_not}"
                return Played([], ended=why, unready=True)
            referee.left += len(lines)
            referee.send(lines)
            return referee.hear(time.monotonic() + seconds)

    # Beside what a task is doing, on the thread that serves this worker's connections: nothing here waits

    def take_over(self, run: str) -> str:
        """See the function `take_over`."""
        now = self._run
        if now == run:
            return ""
        if self._referee.alive and now and _league_of(now) != _league_of(run):
            return "it plays for another league; it is free when that run ends, or has not used it for long"
        # First the run, by which one that is just being started knows that it is not wanted.
        self._run = run
        self._referee.end()
        return ""

    def stop(self, run: str) -> None:
        """See the function `stop`."""
        if run == self._run:
            # First the note, which is read after one that is just being started has become ready.
            self._stopped = True
            if (referee := self._referee).ready:
                Thread(target=referee.send, args=([_STOP],), daemon=True).start()

    def leave(self, run: str) -> None:
        """See the function `leave`."""
        if run == self._run:
            self._run = ""
            self._referee.end()

    # The process

    def _start(self) -> HostReferee:
        """Start the process for the order, and read what it says until it is ready or is not."""
        self._referee.close()
        try:
            self._claim_place()
            mark = self._folder.mark_of_place(self._place)
        except OSError:
            # The process finds the same, and can say so in lines.
            mark = ""
        try:
            hide = [f"--hide={path}" for path in to_hide()]
            referee = HostReferee(HostClient(mark, hide))
        except OSError as error:
            self._referee = referee = HostReferee()
            referee.told.append(unready("PROCESS", f"no process can be started: {error.strerror}"))
            return referee
        self._referee = referee
        if self._run != _run_of(self._order):  # it has left, or was taken over, meanwhile
            referee.close()
        referee.make_ready(self._order)
        return referee

    def _claim_place(self) -> None:
        """Claim a place on this host for as long as this worker lives, and end what another has left there.

        Raises OSError.
        """
        if self._place_lock is None:
            self._place, self._place_lock = self._folder.claim_place()
            end_leftovers(self._folder.mark_of_place(self._place))

    # Being idle

    @contextmanager
    def _busy(self) -> Iterator[None]:
        with self._lock:
            if self._idle is not None:
                self._idle.cancel()
            try:
                yield
            finally:
                self._idle = timer = Timer(IDLE_SECONDS, self._rest)
                timer.args = [timer]
                timer.daemon = True
                timer.start()

    def _rest(self, timer: Timer) -> None:
        """End the process, unless somebody was quicker than the timer."""
        with self._lock:
            if timer is self._idle:
                self._referee.close()


def _run_of(order: bytes) -> str:
    """Return the name of the run that an Order is of, "" for none."""
    try:
        return str(json.loads(order.partition(b" ")[2])["run"])
    except (ValueError, KeyError, TypeError):
        return ""


def _league_of(run: str) -> str:
    """Return the part of a run's name that all runs of its league have in common."""
    return run.rpartition("-")[0]


_worker: Final = Worker()
"""The slot of this process."""


def missing(digests: list[str]) -> list[str]:
    """Return the bundles among these that this host lacks."""
    return _worker.missing(digests)


def take(digest: str, place: int, data: bytes, last: bool) -> str:
    """Append a piece of a bundle at this place; after the last one, check it and put it where it belongs.

    Returns "", or in words why it cannot be kept.
    """
    return _worker.take(digest, place, data, last)


def begin(order: bytes) -> list[bytes]:
    """Start the host process with this line of an Order, and return what it says until it is ready or is not.

    The last line is Ready or Unready, and Facts stands before it, unless the process has failed. As long as
    the process lives and holds no session, the same Order returns the same lines. Otherwise it is ended
    before, unless it plays for another league.
    """
    return _worker.begin(order)


def play(run: str, lines: list[bytes], seconds: float = math.inf) -> Played:
    """Have these lines of SessionJob played, and return the lines that come.

    It returns when all sessions that were ever given are done, and after so many seconds; then it is called
    again for the rest, with more sessions or with none. If the process has ended before, without a session
    in hand, it is started again with the same Order. `run`: the Order's.
    """
    return _worker.play(run, lines, seconds)


def take_over(run: str) -> str:
    """Free this worker for a run, beside what it is doing. Return "", or why it is not free.

    Only one run of a league can live: what an earlier one has left here is ended. Another league's is not.
    """
    return _worker.take_over(run)


def stop(run: str) -> None:
    """Have the match that is being played for this run finished, and no other begun. `play` returns then."""
    _worker.stop(run)


def leave(run: str) -> None:
    """End the host process of this run, beside what it is doing and without waiting for its end.

    Another run's is left alone.
    """
    _worker.leave(run)
