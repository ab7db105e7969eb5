"""The engine with a client in memory: how the loss of a worker ends what it was asked, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from arena.cluster.engine import DaskEngine, WorkerGoneError

WORKER = "tls://h:9000"


class Future:
    def __init__(self, answer: asyncio.Future[str]) -> None:
        self._answer = answer

    async def result(self) -> str:
        return await self._answer

    def release(self) -> None:
        pass


class ClosedClientError(Exception):
    """As Dask names it."""


class Client:
    """What the engine uses of a client of Dask. `answers`: those that are still to come."""

    status = "running"

    def __init__(self) -> None:
        self.here = {WORKER: 1}
        self.answers: list[asyncio.Future[str]] = []
        self.tell: Callable[[tuple[float, dict[str, str]]], None] = lambda event: None

    def subscribe_topic(self, topic: str, handler: Callable[[tuple[float, dict[str, str]]], None]) -> None:
        self.tell = handler

    async def nthreads(self) -> dict[str, int]:
        return dict(self.here)

    async def run(
        self, function: Callable[..., Any], *arguments: object, workers: list[str]
    ) -> dict[str, Any]:
        return {worker: function(*arguments) for worker in workers if worker in self.here}

    def submit(self, function: Callable[..., Any], *arguments: object, **options: object) -> Future:
        if self.status == "closed":
            raise ClosedClientError("Client is closed. Can't send update-graph message.")
        self.answers.append(asyncio.get_running_loop().create_future())
        return Future(self.answers[-1])

    def leave(self, *, heard: bool = True) -> None:
        del self.here[WORKER]
        if heard:
            self.tell((0.0, {"action": "remove-worker", "worker": WORKER}))

    def join(self) -> None:
        self.here[WORKER] = 1
        self.tell((0.0, {"action": "add-worker", "worker": WORKER}))


def engaged(test: Callable[[DaskEngine, Client], Awaitable[None]]) -> None:
    async def run() -> None:
        client = Client()
        await test(DaskEngine(client), client)

    asyncio.run(run())


@pytest.mark.parametrize("heard", [True, False])
def test_a_worker_that_comes_back_to_its_address_is_used_again(heard: bool) -> None:
    async def test(engine: DaskEngine, client: Client) -> None:
        for _ in range(2):
            call = asyncio.ensure_future(engine.call(WORKER, print))
            await asyncio.sleep(0)
            client.leave(heard=heard)
            await engine.workers()
            with pytest.raises(WorkerGoneError, match="it has left the cluster"):
                await call
            client.join()
            assert await engine.workers() == {WORKER}
            call = asyncio.ensure_future(engine.call(WORKER, print))
            await asyncio.sleep(0.02)
            client.answers[-1].set_result("played")
            assert await call == "played"

    engaged(test)


def test_a_call_to_a_worker_that_had_left_before_ends_with_the_next_look() -> None:
    async def test(engine: DaskEngine, client: Client) -> None:
        client.leave()
        call = asyncio.ensure_future(engine.call(WORKER, print))
        await asyncio.sleep(0)
        await engine.workers()
        with pytest.raises(WorkerGoneError):
            await call

    engaged(test)


def test_whoever_waits_for_a_worker_to_leave_hears_of_it() -> None:
    async def test(engine: DaskEngine, client: Client) -> None:
        waiting = asyncio.ensure_future(engine.gone(WORKER))
        await engine.workers()
        await asyncio.sleep(0)
        assert not waiting.done()
        client.leave()
        await waiting

    engaged(test)


def test_a_worker_that_is_told_something_and_does_not_answer_has_gone() -> None:
    async def test(engine: DaskEngine, client: Client) -> None:
        assert await engine.tell(WORKER, len, "four") == 4
        client.leave(heard=False)
        with pytest.raises(WorkerGoneError, match="does not answer"):
            await engine.tell(WORKER, len, "four")

    engaged(test)


def test_a_call_after_the_scheduler_is_gone_says_that_the_worker_is_lost() -> None:
    async def test(engine: DaskEngine, client: Client) -> None:
        client.status = "closed"
        with pytest.raises(WorkerGoneError, match="it was lost"):
            await engine.call(WORKER, len, "four")

    engaged(test)
