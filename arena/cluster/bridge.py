"""The bridge between a coordinator and a cluster: a process that passes lines on, and hears who is there.

It is the only process of a run that takes part in the cluster. Whoever controls a worker or the scheduler can
control a client of Dask, so the bridge holds nothing worth having: no secret, no database, no league file.
It decides nothing about sessions. The end of its input means that its coordinator is gone, or wants no more.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
import traceback
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import count

from arena.cluster import worker as on_worker
from arena.cluster.bridge_lines import (
    ALIVE_SECONDS,
    BRIDGE_LINES,
    END_SECONDS,
    Alive,
    BridgeMessage,
    Broke,
    Connect,
    Deal,
    Joined,
    Left,
    Lost,
    Refused,
    Said,
    StopSlot,
    words,
)
from arena.cluster.engine import (
    CallFailedError,
    DaskEngine,
    Engine,
    EngineError,
    NoClusterError,
    WorkerGoneError,
)
from arena.cluster.orders import Why
from arena.cluster.slot import Prepared, Preparing, Slot

__all__ = ["Bridge", "main"]

_GATHER_SECONDS = 1.0
_ANSWERS_A_SECOND = 50
"""The most answers of workers in a second. Each costs a scheduler with TLS about 4 ms of processor time."""
_MISSING_SECONDS = 5.0
"""The time without a worker after which that is said."""
_LONG_SECONDS = 10.0
"""The time without a slot after which it is said that workers are being made ready."""
_RETRY_SECONDS = 1.0
_TRIES = 3
"""How often in a row a worker may fail before anything was heard of its referee; then it is left out."""
_TELL_SECONDS = 1.0
"""The time for telling the workers to end their referees when a run is over."""
_LONGEST_LINE = 1 << 30

Connecting = Callable[[Connect], Awaitable[Engine]]


class Bridge:
    """Keeps the slots of one run.

    `tell` takes messages for the coordinator. `connecting` finds the engine.
    """

    def __init__(
        self, connect: Connect, connecting: Connecting, tell: Callable[[BridgeMessage], None]
    ) -> None:
        self._connect = connect
        self._connecting = connecting
        self._tell = tell
        self._numbers = count()
        self._slots: dict[int, Slot] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._refused: dict[str, Refused] = {}
        self._dismissed: set[str] = set()
        self._failures: Counter[str] = Counter()
        """How often in a row workers that are there failed before anything was heard of their referees."""
        self._asked: set[asyncio.Future[None]] = set()
        self._engine: Engine | None = None
        self._idle_since = time.monotonic()
        self._was_connected = self._has_played = connect.was_there
        self._missed = False
        self._prepares_since = self._idle_since
        self._says_so = True
        """Whether it is still to be said that workers are being made ready."""

    async def run(self) -> None:
        """Keep slots until it is cancelled, or until there is no cluster for too long (Lost)."""
        while True:
            try:
                self._engine = await self._connecting(self._connect)
                self._was_connected = True
                await self._keep_slots(self._engine)
            except NoClusterError as error:
                await self._lost_cluster(str(error))
                if not self._has_patience():
                    self._tell(Lost(str(error)))
                    return
                await asyncio.sleep(_RETRY_SECONDS)
            except _NobodyPlaysError as error:
                self._tell(Lost(str(error)))
                return

    def heard(self, message: BridgeMessage) -> None:
        """Take in what the coordinator says."""
        match message:
            case Deal(number, line):
                # A slot that has left was reported; the coordinator takes the session back by itself.
                if (slot := self._slots.get(number)) is not None:
                    slot.deal(line)
            case StopSlot(number, leave):
                if (slot := self._slots.get(number)) is not None:
                    self._stop(slot, leave)
            case other:
                raise AssertionError(other)

    async def close(self) -> None:
        """End the referees of all workers, and leave the cluster."""
        for worker, task in self._tasks.items():
            task.cancel()
            # Also one that is being made ready, which would build and start bots for nobody.
            self._dismiss(worker)
        if self._engine is None:
            return
        if self._asked:
            await asyncio.wait(self._asked, timeout=_TELL_SECONDS)
        await self._engine.close()

    # Workers

    async def _keep_slots(self, engine: Engine) -> None:
        """Make every worker that comes a slot, and report every slot that is gone. Raises NoClusterError."""
        preparing = Preparing(engine, self._connect)
        while True:
            here = await engine.workers()
            for worker in here - self._tasks.keys() - self._refused.keys() - self._dismissed:
                self._tasks[worker] = asyncio.create_task(self._keep_slot(worker, engine, preparing))
            for worker in self._refused.keys() - here:
                del self._refused[worker]
            for worker in self._failures.keys() - here:
                del self._failures[worker]
            self._dismissed &= here
            self._look_for_slots(here)
            await engine.change()

    async def _keep_slot(self, worker: str, engine: Engine, preparing: Preparing) -> None:
        """Make a worker a slot, and another one whenever its referee has ended, until it is gone.

        Whoever cancels this tells of the slot's end.
        """
        try:
            while isinstance(found := await preparing.prepare(worker), Prepared):
                if not await self._play(worker, found, engine):
                    return
            self._refuse(worker, found)
        except WorkerGoneError as error:
            self._failed(worker, str(error))
        except Exception as error:
            self._failed(worker, _unexpected(error))
        finally:
            self._tasks.pop(worker, None)

    async def _play(self, worker: str, ready: Prepared, engine: Engine) -> bool:
        """Let a worker that is ready be one slot. Return whether it is to be made another one at once."""
        slot = Slot(next(self._numbers), worker, self._connect.order.run, engine, self._tell)
        self._slots[slot.number] = slot
        self._has_played = True
        self._tell(Joined(slot.number, worker, ready.facts, ready.said))
        is_there = False
        try:
            ended = await slot.play(self._gathering)
            is_there = True
        except WorkerGoneError as error:
            ended = Left(slot.number, words(error))
        except CallFailedError as error:
            ended = Left(slot.number, f"its arena does not work any more: {words(error)}")
        except Exception as error:
            ended = Left(slot.number, _unexpected(error))
        # What was dealt to it meanwhile is taken back by the coordinator, so its number ends here.
        del self._slots[slot.number]
        self._tell(ended)
        if slot.stopped:
            self._dismiss(worker)
            return False
        is_left_out = isinstance(ended, Left) and self._fails_again(slot, ended.why)
        return is_there and not is_left_out

    def _gathering(self) -> float:
        """Return for how many seconds workers gather results: the scheduler takes some ms for each answer."""
        return max(_GATHER_SECONDS, len(self._slots) / _ANSWERS_A_SECOND)

    def _refuse(self, worker: str, refused: Refused) -> None:
        """Report that a worker is left out, once for all workers to which the same happens."""
        refused = Refused(words(refused.where), refused.why, words(refused.text))
        known = {(one.why, one.text) for one in self._refused.values()}
        self._refused[worker] = refused
        if (refused.why, refused.text) not in known:
            self._tell(refused)

    def _failed(self, worker: str, why: str) -> bool:
        """Leave out a worker that fails again and again, although it has not left. Return whether it is."""
        self._failures[worker] += 1
        if self._failures[worker] < _TRIES:
            return False
        self._refuse(worker, Refused(worker, Why.FAILS, why))
        return True

    def _fails_again(self, slot: Slot, why: str) -> bool:
        """Take note that a slot has failed. Return whether its worker is left out."""
        if slot.has_played:
            self._failures.pop(slot.worker, None)
        return self._failed(slot.worker, why)

    def _stop(self, slot: Slot, leave: bool) -> None:
        if not leave:
            self._background(slot.stop())
            return
        del self._slots[slot.number]
        self._tell(Broke(slot.number, "was told to leave", in_order=True))
        self._tasks[slot.worker].cancel()
        self._dismiss(slot.worker)

    def _dismiss(self, worker: str) -> None:
        """Have a worker end its referee, and ask it no more."""
        self._dismissed.add(worker)
        if self._engine is not None:
            self._background(self._engine.tell(worker, on_worker.leave, self._connect.order.run))

    def _background(self, work: Awaitable[object]) -> None:
        async def quietly() -> None:
            # A worker that is gone is reported by the task that keeps its slot.
            with suppress(EngineError):
                await work

        task = asyncio.ensure_future(quietly())
        self._asked.add(task)
        task.add_done_callback(self._asked.discard)

    # A cluster that is not there

    async def _lost_cluster(self, why: str) -> None:
        """Report all slots as gone, and leave what is left of the cluster."""
        for number in self._slots:
            self._tell(Left(number, why))
        self._slots.clear()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._refused.clear()
        if self._engine is not None:
            await self._engine.close()
            self._engine = None
            self._idle_since = self._prepares_since = time.monotonic()
            self._says_so = True
            self._tell(Said(f"{why}; it is waited for at most {self._connect.patience:g} s"))

    def _has_patience(self) -> bool:
        return self._was_connected and time.monotonic() - self._idle_since < self._connect.patience

    def _look_for_slots(self, here: frozenset[str]) -> None:
        """Raise _NobodyPlaysError when no worker plays or is made ready, and none is to be hoped for."""
        self._look_at_preparations()
        if self._slots or self._tasks:
            self._idle_since = time.monotonic()
            self._missed = False
            return
        address, idle = self._connect.address, time.monotonic() - self._idle_since
        patience = self._connect.patience
        who = "Workers"
        if self._refused and not here - self._refused.keys():
            missing = f"no worker of {address} can play:\n{self._reasons()}"
            # Those that have played may come back. At the beginning others may be about to join.
            patience = patience if self._has_played else min(patience, _MISSING_SECONDS)
            who = "Others"
        else:
            what = "only workers that were left out" if here else "no workers"
            missing = f"{address} has {what}. Start one for each core, as docs/cluster.md says"
        if idle >= patience:
            raise _NobodyPlaysError(missing)
        if idle >= _MISSING_SECONDS and not self._missed:
            self._missed = True
            self._tell(Said(f"{missing}\n{who} are waited for at most {patience:g} s"))

    def _look_at_preparations(self) -> None:
        """Say so, once, when workers are being made ready for long while none plays."""
        now = time.monotonic()
        if self._slots or not self._tasks:
            self._prepares_since, self._says_so = now, True
        elif self._says_so and now - self._prepares_since >= _LONG_SECONDS:
            self._says_so = False
            count = len(self._tasks)
            workers = "1 worker" if count == 1 else f"{count:,} workers"
            self._tell(
                Said(
                    f"{workers} of {self._connect.address} {'is' if count == 1 else 'are'} being made ready: "
                    "bots are sent, built and started there"
                )
            )

    def _reasons(self) -> str:
        found = {(one.why, one.text): f"  {one.where}: {one.text}" for one in self._refused.values()}
        bots = "; a bot that is not ready is replaced with --allow-broken"
        of_bots = any(one.why is Why.BOT for one in self._refused.values())
        return "\n".join([*found.values(), f"What to do: docs/cluster.md{bots if of_bots else ''}"])


class _NobodyPlaysError(Exception):
    """There are no workers that can play. Its text is for people."""


def _unexpected(error: Exception) -> str:
    """Print an error that nobody expects, and return it in words.

    What a worker answers may be anything. It must cost this worker, and no other one.
    """
    traceback.print_exception(error)
    return f"the bridge does not understand it ({type(error).__name__}: {words(error)})"


async def _dask(connect: Connect) -> Engine:
    return await DaskEngine.connect(connect.address, connect.tls)


async def _serve(reading: int, writing: int) -> None:
    lines = asyncio.StreamReader(limit=_LONGEST_LINE)
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(lines), os.fdopen(reading, "rb", 0)
    )

    def tell(message: BridgeMessage) -> None:
        # Blocking: the coordinator always reads, and nothing is more urgent than what it is told.
        left = memoryview(BRIDGE_LINES.write(message))
        while left:
            left = left[os.write(writing, left) :]

    connect = BRIDGE_LINES.read((await lines.readline()).rstrip(b"\n"))
    assert isinstance(connect, Connect), "the first message is how to connect"
    bridge = Bridge(connect, _dask, tell)

    async def hear() -> None:
        while line := await lines.readline():
            bridge.heard(BRIDGE_LINES.read(line.rstrip(b"\n")))

    async def beat() -> None:
        while True:
            tell(Alive())
            await asyncio.sleep(ALIVE_SECONDS)

    tasks = [asyncio.create_task(one) for one in (bridge.run(), hear(), beat())]
    done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    # From here on nobody reads what is told, so telling would wait for ever, or fail.
    os.dup2(os.open(os.devnull, os.O_WRONLY), writing)
    for task in tasks:
        task.cancel()
    closing = asyncio.create_task(bridge.close())
    # Not `wait_for`, which waits for what it cancels.
    await asyncio.wait({closing}, timeout=END_SECONDS)
    for task in (*done, *({closing} if closing.done() else ())):
        task.result()


def main() -> None:
    """Run a bridge, as the command `arena bridge` does, until its input ends.

    Its exit code is 1 when it has failed; then it has said why on standard error.
    """
    # Away from 0 and 1, so that nothing printed by mistake mixes in.
    reading, writing = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    code = 1
    try:
        # Not `asyncio.run`: it waits for tasks and threads, and they may wait for somebody who is gone.
        asyncio.new_event_loop().run_until_complete(_serve(reading, writing))
        code = 0
    except BrokenPipeError:  # the coordinator is gone, so there is nobody to tell
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(code)
