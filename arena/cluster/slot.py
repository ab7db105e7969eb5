"""One worker of the cluster in the bridge: made ready, then given sessions in batches until it is gone.

A batch takes about a second, so that the engine costs little, and little is lost with a worker. Only one is
on its way at a time. What is played again, and where, is decided by the coordinator alone.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from arena.cluster import worker as on_worker
from arena.cluster.bridge_lines import BridgeMessage, Connect, Heard, Refused
from arena.cluster.bundles import pieces
from arena.cluster.engine import CallFailedError, Engine
from arena.cluster.orders import ORDER_LINES, Facts, Ready, Unready, Why
from arena.errors import BotFolderError

__all__ = ["Prepared", "Preparing", "Slot"]

_BATCH_SECONDS = 1.0
_MOST_IN_A_BATCH = 64


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
        except CallFailedError as error:
            return Refused(worker, Why.ARENA, _not_ours(str(error)))
        except BotFolderError as error:
            return Refused(worker, Why.BOT, str(error))
        return self._answer(worker, [ORDER_LINES.read(line) for line in lines])

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
        self._run = run
        self._engine = engine
        self._tell = tell
        self._jobs: deque[bytes] = deque()
        self._more = asyncio.Event()
        self._playing = False
        self._session_seconds = 0.0

    def deal(self, line: str) -> None:
        """Take a session to be played here."""
        self._jobs.append(line.encode())
        self._more.set()

    async def stop(self) -> None:
        """Finish the match that is being played, and begin no other. Raises WorkerGoneError, CallFailedError."""
        self.stopped = True
        self._more.set()
        if self._playing:
            await self._engine.tell(self.worker, on_worker.stop, self._run)

    async def play(self) -> str:
        """Play what is dealt until `stop`, or until the referee ends. Return how it ended.

        Raises WorkerGoneError, CallFailedError.
        """
        while True:
            await self._more.wait()
            self._more.clear()
            while self._jobs and not self.stopped:
                if ended := await self._play(self._batch()):
                    return ended
            if self.stopped:
                return "was stopped"

    def _batch(self) -> list[bytes]:
        """Take the sessions of the next batch from those that are dealt."""
        fitting = round(_BATCH_SECONDS / self._session_seconds) if self._session_seconds else 1
        size = max(1, min(fitting, _MOST_IN_A_BATCH, len(self._jobs)))
        return [self._jobs.popleft() for _ in range(size)]

    async def _play(self, lines: list[bytes]) -> str:
        """Play a batch. Return how the referee ended, or nothing."""
        self._playing, began = True, time.monotonic()
        try:
            played = await self._engine.call(self.worker, on_worker.play, self._run, lines)
        finally:
            self._playing = False
        seconds = (time.monotonic() - began) / len(lines)
        # Exponential smoothing; the first time is taken whole, for there is nothing to smooth it with.
        self._session_seconds += (seconds - self._session_seconds) / (4 if self._session_seconds else 1)
        said = tuple(line.decode() for line in played.lines)
        self._tell(Heard(self.number, said, self._session_seconds))
        return str(played.ended)
