"""Referees that stand still: a run is stopped all the same, and goes on without them."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from arena.runner.coordinator import Ending
from arena.store.views import MatchState
from tests.running import LONG_MOVES, Run, assert_nothing_runs, finished, make_league, matches

pytestmark = pytest.mark.slow


def fill_pipes(pid: int) -> None:
    """Fill every pipe that a process reads from, so that whoever sends it something has to wait."""
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        if entry.readlink().name.startswith("pipe:") and not _flags(pid, entry.name) & os.O_ACCMODE:
            pipe = os.open(entry, os.O_WRONLY | os.O_NONBLOCK)
            for size in (4096, 1):
                with suppress(BlockingIOError):
                    while True:
                        os.write(pipe, b"x" * size)
            os.close(pipe)


def _flags(pid: int, descriptor: str) -> int:
    about = Path(f"/proc/{pid}/fdinfo/{descriptor}").read_text()
    return int(about.partition("flags:")[2].split()[0], 8)


def test_ctrl_c_twice_stops_although_a_referee_stands_still_and_reads_nothing(tmp_path: Path) -> None:
    league = make_league(tmp_path, bots=4, cycles=40, slow=0.02, more=LONG_MOVES)
    run = Run(league, "--jobs", "3")
    run.wait_for(lambda: finished(league) and len(run.referees()) == 3)
    stuck = run.referees()[0]
    os.kill(stuck, signal.SIGSTOP)
    fill_pipes(stuck)
    run.interrupt()
    run.wait_for(lambda: run.referees() == [stuck])  # the others have finished their matches
    assert matches(league, state=MatchState.BEGUN), "those of the one that stands still"
    run.interrupt()
    outcome = run.end()
    assert outcome.code == 130
    assert Ending.CUT_OFF.value in outcome.err
    assert_nothing_runs(tmp_path, 0.0)
    assert {match.state for match in matches(league)} == {MatchState.FINISHED, MatchState.INTERRUPTED}
