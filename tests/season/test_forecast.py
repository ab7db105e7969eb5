"""What is said of a league before it is played, against what is then played."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.league import read_league
from arena.season.forecast import Size, forecast
from arena.store import read
from arena.store.database import Database
from arena.store.scoring import played_balance
from tests.cli.calling import caller
from tests.open_played import OpenPlay
from tests.running import edit, enter, leave, make_league, make_open_league, play


@pytest.mark.slow
def test_a_forecast_comes_true(tmp_path: Path) -> None:
    league = make_league(tmp_path, bots=4)
    seen = forecast(read_league(league))
    assert (seen.season, seen.goes_on, seen.changes, seen.kind) == (1, False, (), "all")
    assert seen.size == seen.size_left == seen.size_of_cycle == Size(1, 4, 24)
    assert (seen.ended, seen.match_seconds) == ("", None)
    assert seen.seconds(0.5, 2) == 24 * 0.5 / 2
    assert not (tmp_path / "league.db").exists()
    assert not (tmp_path / "league.arena").exists()

    assert play(league).code == 0
    with Database.open(tmp_path / "league.db", read_only=True) as database:
        season = read.current_season(database)
        assert season is not None
        assert played_balance(season, read.matches(database, 1)) == seen.balance[1]
    assert forecast(read_league(league)).size_left.sessions == 0
    anew = forecast(read_league(league), new_season=True)
    assert (anew.season, anew.goes_on, anew.size_left, anew.match_seconds) == (2, False, seen.size_left, None)
    edit(league, "cycles = 1", "cycles = 3")
    more = forecast(read_league(league))
    assert (more.season, more.size_left.sessions, more.size_left.matches) == (1, 8, 48)
    assert more.match_seconds is not None
    assert more.balance[0] == 3

    edit(league, "rounds = 3", "rounds = 6")
    other = forecast(read_league(league))
    assert other.season is None
    assert [change.key for change in other.changes] == ["league.rounds"]
    assert other.size_left.sessions == 12
    assert forecast(read_league(league), new_season=True).season == 2


def test_a_field_that_has_no_schedule(tmp_path: Path) -> None:
    league = make_league(tmp_path, bots=52)
    edit(league, "cycles = 1", 'cycles = 1\nline_ups = "all"')
    with pytest.raises(UsageError, match="22,100 line-ups a cycle"):
        forecast(read_league(league))


# An open league


@pytest.fixture
def league(tmp_path: Path) -> Path:
    return make_open_league(tmp_path, schedule="cycles = 4\nversion_hours = 0\n")


def further(league: Path) -> int:
    """Return after how many further cycles verdicts are possible."""
    seen = forecast(read_league(league))
    assert seen.verdicts is not None
    return seen.verdicts.cycles - seen.cycles_over


def test_an_open_league_of_which_nothing_was_begun(
    league: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.runner.trial.try_sessions", lambda *_: 0.5)
    text = caller(capsys)("run", league, "--dry-run", "--jobs", "2")
    assert text.code == 0, text.err
    assert "if nobody changes: b0@1, b1@1, b2@1, b3@1" in text.out
    assert "phase     4 cycles = 16 sessions, 96 matches" in text.out
    assert "possible after 6 more cycles, if nobody changes" in text.out, "16 sessions of each, 3 a cycle"
    assert "about 24 s with 2 referees, judged by sessions " in text.out
    assert max(map(len, text.out.splitlines())) <= 80
    assert not league.with_name("league.db").exists()


@pytest.mark.slow
def test_the_next_phase_is_foreseen_as_it_is_then_begun(league: Path) -> None:
    with OpenPlay(league) as play:
        play.phase()
        assert further(league) == 2
        enter(league, "b4", 2)
        leave(league, "b0")
        seen = forecast(read_league(league))
        play.begin()
        plan, view = play.arrivals.season().plan, play.arrivals.view
        names = tuple(view.entries[number].bot for number in plan.present(4))
        assert tuple(seen.players) == names == ("b1@1", "b2@1", "b3@1", "b4@1")
        cycles = range(4, view.phases[-1].cycles_planned)
        sessions = sum(map(plan.sessions_in, cycles))
        assert (seen.size_left.sessions, seen.size_left.cycles) == (sessions, len(cycles))
        begun = forecast(read_league(league))
        assert (seen.begun, begun.begun, begun.size_left.sessions) == (None, 1, sessions)
        play.play()
        assert further(league) == 0
    assert seen.ahead is not None
    assert (seen.ahead.come, seen.ahead.gone) == (("b4@1",), ("b0@1",))
    assert seen.match_seconds is not None


def test_too_few_bots_and_house_bots(tmp_path: Path) -> None:
    league = make_open_league(tmp_path, bots=1)
    assert forecast(read_league(league)).players == {}
    enter(league, "b1", 1)
    assert tuple(forecast(read_league(league)).players) == ("b0@1", "b1@1", "house-1@1")
