"""What outlives coordinator and referees, and that it is ended: adopted at once, or at the next run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.linux.leftovers import MARK, end_leftovers, mark_of
from tests.running import Run, assert_nothing_runs, make_league, matches, play
from tests.tables import left_alive

_BREED = """
    if not hasattr(run, "bred"):
        run.bred = True
        if os.fork() == 0:
            os.setsid()
            open("../../../bred", "w").close()
            time.sleep(600)
"""
"""A bot's trick: a child in a session of its own, which holds the bot's standard output."""

_FAMILY = """
import os, signal, sys, time
reading, writing = os.pipe()
if os.fork() == 0:
    os.execve(sys.executable, [sys.executable, "-c",
        "import os, time; os.setsid(); os.write(%d, b'x'); time.sleep(600)" % writing], {})
signal.signal(signal.SIGTERM, signal.SIG_IGN)
"""


class _Stranger:
    """A process with this environment in a session of its own; `more` is what it does before it sleeps."""

    def __init__(self, mark: str, more: str = "") -> None:
        self._popen = subprocess.Popen(
            [sys.executable, "-c", f"import time\n{more}\nprint(flush=True)\ntime.sleep(600)"],
            stdout=subprocess.PIPE,
            env={"PATH": os.environ["PATH"], MARK: mark},
            start_new_session=True,
        )
        assert self._popen.stdout is not None
        self._popen.stdout.readline()
        self.pid = self._popen.pid

    def end(self) -> None:
        self._popen.kill()
        assert self._popen.stdout is not None
        self._popen.stdout.close()
        self._popen.wait()


@pytest.fixture
def strangers() -> Iterator[list[_Stranger]]:
    started: list[_Stranger] = []
    yield started
    for one in started:
        one.end()


def test_only_what_bears_the_mark_is_ended_and_what_hangs_below_it(strangers: list[_Stranger]) -> None:
    ours = ["mine", "mine"]
    strangers += [_Stranger("mine", _FAMILY), _Stranger("mine"), _Stranger("mine2"), _Stranger("")]
    os.kill(strangers[1].pid, signal.SIGSTOP)
    assert end_leftovers("mine") == len(ours) + 1
    pids = [one.pid for one in strangers]
    assert left_alive(pids[:2]) == []
    assert left_alive(pids[2:], 0) == pids[2:]
    assert end_leftovers("mine") == 0


@pytest.mark.slow
def test_nothing_outlives_an_arena_that_is_killed_as_a_whole(tmp_path: Path) -> None:
    league = make_league(tmp_path, bots=3, slow=0.01, trick=_BREED)
    run = Run(league)
    run.wait_for(lambda: run.referees() and (tmp_path / "bred").exists())
    for pid in (run.process.pid, *run.referees()):
        os.kill(pid, signal.SIGSTOP)  # so that none sees the other go
    for pid in (*run.referees(), run.process.pid):
        os.kill(pid, signal.SIGKILL)
    run.process.wait()
    assert_nothing_runs(tmp_path)


@pytest.mark.slow
def test_what_has_escaped_all_the_same_is_ended_by_the_next_run(
    tmp_path: Path, strangers: list[_Stranger]
) -> None:
    league = make_league(tmp_path, bots=3)
    strangers.append(_Stranger(mark_of(tmp_path / "league.arena")))
    outcome = play(league)
    assert outcome.code == 0
    assert left_alive([strangers[0].pid], 0) == []
    assert "that bots of an earlier run had left running" in outcome.err
    assert len(matches(league)) >= 6
