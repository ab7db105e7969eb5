"""Referees that stand still: a run is stopped all the same, and goes on without them."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from arena.league import read_league
from arena.linux.process_tree import children
from arena.match.record import MatchRecord
from arena.runner import season_run
from arena.runner.coordinator import Ending
from arena.runner.run import run_league
from arena.runner.season_run import RunOptions, RunWatcher
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


class Stopper(RunWatcher):
    """Stops one of the referees when the first match is stored."""

    def __init__(self, known: set[int]) -> None:
        self.known = known
        self.stopped = 0
        self.texts: list[str] = []

    def finished(self, record: MatchRecord, matches_left: int) -> None:
        if not self.stopped:
            self.stopped = min(set(children()) - self.known)
            os.kill(self.stopped, signal.SIGSTOP)

    def say(self, text: str) -> None:
        self.texts.append(text)


def test_a_league_goes_on_without_a_referee_that_stands_still(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(season_run, "longest_silence", lambda league, commands: 15.0)
    league = make_league(tmp_path, bots=4, cycles=4, more=LONG_MOVES)
    stopper = Stopper(set(children()))
    assert run_league(read_league(league), RunOptions(), stopper) is Ending.COMPLETE
    assert finished(league) == 4 * 4 * 6
    assert any("killed by signal 9, for it said nothing for 15 seconds" in text for text in stopper.texts)
    assert matches(league, state=MatchState.INTERRUPTED)
    assert not matches(league, state=MatchState.ABORTED)
    assert_nothing_runs(tmp_path)
