"""One worker of the cluster in the bridge: made ready, then given sessions until it is gone.

It is asked about once a second for what has come of them, and given more with the same question: so the
engine costs little, and little is lost with a worker. What is played again, and where, is decided by the
coordinator alone.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from arena.cluster import worker as on_worker
from arena.cluster.bridge_lines import BridgeMessage, Broke, Connect, Heard, Left, Refused, words
from arena.cluster.bundles import pieces
from arena.cluster.engine import CallFailedError, Engine, WorkerGoneError
from arena.cluster.host_referee import Played
from arena.cluster.orders import ORDER_LINES, Facts, Ready, Unready, Why
from arena.errors import BotFolderError
from arena.referee.session_time import smoothed

__all__ = ["Prepared", "Preparing", "Slot"]

_PIECE = 1 << 20
"""The bytes of results that are told together, unless one alone has more."""
_LONGEST = 24 << 20
"""The most bytes of one result. The coordinator takes a bridge for lost that sends three times as many."""
_MOST_SAID = 1 << 20
"""The most bytes that a host may say before it is ready."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What the host of a worker that is ready has said."""

    facts: Facts
    said: tuple[str, ...]


class Preparing:
    """Makes workers ready for a run: what their hosts lack is sent there, and the bots are built and started.

    Of several workers of one host only one at a time is made ready, so that nothing is sent twice.
    """

    def __init__(self, engine: Engine, connect: Connect) -> None:
        self._engine = engine
        self._connect = connect
        self._order = ORDER_LINES.write(connect.order)
        self._hosts: dict[str, asyncio.Lock] = {}

    async def prepare(self, worker: str) -> Prepared | Refused:
        """Make a worker ready, or say why it is left out. Raises WorkerGoneError."""
        try:
            if busy := await self._engine.tell(worker, on_worker.take_over, self._connect.order.run):
                return Refused(worker, Why.BUSY, str(busy))
            async with self._hosts.setdefault(urlsplit(worker).hostname or worker, asyncio.Lock()):
                if why := await self._send_bundles(worker):
                    return Refused(worker, Why.ROOM, why)
            lines = await self._engine.call(worker, on_worker.begin, self._order)
            if sum(map(len, lines)) > _MOST_SAID:
                return Refused(worker, Why.ARENA, _not_ours(f"it said {sum(map(len, lines)):,} bytes"))
        except CallFailedError as error:
            return Refused(worker, Why.ARENA, _not_ours(str(error)))
        except BotFolderError as error:
            return Refused(worker, Why.BOT, str(error))
        try:
            return self._answer(worker, [ORDER_LINES.read(line) for line in lines])
        except ValueError as error:
            return Refused(worker, Why.ARENA, _not_ours(str(error).partition("\n")[0]))

    async def _send_bundles(self, worker: str) -> str:
        """Send the bundles that the host lacks. Return why that cannot be done, or nothing."""
        for digest in await self._engine.call(worker, on_worker.missing, list(self._connect.bundles)):
            for piece in pieces(Path(self._connect.bundles[digest])):
                taken = self._engine.call(worker, on_worker.take, digest, piece.place, piece.data, piece.last)
                if why := await taken:
                    return str(why)
        return ""

    def _answer(self, worker: str, said: list[object]) -> Prepared | Refused:
        facts = next((one for one in said if isinstance(one, Facts)), None)
        match said[-1] if said else None:
            case Ready(said=told) if facts is not None:
                return Prepared(facts, told)
            case Unready(why, text):
                return Refused(worker if facts is None else f"{facts.name} ({worker})", why, text)
        return Refused(worker, Why.ARENA, "its arena ended before it was ready; see the worker's log")


def _not_ours(said: str) -> str:
    if "ModuleNotFoundError" in said and "arena" in said:
        return "papayoo-arena is not installed for its Python: pip install 'papayoo-arena[dask]'"
    return f"its arena is another one, or does not work: {said}"


class Slot:
    """A worker that is ready, until its referee ends. `tell` takes messages for the coordinator."""

    def __init__(
        self, number: int, worker: str, run: str, engine: Engine, tell: Callable[[BridgeMessage], None]
    ) -> None:
        self.number = number
        self.worker = worker
        self.stopped = False
        self.has_played = False
        """Whether anything was heard of its referee."""
        self._run = run
        self._engine = engine
        self._tell = tell
        self._jobs: list[bytes] = []
        self._more = asyncio.Event()
        self._left = 0
        self._session_seconds = 0.0
        self._waited = 0.0
        """For how many seconds no session has been done, although it had some."""

    def deal(self, line: str) -> None:
        """Take a session to be played here."""
        self._jobs.append(line.encode() + b"\n")
        self._more.set()

    async def stop(self) -> None:
        """Finish the match that is being played, and begin no other. Raises as `play`."""
        self.stopped = True
        self._more.set()
        if self._left:
            await self._engine.tell(self.worker, on_worker.stop, self._run)

    async def play(self, seconds: Callable[[], float]) -> Broke | Left:
        """Play what is dealt until `stop`, or until the referee ends. Return how it ended.

        A referee that could not be started again has broken in no match, so its slot has left.

        `seconds`: how long the worker gathers results before it sends them. Raises WorkerGoneError,
        CallFailedError.
        """
        while True:
            if not self._left and not self.stopped:
                await self._wait()
            if not self._left and self.stopped:
                return Broke(self.number, "was stopped", in_order=True)
            played = await self._play(seconds())
            if played.unready and not self.stopped:
                return Left(self.number, words(played.ended))
            if played.ended:
                return Broke(self.number, words(played.ended), self.stopped)

    async def _wait(self) -> None:
        """Wait until there is something to do. Raises WorkerGoneError."""
        more = asyncio.ensure_future(self._more.wait())
        gone = asyncio.ensure_future(self._engine.gone(self.worker))
        try:
            await asyncio.wait({more, gone}, return_when=asyncio.FIRST_COMPLETED)
            if gone.done():
                raise WorkerGoneError("it has left the cluster")
        finally:
            more.cancel()
            gone.cancel()

    async def _play(self, seconds: float) -> Played:
        """Send what is dealt, and hear what comes of all there is."""
        jobs, self._jobs = self._jobs, []
        self._more.clear()
        self._left += len(jobs)
        began = time.monotonic()
        played: Played = await self._engine.call(self.worker, on_worker.play, self._run, jobs, seconds)
        self._waited += time.monotonic() - began
        if (done := self._left - played.left) > 0:
            self._session_seconds = smoothed(self._session_seconds, self._waited / done)
            self._waited = 0.0
        self._left = played.left
        if played.lines:
            self.has_played = True
            for piece in _pieces(played.lines):
                self._tell(Heard(self.number, piece, self._session_seconds))
        return played


def _pieces(lines: Iterable[bytes]) -> Iterator[tuple[str, ...]]:
    """Yield these lines without their newlines, some together: the coordinator takes no line without end."""
    piece: list[str] = []
    room = _PIECE
    for line in lines:
        if len(line) > _LONGEST:
            raise ValueError(f"a line of {len(line):,} bytes")
        if room < len(line) and piece:
            yield tuple(piece)
            piece, room = [], _PIECE
        piece.append(line.decode().rstrip("\n"))
        room -= len(line)
    yield tuple(piece)
