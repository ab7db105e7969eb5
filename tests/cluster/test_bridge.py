"""The bridge with a cluster in memory: hosts come and go, schedulers are lost, and the clock is driven."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any, cast

import pytest

from arena.bot.launch import BotCommand
from arena.cluster.bridge import Bridge, NoClusterError
from arena.cluster.frames import LEASE_SECONDS, Connect, Frame, Order, read_frame, say_frame, write_frame
from arena.referee.jobs import Setup
from tests.store.samples import TERMS


class _Selector(selectors.DefaultSelector):
    """Waits for nothing: where a loop would wait, its clock is moved on."""

    passed = 0.0

    def select(self, timeout: float | None = None) -> Any:
        found = super().select(0)
        if not found and timeout:
            self.passed += timeout
        return found


class DrivenLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock goes on only when everybody waits for it."""

    def __init__(self) -> None:
        self._driven = _Selector()
        super().__init__(self._driven)

    def time(self) -> float:
        return self._driven.passed


def driven(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    with asyncio.Runner(loop_factory=DrivenLoop) as runner:
        runner.run(work())


class Cluster:
    """Dask, as the bridge sees it. `lines`: what each worker has got. `dead`: workers that answer nothing."""

    def __init__(self) -> None:
        self.status = "running"
        self.scheduler_comm = object()
        self.here: list[str] = []
        self.lines: dict[str, list[bytes]] = {}
        self.runs: dict[str, str] = {}
        self.error: Exception | None = None
        self._said: dict[str, int] = {}
        self._heard: Callable[[Any], None]

    def subscribe_topic(self, topic: str, heard: Callable[[Any], None]) -> None:
        assert topic == "arena-league"
        self._heard = heard

    async def nthreads(self) -> dict[str, int]:
        return dict.fromkeys(self.here, 1)

    def submit(self, function: object, run: str, first: int, lines: list[bytes], **how: Any) -> Any:
        [worker] = how["workers"]
        if first == 0:
            self.lines[worker], self._said[run] = [], 0
        assert first == len(self.lines[worker])
        self.lines[worker] += lines
        self.runs[worker] = run

        async def exception() -> Exception | None:
            return self.error

        status = "error" if self.error else "finished"
        return SimpleNamespace(exception=exception, release=lambda: None, status=status)

    def say(self, worker: str, *frames: Frame, lost: int = 0) -> None:
        """Have a worker say something; `lost`: how many lines of it do not arrive before it."""
        run = self.runs[worker]
        self._said[run] += lost
        lines = [write_frame(frame).rstrip(b"\n") for frame in frames]
        self._heard((0.0, {"run": run, "first": self._said[run], "lines": lines}))
        self._said[run] += len(lines)

    def got(self, worker: str) -> list[str]:
        """The kinds of the frames that a worker has got."""
        return [read_frame(line).kind for line in self.lines[worker]]

    async def close(self) -> None:
        self.status = "closed"


class Run:
    """A bridge, what it tells, and the clusters that it finds one after another."""

    def __init__(
        self, *clusters: Cluster, patience: float = 300.0, bundles: dict[str, str] | None = None
    ) -> None:
        setup = Setup((BotCommand("b", ("x",), "d"),), TERMS, 4, None, "1")
        order = Order(setup, "off", far=False, processes=1)
        connect = Connect("tls://far:1", "", "league", order, bundles or {}, patience)
        self.told: list[Frame] = []
        self.bridge = Bridge(connect, self.told.append)
        self._clusters = list(clusters)
        cast(Any, self.bridge)._connected = self._connected

    async def _connected(self) -> Cluster:
        if not self._clusters:
            raise NoClusterError("no scheduler answers")
        return self._clusters.pop(0)

    def kinds(self) -> list[str]:
        return [frame.kind for frame in self.told if frame.kind != "alive"]

    def texts(self, kind: str) -> list[str]:
        return [frame.text for frame in self.told if frame.kind == kind]

    async def __aenter__(self) -> Run:
        self.task = asyncio.create_task(self.bridge.run())
        await asyncio.sleep(0.1)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.task.cancel()


@pytest.fixture
def one() -> Cluster:
    made = Cluster()
    made.here = ["tls://a:1"]
    return made


A, B = "tls://a:1", "tls://b:1"
ALIVE = Frame(0, "alive")


async def living(cluster: Cluster, seconds: float, *workers: str) -> None:
    """Let time pass, in which these workers say that they are alive."""
    for _ in range(round(seconds)):
        for worker in workers:
            cluster.say(worker, ALIVE)
        await asyncio.sleep(1)


def test_who_says_nothing_is_gone_and_asked_again_after_a_minute(one: Cluster) -> None:
    async def work() -> None:
        async with Run(one) as run:
            first = one.runs[A]
            await asyncio.sleep(LEASE_SECONDS + 5)
            assert run.texts("gone") == ["it says nothing any more"]
            assert one.runs[A] == first
            await asyncio.sleep(60)
            assert one.runs[A] != first

    driven(work)


def test_what_is_lost_on_the_way_costs_the_host_its_run(one: Cluster) -> None:
    async def work() -> None:
        async with Run(one) as run:
            one.say(A, ALIVE)
            one.say(A, Frame(0, "line", 1, b"x"), lost=1)
            assert "line" not in run.kinds()
            assert run.texts("gone") == ["what it said was lost on the way"]

    driven(work)


def test_a_host_that_is_busy_is_asked_every_minute_and_the_run_waits(one: Cluster) -> None:
    async def work() -> None:
        async with Run(one) as run:
            for _ in range(10):
                asked = one.runs[A]
                one.say(A, say_frame("busy", "red"))
                await asyncio.sleep(62)
                assert one.runs[A] != asked
            assert run.kinds() == ["say"], "once"
            assert "red plays for another league; it is asked again every minute" in run.texts("say")[0]

    driven(work)


def test_who_cannot_play_is_left_out_and_without_others_the_run_ends(one: Cluster) -> None:
    async def work() -> None:
        one.here = [A, B]
        async with Run(one) as run:
            one.say(A, say_frame("unready", "another arena"), say_frame("ended", "it ended"))
            await living(one, 30, B)
            assert not run.task.done()
            one.say(B, say_frame("unready", "no sandbox"), say_frame("ended", "it ended"))
            await asyncio.sleep(30)
            assert run.task.done()
            assert run.texts("unready") == ["another arena", "no sandbox"]
            assert run.texts("lost") == ["no host of tls://far:1 can play:\nanother arena\nno sandbox"]

    driven(work)


def test_a_host_process_that_ends_before_it_is_ready_is_tried_three_times(one: Cluster) -> None:
    async def work() -> None:
        one.here = [A, B]
        async with Run(one) as run:
            for _ in range(3):
                assert run.texts("unready") == []
                one.say(A, say_frame("ended", "no memory"))
                await living(one, 3, B)
            assert run.texts("unready") == ["it fails again and again: no memory"]
            # One that was ready begins anew.
            for _ in range(4):
                one.say(B, Frame(0, "ready"), say_frame("ended", "killed"))
                await asyncio.sleep(3)
            assert len(run.texts("unready")) == 1

    driven(work)


class KilledWorker(Exception):  # noqa: N818 - as Dask calls it
    """A worker that has ended while it was called."""


@pytest.mark.parametrize("error", [ModuleNotFoundError("No module named 'arena'"), KilledWorker()])
def test_a_worker_that_cannot_be_called_is_left_out_unless_it_was_lost(
    error: Exception, one: Cluster
) -> None:
    async def work() -> None:
        one.error = error
        async with Run(one) as run:
            await asyncio.sleep(4)
            if isinstance(error, KilledWorker):
                assert set(run.texts("gone")) == {"it was lost"}
                assert run.texts("unready") == []
            else:
                why = "its arena does not work: ModuleNotFoundError: No module named 'arena'"
                assert run.texts("unready") == [f"it fails again and again: {why}"]

    driven(work)


def test_a_cluster_without_workers_is_waited_for_as_long_as_is_said() -> None:
    async def work() -> None:
        async with Run(Cluster(), patience=100) as run:
            await asyncio.sleep(90)
            assert "tls://far:1 has no workers" in run.texts("say")[0]
            assert len(run.texts("say")) == 1
            await asyncio.sleep(20)
            assert "has no workers. Start one on each host" in run.texts("lost")[0]

    driven(work)
