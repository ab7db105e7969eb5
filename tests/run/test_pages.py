"""Pages that are written while a league is played: again and again, and a failure is said once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import trio
import trio.testing

from arena.errors import UsageError
from arena.run.pages import keep_writing

TAKES = 0.1


@pytest.fixture(autouse=True)
def no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock of these tests would run on while a thread works, so writing takes `TAKES` seconds."""

    async def run_sync(write: Callable[[], object]) -> None:
        await trio.sleep(TAKES)
        write()

    monkeypatch.setattr(trio.to_thread, "run_sync", run_sync)


async def test_pages_are_written_again_and_again(autojump_clock: trio.testing.MockClock) -> None:
    at: list[int] = []
    begun = trio.current_time()
    with trio.move_on_after(35):
        await keep_writing(lambda: at.append(round(trio.current_time() - begun)), 10, print)
    assert at == [10, 20, 30]


async def test_a_failure_is_said_once_and_stops_nothing(autojump_clock: trio.testing.MockClock) -> None:
    said: list[str] = []
    why = ["the disk is full", "the disk is full", "no such folder", "the disk is full"]

    def write() -> None:
        if why:
            raise UsageError(why.pop(0))

    with trio.move_on_after(65):
        await keep_writing(write, 10, said.append)
    assert said == ["the disk is full", "no such folder", "the disk is full"]
    assert not why


async def test_pages_that_take_long_are_written_less_often(
    autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tenth of the time at most goes into writing them."""
    monkeypatch.setattr("tests.run.test_pages.TAKES", 20)
    at: list[int] = []
    begun = trio.current_time()
    with trio.move_on_after(500):
        await keep_writing(lambda: at.append(round(trio.current_time() - begun)), 10, print)
    assert at == [30, 230, 430]
