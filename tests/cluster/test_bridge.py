"""The bridge with an engine in memory: who becomes a slot, what is passed on, and how slots end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from arena.cluster import bridge as module
from arena.cluster import worker as on_worker
from arena.cluster.bridge import Bridge
from arena.cluster.bridge_lines import (
    BRIDGE_LINES,
    BridgeMessage,
    Broke,
    Connect,
    Deal,
    Heard,
    Joined,
    Left,
    Lost,
    Refused,
    Said,
    StopSlot,
)
from arena.cluster.engine import CallFailedError, NoClusterError, WorkerGoneError
from arena.cluster.host_referee import Played
from arena.cluster.orders import ORDER_LINES, Facts, Order, Ready, SandboxWish, Unready, Why
from arena.referee.jobs import Setup
from arena.sandbox import Limits
from tests.store.samples import TERMS

FACTS = Facts("h1", "red", "1", "3.11", "fast", 2, False, "off")
WISH = SandboxWish("off", False, Limits(), "nobody")
ORDER = Order("league-run", Setup((), TERMS, 4, None, False, "1"), WISH)
PATIENCE = 20.0


@dataclass
class Engine:
    """Workers that answer at once. `answers`: what `begin` says, by worker."""

    here: set[str] = field(default_factory=set)
    answers: dict[str, list[bytes]] = field(default_factory=dict)
    calls: list[tuple[str, str, tuple[Any, ...]]] = field(default_factory=list)
    play: Callable[[str, list[bytes]], Awaitable[Played]] | None = None
    busy: str = ""
    lacks: list[str] = field(default_factory=list)
    full: str = ""
    broken: str = ""
    unreached: str = ""
    odd: str = ""
    lost: bool = False
    builds: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while bots are built at once."""
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _gone: dict[str, asyncio.Event] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.builds.set()

    def join(self, worker: str, *said: Any) -> None:
        self.here.add(worker)
        self.answers[worker] = [ORDER_LINES.write(message) for message in said or (FACTS, Ready(0))]
        self._gone[worker] = asyncio.Event()
        self._changed.set()

    def leave(self, worker: str) -> None:
        self.here.discard(worker)
        self._gone[worker].set()
        self._changed.set()

    async def workers(self) -> frozenset[str]:
        if self.lost:
            raise NoClusterError("the scheduler is gone")
        return frozenset(self.here)

    async def change(self) -> None:
        try:
            await asyncio.wait_for(self._changed.wait(), 0.02)
        except TimeoutError:
            return
        self._changed.clear()

    async def gone(self, worker: str) -> None:
        await self._gone[worker].wait()

    async def call(self, worker: str, function: Callable[..., Any], *arguments: object) -> Any:
        self.calls.append((worker, function.__name__, arguments))
        if self.broken:
            raise CallFailedError(self.broken)
        if function is on_worker.missing:
            return self.lacks
        if function is on_worker.take:
            return self.full
        if function is on_worker.begin:
            await self.builds.wait()
            return [self.odd.encode()] if self.odd else self.answers[worker]
        assert function is on_worker.play
        return await self._until_gone(worker, self._play(worker, arguments))

    async def _play(self, worker: str, arguments: tuple[Any, ...]) -> Played:
        if self.play is not None:
            return await self.play(worker, arguments[1])
        return Played([b"SessionDone " + line for line in arguments[1]])

    async def _until_gone(self, worker: str, answer: Awaitable[Played]) -> Played:
        answering, going = asyncio.ensure_future(answer), asyncio.ensure_future(self.gone(worker))
        await asyncio.wait([answering, going], return_when=asyncio.FIRST_COMPLETED)
        going.cancel()
        if not answering.done():
            answering.cancel()
            raise WorkerGoneError("it has left the cluster")
        return answering.result()

    async def tell(self, worker: str, function: Callable[..., Any], *arguments: object) -> Any:
        self.calls.append((worker, function.__name__, arguments))
        if self.broken:
            raise CallFailedError(self.broken)
        if self.unreached:
            raise WorkerGoneError(self.unreached)
        return self.busy if function is on_worker.take_over else None

    async def close(self) -> None:
        pass

    def called(self, name: str) -> list[tuple[Any, ...]]:
        return [arguments for _, called, arguments in self.calls if called == name]


