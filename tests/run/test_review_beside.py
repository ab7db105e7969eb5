"""A review beside a run: the run plays on as without it, and both store what they find in one database."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.store.database import Database
from arena.store.reader import Reader
from arena.store.views import MatchState
from tests.running import Run, finished, make_league, matches

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("cores"),  # claims hold for the whole machine
    pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="a core for the run and one for the review"),
]


def review(league: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Review a bot for about a second."""
    command = [
        sys.executable,
        "-m",
        "arena",
        "review",
        league.name,
        "b0",
        "--worlds",
        "4",
        "--minutes",
        "0.02",
    ]
    return subprocess.run(
        [*command, *options], cwd=league.parent, capture_output=True, text=True, timeout=120, check=False
    )


def stored(league: Path) -> int:
    with Database.open(league.parent / "tiny.db", read_only=True) as database:
        return len(list(Reader(database).reviews(1, "b0")))


def test_a_run_goes_on_while_a_bot_is_reviewed(tmp_path: Path) -> None:
    league = make_league(tmp_path, bots=3, cycles=4, slow=0.01)
    run = Run(league, "--jobs", "1")
    run.wait_for_matches(7)  # a whole session
    refused = review(league)
    assert refused.returncode == 2
    assert f"This league is being run by process {run.process.pid}" in refused.stderr
    played = 0
    while run.process.poll() is None and not played:
        beside = review(league, "--jobs", "1")
        # Without a referee, as at its end, all cores of a run count as taken.
        assert beside.returncode == 0 or "leaves no core" in beside.stderr, beside.stderr
        played += beside.returncode == 0 and run.process.poll() is None
    outcome = run.end()
    assert outcome.code == 0
    assert played > 0
    assert stored(league) > 0
    assert "warning" not in outcome.err.casefold()
    assert {match.state for match in matches(league)} == {MatchState.FINISHED}
    assert finished(league) == len(matches(league)) == 24
