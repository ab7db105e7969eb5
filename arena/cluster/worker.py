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
from dataclasses import dataclass
from tempfile import TemporaryFile
from threading import RLock, Thread, Timer
from typing import IO, Final

from arena.bot.snapshot import Snapshot
from arena.cluster.bundles import MOST_BYTES, unpack
from arena.cluster.hiding import to_hide
from arena.cluster.host_client import HostClient
from arena.cluster.host_folder import HostFolder, Lock
from arena.errors import BotFolderError
from arena.linux.leftovers import end_leftovers

__all__ = ["IDLE_SECONDS", "Played", "begin", "leave", "missing", "play", "stop", "take", "take_over"]

_STOP = b"Stop {}\n"
"""The line of a Stop, as `arena.referee.jobs` writes it."""
IDLE_SECONDS = 60.0
"""A host process that has nothing to do for so long is ended. The next task starts it again."""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of some sessions: the lines of the host process.

    `left`: how many sessions are not done. `ended`: how the process ended, if it did so before all of them
    were done, else "". `unready`: whether there was no process to play them, so that no match is the cause.
    """

    lines: list[bytes]
    left: int = 0
    ended: str = ""
    unready: bool = False


class Worker:
    """The one slot of this process, for any thread."""

    def __init__(self) -> None:
        self._folder = HostFolder.here()
        self._lock = RLock()
        self._place = -1
        self._place_lock: Lock | None = None
        self._run = ""
        """The run that it plays for. Set beside what a task is doing, so without the lock."""
        self._order = b""
        self._told: list[bytes] = []
        self._left = 0
        self._process: HostClient | None = None
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
        if order != self._order:
            self._close()
        with self._busy():
            self._run = _run_of(order)
            if order != self._order or not self._alive:
                self._order = order
                self._start()
            return list(self._told)

    def play(self, run: str, lines: list[bytes], seconds: float) -> Played:
        """See the function `play`."""
        with self._busy():
            if run != self._run:
                why = "its worker does not play for this run, or was started anew"
                return Played([], ended=why, unready=True)
            # What it was playing is lost with it, so only then may another one begin.
            if not self._alive and not self._left:
                self._start()
            process = self._process
            if process is None or not self._told[-1].startswith(b"Ready "):
                why = f"its process did not become ready again: {_text_of(self._told[-1])}"
                return Played([], ended=why, unready=True)
            self._left += len(lines)
            process.send(lines)
            return self._heard(process, time.monotonic() + seconds)

    def _heard(self, process: HostClient, until: float) -> Played:
        """Return the lines that come until all sessions are done or the time is over."""
        found: list[bytes] = []
        while self._left:
            line = process.line(until)
            if line is None:
                break
            if not line:
                self._left = 0
                return Played(found, ended=process.close())
            found.append(line)
            self._left -= line.startswith(b"SessionDone ")
        return Played(found, self._left)

    # Beside what a task is doing, on the thread that serves this worker's connections: nothing here waits

    def take_over(self, run: str) -> str:
        """See the function `take_over`."""
        now = self._run
        if self._alive and now and _league_of(now) != _league_of(run):
            return "it plays for another league; it is free when that run ends, or has not used it for long"
        # What a bridge that was lost has left in hand is played again elsewhere, and heard by nobody.
        if now != run or self._left:
            process, self._process, self._left = self._process, None, 0
            if process is not None:
                Thread(target=process.close, daemon=True).start()
        return ""

    def stop(self, run: str) -> None:
        """See the function `stop`."""
        if run == self._run and (process := self._process) is not None:
            Thread(target=process.send, args=([_STOP],), daemon=True).start()

    def leave(self, run: str) -> None:
        """See the function `leave`."""
        if run == self._run:
            self._run = ""
            Thread(target=self._close, daemon=True).start()

    # The process

    @property
    def _alive(self) -> bool:
        return self._process is not None and self._process.alive

    def _close(self) -> None:
        """End the process. It need not wait for the lock: whoever reads its lines sees them end."""
        if (process := self._process) is not None:
            process.close()

    def _start(self) -> None:
        """Start the process for the order, and read what it says until it is ready or is not."""
        self._close()
        self._told, self._process, self._left = [], None, 0
        try:
            self._claim_place()
            mark = self._folder.mark_of_place(self._place)
        except OSError:
            # The process finds the same, and can say so in lines.
            mark = ""
        try:
            hide = [f"--hide={path}" for path in to_hide()]
            self._process = HostClient(mark, [f"--place={self._place}", *hide])
        except OSError as error:
            self._told.append(_unready(f"no process can be started: {error.strerror}"))
            return
        if not self._run:  # it has left meanwhile
            self._process.close()
        self._process.send([self._order])
        while not self._told or not self._told[-1].startswith((b"Ready ", b"Unready ")):
            if not (line := self._process.line()):
                line = _unready(self._process.close())
            self._told.append(line)
        if self._told[-1].startswith(b"Unready "):
            self._process.close()

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
                self._close()


def _run_of(order: bytes) -> str:
    """Return the name of the run that an Order is of, "" for none."""
    try:
        return str(json.loads(order.partition(b" ")[2])["run"])
    except (ValueError, KeyError, TypeError):
        return ""


def _league_of(run: str) -> str:
    """Return the part of a run's name that all runs of its league have in common."""
    return run.rpartition("-")[0]


def _unready(text: str) -> bytes:
    from arena.cluster.orders import ORDER_LINES, Unready, Why

    return ORDER_LINES.write(Unready(Why.PROCESS, text))


def _text_of(unready: bytes) -> str:
    """Return what is said in the line of an Unready."""
    return str(json.loads(unready.removeprefix(b"Unready "))["text"])


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
    the process lives, the same Order returns the same lines. Another Order ends the process before.
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
