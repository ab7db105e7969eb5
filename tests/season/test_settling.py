"""Leagues whose budget settles nothing, or whose time is up; that one is settled is in tests/runner."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.store import read
from arena.store.database import Database
from arena.store.history import TIME_IS_UP
from arena.store.views import Progress, SeasonView, SessionState
from arena.verify.verify import verify
from tests.running import Run, edit, finished, make_league, play


def duel(folder: Path, cycles: int, schedule: str) -> Path:
    """Two bots that are level within 100 points; 15 cycles are enough for verdicts."""
    league = make_league(folder, bots=2, cycles=cycles)
    edit(league, f"cycles = {cycles}\n", f"cycles = {cycles}\nmargin = 100.0\n{schedule}\n")
    return league


def now(league: Path) -> tuple[SeasonView, Progress]:
    with Database.open(league.parent / "tiny.db", read_only=True) as database:
        season = read.current_season(database)
        assert season is not None
        assert verify(database, [season]).difference is None
        return season, read.progress(database, season.number)


@pytest.mark.slow
def test_a_budget_that_settles_nothing_says_so_also_where_the_stand_in_came_into_the_field(
    tmp_path: Path,
) -> None:
    league = make_league(tmp_path, bots=3, cycles=3)
    edit(league, "cycles = 3\n", 'cycles = 3\nline_ups = "gauntlet"\nstop = "settled"\n')
    for bot in ("b1", "b2"):
        edit(league, f'folder = "bots/{bot}"\n', f'folder = "bots/{bot}"\nrole = "house"\n')
    edit(tmp_path / "bots/b2/bot.py", "time.sleep(0.0)", "os._exit(3)")
    outcome = play(league)
    assert outcome.code == 0, outcome.err
    assert "b2 is excluded" in outcome.err
    season, _ = now(league)
    assert season.phases[0].end_reason.startswith("budget reached: verdicts need 30 sessions")


@pytest.mark.slow
def test_a_run_ends_at_a_session_when_its_time_is_up(tmp_path: Path) -> None:
    # Long enough for a busy machine to begin a session, too short for a fast one to play all 160 matches.
    league = duel(tmp_path, 40, "max_hours = 0.0004")
    first = play(league)
    assert first.code == 0, first.err
    assert "max_hours is reached" in first.err
    season, progress = now(league)
    assert 0 < progress.sessions_complete < 80
    assert season.phases[0].ended_at is None, "its secret stays a secret"
    with Database.open(tmp_path / "tiny.db", read_only=True) as database:
        assert set(read.session_states(database, 1).values()) == {SessionState.COMPLETE}
        assert [line.subject for line in read.logs(database)].count(TIME_IS_UP) == 1

    edit(league, "max_hours = 0.0004", "max_hours = 1")
    before = finished(league)
    run = Run(league)
    run.wait_for_matches(before + 1)
    run.interrupt()
    assert run.end().code == 130
    season, _ = now(league)
    assert len(season.phases) == 1
