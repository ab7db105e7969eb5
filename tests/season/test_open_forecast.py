"""The forecast of an open league: the next field, the catch-up, the first look. Nothing is started."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.league.reader import read_league
from arena.season.forecast import Forecast, Pace, forecast
from tests.cli.calling import caller
from tests.open_played import OpenPlay
from tests.running import enter, leave, make_open_league


@pytest.fixture
def league(tmp_path: Path) -> Path:
    return make_open_league(tmp_path, schedule="cycles = 4\nversion_hours = 0\n")


def told(league: Path) -> Forecast:
    return forecast(read_league(league))


def first_verdicts(seen: Forecast) -> int:
    """Return after how many further cycles verdicts are possible."""
    assert seen.verdicts is not None
    return max(0, seen.verdicts.cycles - seen.cycles_over)


def test_a_league_of_which_nothing_was_begun(league: Path) -> None:
    seen = told(league)
    assert (seen.goes_on, tuple(seen.players)) == (False, ("b0@1", "b1@1", "b2@1", "b3@1"))
    assert (seen.size, seen.catch_up, seen.measured) == (seen.size_left, {}, None)
    assert (seen.size_left.cycles, seen.size_left.sessions) == (4, 16)
    assert first_verdicts(seen) == 6  # 16 sessions of each, 3 a cycle
    assert not league.with_name("league.db").exists()


@pytest.mark.slow
def test_what_is_told_is_what_is_then_begun(league: Path) -> None:
    with OpenPlay(league) as play:
        play.phase()
        enter(league, "b4", 2)
        leave(league, "b0")
        seen = told(league)
        play.begin()
        plan = play.arrivals.season().plan
        view = play.arrivals.view
        names = tuple(view.entries[number].bot for number in plan.present(4))
        assert tuple(seen.players) == names == ("b1@1", "b2@1", "b3@1", "b4@1")
        sessions = sum(plan.sessions_in(cycle) for cycle in range(4, view.phases[-1].cycles_planned))
        assert (seen.size_left.sessions, seen.size_left.cycles) == (
            sessions,
            view.phases[-1].cycles_planned - 4,
        )
        begun = told(league)
    assert seen.ahead is not None
    assert (seen.ahead.come, seen.ahead.gone) == (("b4@1",), ("b0@1",))
    assert seen.catch_up.keys() == {"b4@1"}
    assert seen.measured is not None
    assert (seen.begun, begun.begun, begun.size_left.sessions) == (None, 1, sessions)


@pytest.mark.slow
def test_the_first_look_is_there_when_it_was_told(league: Path) -> None:
    with OpenPlay(league) as play:
        play.phase()
        assert first_verdicts(told(league)) == 2
        play.phase()
        assert first_verdicts(told(league)) == 0


@pytest.mark.slow
def test_the_first_look_counts_the_sessions_of_a_block_too(league: Path) -> None:
    """12 sessions of each; beside a newcomer each of the four sits in four more, and that is enough."""
    with OpenPlay(league) as play:
        play.phase()
        assert first_verdicts(told(league)) == 2
        enter(league, "n0", 1)
        seen = told(league)
        assert (seen.catch_up, first_verdicts(seen)) == ({"n0@1": 9}, 1)
        play.begin()
        assert first_verdicts(told(league)) == 1, "the same once it has begun"


def test_too_few_bots_and_house_bots(tmp_path: Path) -> None:
    league = make_open_league(tmp_path, bots=1)
    assert told(league).players == {}
    enter(league, "b1", 1)
    assert tuple(told(league).players) == ("b0@1", "b1@1", "house-1@1")


def test_the_command_shows_it(
    league: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.runner.trial.try_sessions", lambda *_: Pace(0.5))
    arena = caller(capsys)
    text = arena("run", league, "--dry-run", "--jobs", "2")
    assert text.code == 0, text.err
    assert "if nobody changes: b0@1, b1@1, b2@1, b3@1" in text.out
    assert "possible after 6 more cycles, if nobody changes" in text.out
    assert "about 24 s with 2 referees, judged by sessions " in text.out
    assert max(map(len, text.out.splitlines())) <= 80
    shown = json.loads(arena("run", league, "--dry-run", "--json").out)
    assert (shown["open"], shown["whole"]["sessions"]) == (True, 16)