async def until(true: Callable[[], bool]) -> None:
    """Wait until this is true."""
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.002)


class Told(list[BridgeMessage]):
    """What the bridge has told, which can be waited for."""

    async def wait_for(self, kind: type[BridgeMessage], times: int = 1) -> Any:
        await until(lambda: self.count(kind) >= times)
        return [message for message in self if isinstance(message, kind)][times - 1]

    def count(self, kind: object) -> int:
        return sum(isinstance(message, kind) for message in self)  # type: ignore[arg-type]


Test = Callable[[Bridge, Engine, Told], Awaitable[None]]


def bridged(
    test: Test, *, patience: float = 300.0, bundles: dict[str, str] | None = None, was_there: bool = False
) -> Told:
    """Run a test beside a bridge; each message goes through a line, as it does between the processes."""

    async def run() -> Told:
        told, engine = Told(), Engine()

        async def connecting(connect: Connect) -> Engine:
            if engine.lost:
                raise NoClusterError("no scheduler answers")
            return engine

        def tell(message: BridgeMessage) -> None:
            told.append(BRIDGE_LINES.read(BRIDGE_LINES.write(message).rstrip(b"\n")))

        connect = Connect("tls://far:1", None, ORDER, bundles or {}, patience, was_there)
        bridge = Bridge(connect, connecting, tell)
        running = asyncio.create_task(bridge.run())
        try:
            await test(bridge, engine, told)
        finally:
            running.cancel()
            await bridge.close()
        return told

    return asyncio.run(run())


async def never(worker: str, lines: list[bytes]) -> Played:
    await asyncio.sleep(PATIENCE)
    raise AssertionError


def test_a_worker_becomes_a_slot_and_plays_what_it_is_dealt() -> None:
    async def test(bridge: Bridge, engine: Engine, told: Told) -> None:
        engine.join("tls://h:1")
        assert await told.wait_for(Joined) == Joined(0, "tls://h:1", FACTS, ())
        bridge.heard(Deal(0, "one"))
        assert (await told.wait_for(Heard)).lines == ("SessionDone one",)
        assert engine.called("play")[0][:2] == ("league-run", [b"one\n"])

    bridged(test)


def test_what_is_dealt_while_a_worker_plays_goes_there_with_the_next_question() -> None:
    async def test(bridge: Bridge, engine: Engine, told: Told) -> None:
        asked: list[list[bytes]] = []

        async def play(worker: str, lines: list[bytes]) -> Played:
            asked.append(lines)
            if len(asked) == 1:
                bridge.heard(Deal(0, "two"))
                bridge.heard(Deal(0, "three"))
            return Played([], left=max(0, 3 - len(asked)))

        engine.play = play
        engine.join("tls://h:1")
        await told.wait_for(Joined)
        bridge.heard(Deal(0, "one"))
        await until(lambda: len(asked) >= 3)
        assert asked == [[b"one\n"], [b"two\n", b"three\n"], []]

    bridged(test)


def test_what_comes_is_passed_on_in_pieces_that_are_not_without_end() -> None:
    lines = [b"Met " + size * b"x" + b"\n" for size in (10, 600_000, 600_000, 2_000_000, 5)]

    async def play(worker: str, dealt: list[bytes]) -> Played:
        return Played(lines)

    async def test(bridge: Bridge, engine: Engine, told: Told) -> None:
        engine.play = play
        engine.join("tls://a:1")
        await told.wait_for(Joined)
        bridge.heard(Deal(0, "one"))
        heard = [await told.wait_for(Heard, times=number) for number in range(1, 5)]
        assert [len(one.lines) for one in heard] == [2, 1, 1, 1]
        assert [line.encode() + b"\n" for one in heard for line in one.lines] == lines

    bridged(test)


def test_a_worker_that_leaves_is_reported_once_and_its_successor_is_another_slot() -> None:
    async def test(bridge: Bridge, engine: Engine, told: Told) -> None:
        engine.play = never
        engine.join("tls://h:1")
        await told.wait_for(Joined)
        bridge.heard(Deal(0, "one"))
        await asyncio.sleep(0.01)
        engine.leave("tls://h:1")
        assert await told.wait_for(Left) == Left(0, "it has left the cluster")
        engine.join("tls://h:2")
        assert (await told.wait_for(Joined, 2)).slot == 1
        bridge.heard(Deal(0, "too late"))
        await asyncio.sleep(0.01)
        assert len(engine.called("play")) == 1
        assert told.count(Left) == 1

    bridged(test)


