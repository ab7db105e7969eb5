"""Pages that are written while a league is played: again and again, and a failure is said once."""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
import trio
import trio.testing

from arena.league import read_league
from arena.runner.pages import PageProcess, keep_writing
from tests.running import LONG_MOVES, Run, assert_nothing_runs, finished, make_league, play, processes


def writing(
    seconds: float = 0.0, why: list[str] | None = None
) -> tuple[list[int], Callable[[], Awaitable[str]]]:
    """What notes when it is called, takes so many seconds, and fails for these reasons in turn."""
    at: list[int] = []
    begun = trio.current_time()

    async def write() -> str:
        at.append(round(trio.current_time() - begun))
        await trio.sleep(seconds)
        return why.pop(0) if why else ""

    return at, write


async def test_pages_are_written_soon_and_again_and_again(autojump_clock: trio.testing.MockClock) -> None:
    at, write = writing()
    with trio.move_on_after(95):
        await keep_writing(write, pytest.fail)
    assert at == [5, 35, 65]


async def test_a_failure_is_said_once_and_stops_nothing(autojump_clock: trio.testing.MockClock) -> None:
    said: list[str] = []
    why = ["the disk is full", "the disk is full", "no such folder", "the disk is full"]
    _, write = writing(why=why)
    with trio.move_on_after(185):
        await keep_writing(write, said.append)
    assert said == ["the disk is full", "no such folder", "the disk is full"]
    assert not why


async def test_pages_that_take_long_are_written_less_often(autojump_clock: trio.testing.MockClock) -> None:
    """A tenth of the time at most goes into writing them."""
    at, write = writing(seconds=20)
    with trio.move_on_after(500):
        await keep_writing(write, pytest.fail)
    assert at == [5, 205, 405]


def page_processes(folder: Path) -> list[int]:
    return [int(line.partition(":")[0]) for line in processes(folder) if "arena pages" in line]


@pytest.mark.slow
def test_whatever_becomes_of_the_process_of_the_pages_it_is_said_and_another_one_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    league, pages = make_league(tmp_path, cycles=1), tmp_path / "league-report"
    assert play(league).code == 0
    monkeypatch.chdir(tmp_path)  # by which its processes are found

    async def write() -> None:
        process = PageProcess(read_league(league))
        try:
            assert await process.write() == ""
            pages.rename(tmp_path / "taken")
            pages.touch()
            assert (await process.write()).endswith(f"{pages.name}: File exists")
            pages.unlink()
            (first,) = page_processes(tmp_path)
            os.kill(first, signal.SIGKILL)
            assert "the pages were not written: their process was killed by signal 9" in await process.write()
            assert await process.write() == ""
            assert (pages / "index.html").exists()
        finally:
            await process.close()

    trio.run(write)
    assert not page_processes(tmp_path)


@pytest.mark.slow
def test_a_run_does_not_wait_for_its_pages_and_writes_them_in_the_end(tmp_path: Path) -> None:
    league, pages = make_league(tmp_path, cycles=40, slow=0.02, more=LONG_MOVES), tmp_path / "league-report"
    run = Run(league)
    run.wait_for(lambda: page_processes(tmp_path))
    os.kill(page_processes(tmp_path)[0], signal.SIGSTOP)
    run.wait_for_matches(finished(league) + 4)
    run.interrupt()
    assert run.end().code == 130
    assert_nothing_runs(tmp_path, 0.0)
    shown = (pages / "data" / "replay-1.js").read_text(encoding="utf-8")
    assert shown.count('{"session":') == finished(league)
