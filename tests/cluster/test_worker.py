"""A worker's link to its host process: whom it plays for, and that nothing is lost or said twice."""

from __future__ import annotations

import asyncio
import platform
import sys
from collections.abc import Callable

import pytest

from arena.cluster import worker
from arena.cluster.worker import Link

ECHO = "import sys\nfor line in sys.stdin:\n    print(line, end='', flush=True)\n"
"""Stands for a host process: it says what it hears, and ends with its input."""
OURS, OTHERS = "league-1", "another-1"


class Heard:
    """What the scheduler is told by a link."""

    def __init__(self) -> None:
        self.events: list[tuple[str, int, list[bytes]]] = []

    def log_event(self, topic: str, said: object) -> None:
        assert isinstance(said, dict)
        assert topic == f"arena-{said['run'].partition('-')[0]}"
        self.events.append((said["run"], said["first"], said["lines"]))

    def lines(self, run: str) -> list[bytes]:
        """What was said for a run, in the order of its numbers, each once."""
        found: list[bytes] = []
        for whose, first, lines in self.events:
            if whose == run:
                assert first == len(found)
                found += lines
        return found

    async def until(self, true: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not true():  # noqa: ASYNC110 - nobody tells of it
                await asyncio.sleep(0.01)


@pytest.fixture
def heard(monkeypatch: pytest.MonkeyPatch) -> Heard:
    monkeypatch.setattr(worker, "same_python", lambda *_: ([sys.executable, "-c", ECHO], {}))
    monkeypatch.setattr(worker, "_GATHER_SECONDS", 0.01)
    return Heard()


def linked(heard: Heard) -> Link:
    link = Link(())
    link.log_event = heard.log_event
    return link


def test_lines_come_once_and_in_order_though_they_are_sent_twice(heard: Heard) -> None:
    async def work() -> None:
        link = linked(heard)
        await link.relay(OURS, 0, [b"a", b"b"])
        await link.relay(OURS, 0, [b"a", b"b"])
        await link.relay(OURS, 1, [b"b", b"c"])
        await heard.until(lambda: len(heard.lines(OURS)) == 3)
        await link.end()
        assert heard.lines(OURS)[:3] == [b"a", b"b", b"c"]
        assert heard.lines(OURS)[3].startswith(b'0 ended 0 "it was told to end')

    asyncio.run(work())


def test_one_league_keeps_a_worker_and_only_its_own_next_run_takes_it_over(heard: Heard) -> None:
    async def work() -> None:
        link = linked(heard)
        await link.relay(OURS, 0, [b"a"])
        await link.relay(OTHERS, 0, [b"x"])
        assert heard.lines(OTHERS) == [f'0 busy 0 "{platform.node()}"'.encode()]
        await link.relay("league-2", 0, [b"b"])
        assert heard.lines(OURS)[-1].startswith(b"0 ended 0 ")
        await link.end()
        await link.relay(OTHERS.replace("1", "2"), 0, [b"y"])
        await link.end()
        assert heard.lines("another-2")[0] == b"y"

    asyncio.run(work())