def test_a_referee_that_ends_ends_the_slot_and_the_worker_becomes_another_one() -> None:
    async def test(bridge: Bridge, engine: Engine, told: Told) -> None:
        async def play(worker: str, lines: list[bytes]) -> Played:
            return Played([b"Met {}"], ended="its process was killed by signal 9")

        engine.play = play
        engine.join("tls://h:1")
        await told.wait_for(Joined)
        bridge.heard(Deal(0, "one"))
        bridge.heard(Deal(0, "two"))
        assert await told.wait_for(Broke) == Broke(0, "its process was killed by signal 9", in_order=False)
        assert (await told.wait_for(Joined, 2)).slot == 1

    told = bridged(test)
    assert isinstance(told[1], Heard), "what came before counts"


def test_a_process_that_does_not_become_ready_again_is_nobodys_fault_and_no_endless_loop() -> None:
    async def test(bridge: Bridge, engine: Engine, told: Told) -> None:
        async def play(worker: str, lines: list[bytes]) -> Played:
            return Played([], ended="all cores are claimed", unready=True)

        engine.play = play
        engine.join("tls://h:1")
        for number in range(3):
            await told.wait_for(Joined, number + 1)
            bridge.heard(Deal(number, "one"))
            assert await told.wait_for(Left, number + 1) == Left(number, "all cores are claimed")
        assert "all cores are claimed" in (await told.wait_for(Refused)).text
        await asyncio.sleep(0.1)
        assert (told.count(Joined), told.count(Broke)) == (3, 0)

    bridged(test)


@pytest.mark.parametrize("plays", [False, True])
def test_a_slot_that_is_stopped_ends_in_order_and_its_worker_is_left(plays: bool) -> None:
    async def test(bridge: Bridge, engine: Engine, told: Told) -> None:
        async def play(worker: str, lines: list[bytes]) -> Played:
            await until(lambda: bool(engine.called("stop")))
            return Played([], ended="its process ended with exit code 0")

        engine.play = play
        engine.join("tls://h:1")
        await told.wait_for(Joined)
        if plays:
            bridge.heard(Deal(0, "one"))
            await asyncio.sleep(0.01)
        bridge.heard(StopSlot(0))
        assert (await told.wait_for(Broke)).in_order
        await asyncio.sleep(0.1)
        assert len(engine.called("stop")) == plays
        assert engine.called("leave") == [("league-run",)]
        assert len(told) == 2, "it does not become a slot again"

    bridged(test)


async def wont(worker: str, lines: list[bytes]) -> Played:
    raise CallFailedError("TypeError: play() takes 2 positional arguments")


async def cut(worker: str, lines: list[bytes]) -> Played:
    raise WorkerGoneError("it cannot be reached: [Errno 24] Too many open files")


async def odd(worker: str, lines: list[bytes]) -> Any:
    return "played"


@pytest.mark.parametrize(
    ("play", "words"),
    [(wont, "play() takes 2"), (cut, "Too many open files"), (odd, "the bridge does not understand it")],
)
def test_a_worker_that_is_there_and_fails_again_and_again_is_left_out(
    play: Callable[[str, list[bytes]], Awaitable[Any]], words: str
) -> None:
    async def test(bridge: Bridge, engine: Engine, told: Told) -> None:
        engine.play = play
        engine.join("tls://h:1")
        for number in range(3):
            await told.wait_for(Joined, number + 1)
            bridge.heard(Deal(number, "one"))
            assert words in (await told.wait_for(Left, number + 1)).why
        refused = await told.wait_for(Refused)
        assert refused.why is Why.FAILS
        assert words in refused.text
        await asyncio.sleep(0.1)
        assert [type(message) for message in told] == [Joined, Left] * 3 + [Refused]

    bridged(test)


