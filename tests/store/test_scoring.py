"""Which entries and sessions of a stored season make its standings, and under which margin."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.score.results import SessionResult
from arena.score.table import Standings
from arena.store import read
from arena.store.database import Database
from arena.store.history import NOTED_KEYS, Action
from arena.store.scoring import noted_margin, scoring_of
from arena.store.views import Progress, SeasonView, SessionState
from tests.store.samples import BOTS, opened


@pytest.fixture
def stored(tmp_path: Path) -> tuple[SeasonView, Progress]:
    """A season of seven bots and a stand-in, of which nothing has been played."""
    return progress_of(opened(tmp_path / "spring.db"))


def progress_of(database: Database) -> tuple[SeasonView, Progress]:
    with database:
        season = read.current_season(database)
        assert season is not None
        return season, read.progress(database, season.number)


def result(index: int, *bots: str, charge: int = 0) -> SessionResult:
    points = dict(zip(bots, (1000, 1500, 700, 800), strict=True))
    return SessionResult(0, index, 16, points, {bots[0]: charge})


def season_standings(
    season: SeasonView,
    progress: Progress,
    states: dict[tuple[int, int], SessionState],
    results: list[SessionResult],
) -> Standings:
    return scoring_of(season, progress, states).standings(results)


def test_the_stand_in_is_there_from_its_first_session_on(stored: tuple[SeasonView, Progress]) -> None:
    without = season_standings(*stored, {}, [result(0, *BOTS[:4])])
    assert without.house == ()
    seated = season_standings(*stored, {}, [result(0, *BOTS[4:])])
    assert [row.bot for row in seated.house] == ["hen"]
    assert all(row.bot != "hen" for row in seated.rows)


def test_nobody_waits_for_sessions_that_never_count(stored: tuple[SeasonView, Progress]) -> None:
    season, progress = stored  # 2 cycles of 3 sessions
    results = [result(0, *BOTS[:4])]
    waiting = season_standings(season, progress, {}, results)
    assert waiting.provisional == "provisional, cycle 1 at 33 %"
    states = {(0, 1): SessionState.VOIDED, (0, 2): SessionState.LEFT_OUT, (0, 0): SessionState.COMPLETE}
    assert season_standings(season, progress, states, results).provisional == "provisional, 1 of 2 cycles"


def noted(detail: str, what: str = NOTED_KEYS) -> Action:
    return Action(0, "me", what, "1", "", detail)


def test_the_margin_is_what_the_last_run_noted() -> None:
    first = noted('{"free": {"schedule": {"margin": 2.0}}, "growing": {}}')
    last = noted('{"free": {"schedule": {"margin": 3.5}}, "growing": {}}')
    other = noted('{"free": {"schedule": {"margin": 9.0}}}', "changed key")
    assert noted_margin([first, last, other], 1) == 3.5
    assert noted_margin([last, first], 1) == 2.0
    assert noted_margin([first, replace(last, subject="2")], 1) == 2.0, "a later season"


@pytest.mark.parametrize("detail", ["{}", '{"free": {"schedule": {"margin": null}}}', '{"free": 1}'])
def test_without_a_margin_nothing_counts_as_level(detail: str) -> None:
    assert noted_margin([], 1) == 0.0
    assert noted_margin([noted(detail)], 1) == 0.0