def test_what_a_host_lacks_is_sent_in_pieces_before_it_begins(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("print()")

    async def test(bridge: Bridge, engine: Engine, told: Told) -> None:
        engine.lacks = ["d1"]
        engine.join("tls://h:1")
        await told.wait_for(Joined)
        [(digest, place, data, last)] = engine.called("take")
        assert (digest, place, last) == ("d1", 0, True)
        assert b"print()" in data
        assert [name for _, name, _ in engine.calls] == ["take_over", "missing", "take", "begin"]

    bridged(test, bundles={"d1": str(tmp_path)})


@pytest.mark.parametrize(
    ("trouble", "why", "words"),
    [
        ({"broken": "ModuleNotFoundError: No module named 'arena'"}, Why.ARENA, "pip install"),
        ({"broken": "AttributeError: take_over"}, Why.ARENA, "another one"),
        ({"full": "/cache: No space left on device"}, Why.ROOM, "No space left"),
        ({"busy": "it plays for another league"}, Why.BUSY, "another league"),
        ({"unreached": "[Errno 13] Permission denied"}, Why.FAILS, "[Errno 13]"),
        ({"odd": 'Facts {"host": "h1"}'}, Why.ARENA, "its arena is another one"),
        ({"odd": "Ready"}, Why.ARENA, "its arena is another one"),
    ],
)
def test_a_worker_that_cannot_be_used_is_left_out_and_ends_the_run_if_there_is_no_other(
    trouble: dict[str, str], why: Why, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_MISSING_SECONDS", 0.01)

    async def test(bridge: Bridge, engine: Engine, told: Told) -> None:
        engine.lacks = ["d1"]
        for name, value in trouble.items():
            setattr(engine, name, value)
        engine.join("tls://h:1")
        refused = await told.wait_for(Refused)
        assert (refused.where, refused.why) == ("tls://h:1", why)
        assert words in refused.text
        lost = await told.wait_for(Lost)
        assert lost.text.startswith("no worker of tls://far:1 can play:\n")
        assert words in lost.text

    bridged(test, bundles={"d1": str(tmp_path)})


@pytest.mark.parametrize("was_there", [False, True])
def test_workers_that_have_played_are_waited_for_though_others_cannot_play(
    was_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may have played for an earlier bridge of the run."""
    monkeypatch.setattr(module, "_MISSING_SECONDS", 0.01)

    async def test(bridge: Bridge, engine: Engine, told: Told) -> None:
        engine.play = never
        if not was_there:
            engine.join("tls://good:1")
            await told.wait_for(Joined)
        engine.join("tls://bad:1", FACTS, Unready(Why.BOT, "b0 does not start"))
        await told.wait_for(Refused)
        if not was_there:
            bridge.heard(Deal(0, "is lost with it"))
            engine.leave("tls://good:1")
            await told.wait_for(Left)
        assert (
            "b0 does not start\nWhat to do: docs/cluster.md; a bot that is not ready is replaced with "
            "--allow-broken\nOthers are waited for at most 300 s"
        ) in (await told.wait_for(Said)).text
        engine.join("tls://good:2")
        await told.wait_for(Joined, 2 - was_there)
        assert told.count(Lost) == 0

    bridged(test, was_there=was_there)


def test_a_scheduler_that_was_there_for_an_earlier_bridge_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_RETRY_SECONDS", 0.01)

    async def test(bridge: Bridge, engine: Engine, told: Told) -> None:
        engine.lost = True
        await asyncio.sleep(0.1)
        assert told.count(Lost) == 0
        engine.lost = False
        engine.join("tls://h:1")
        await told.wait_for(Joined)

    bridged(test, was_there=True)


def test_a_cluster_that_is_gone_is_waited_for_and_its_slots_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_RETRY_SECONDS", 0.01)

    async def test(bridge: Bridge, engine: Engine, told: Told) -> None:
        engine.join("tls://h:1")
        await told.wait_for(Joined)
        engine.lost = True
        assert await told.wait_for(Left) == Left(0, "the scheduler is gone")
        assert "it is waited for at most 300 s" in (await told.wait_for(Said)).text
        engine.lost = False
        assert (await told.wait_for(Joined, 2)).slot == 1

    bridged(test)


@pytest.mark.parametrize("was_there", [False, True])
def test_a_cluster_that_does_not_come_back_ends_the_run(
    was_there: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_RETRY_SECONDS", 0.01)

    async def test(bridge: Bridge, engine: Engine, told: Told) -> None:
        if was_there:
            engine.join("tls://h:1")
            await told.wait_for(Joined)
        engine.lost = True
        assert (await told.wait_for(Lost)).text in {"no scheduler answers", "the scheduler is gone"}

    bridged(test, patience=0.05)
