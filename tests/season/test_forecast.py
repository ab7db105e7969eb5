"""What is said of a league before it is played, against what is then played."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import UsageError
from arena.league import read_league
from arena.season.forecast import Basis, Size, _starts, forecast
from arena.season.opening import OpenSeason, open_season, plan_of
from arena.season.stretches import open_stretch
from arena.store import read, write
from arena.store.database import Database
from arena.store.inputs import PlannedSession
from arena.store.scoring import played_balance
from tests.running import edit, make_league, play


@pytest.mark.slow
def test_a_forecast_comes_true(tmp_path: Path) -> None:
    league = make_league(tmp_path, bots=4)
    seen = forecast(read_league(league), jobs=1)
    assert (seen.season, seen.changes, seen.kind, seen.house) == (None, (), "all", ())
    assert seen.whole == seen.left == seen.a_cycle == Size(1, 4, 24, 72, 72 * 3 * 21)
    assert (seen.duration.basis, seen.duration.jobs) == (Basis.SAMPLE, 1)
    assert not seen.settled
    assert 0 < seen.duration.seconds < seen.duration.most_seconds == 72 * 3 * 21 * 1.0
    assert not (tmp_path / "tiny.db").exists()
    assert not (tmp_path / "tiny.arena").exists()

    assert play(league).code == 0
    with Database.open(tmp_path / "tiny.db", read_only=True) as database:
        season = read.current_season(database)
        assert season is not None
        assert played_balance(season, read.matches(database, 1)) == seen.balance
    edit(league, "cycles = 1", "cycles = 3")
    more = forecast(read_league(league))
    assert (more.season, more.left.sessions, more.left.matches) == (1, 8, 48)
    assert more.duration.basis is Basis.MEASURED
    assert more.balance_cycles == 3

    edit(league, "rounds = 3", "rounds = 6")
    other = forecast(read_league(league))
    assert other.season is None
    assert [change.key for change in other.changes] == ["league.rounds"]
    assert other.left.sessions == 12


def test_processes_that_are_started(tmp_path: Path) -> None:
    loaded = read_league(make_league(tmp_path, bots=4))
    plan = plan_of(loaded, "digest")
    first = 4 + 1  # the roll call, and the referee
    assert _starts(loaded, plan, 24) == first + 4 * 6  # each bot for each seat order
    assert _starts(loaded, plan, 2) == first + 2 * 3
    (tmp_path / "fresh").mkdir()
    fresh = make_league(tmp_path / "fresh", bots=4)
    edit(fresh, "jobs = 2", "fresh_process = true")
    assert _starts(read_league(fresh), plan, 24) == first + 24 * 3
    (tmp_path / "duel").mkdir()
    duel = read_league(make_league(tmp_path / "duel", bots=2))
    assert _starts(duel, plan_of(duel, "digest"), 24) == 2 + 1 + 3 * 2  # each seat


@pytest.mark.slow
def test_house_bots_and_duels_are_foreseen(tmp_path: Path) -> None:
    league = make_league(tmp_path, bots=2)
    seen = forecast(read_league(league))
    assert (seen.kind, seen.a_cycle.sessions, seen.a_cycle.matches) == ("duel", 2, 4)
    (tmp_path / "one").mkdir()
    seen = forecast(read_league(make_league(tmp_path / "one", bots=1)))
    assert (seen.kind, seen.a_cycle.sessions, seen.house) == ("all", 1, ("House 1", "House 2"))
    assert len(seen.balance.games.counts) == 3


def test_a_field_that_has_no_schedule(tmp_path: Path) -> None:
    league = make_league(tmp_path, bots=52)
    edit(league, "cycles = 1", 'cycles = 1\nline_ups = "all"')
    with pytest.raises(UsageError, match="22,100 line-ups a cycle"):
        forecast(read_league(league))


@pytest.mark.slow
def test_a_bot_that_still_plays_a_cycle_must_be_ready(tmp_path: Path) -> None:
    """It is out from the second cycle on; before that a run starts it."""
    league = make_league(tmp_path, bots=4, cycles=2)
    edit(
        league,
        'folder = "bots/b3"\ncommand = ["{python}"',
        'folder = "bots/b3"\ncommand = ["no-such-program"',
    )
    with Database.open(tmp_path / "tiny.db", create=True) as database:
        season = open_season(read_league(league), database)
        assert set(forecast(read_league(league)).unready) == {"b3"}
        found = open_stretch(season, database)
        assert found is not None
        first, *others = season.plan.cycle(0)
        begin(database, season, first.index)
        write.exclude(database, 1, "b3", "it fails", (1, "ann"))
        assert set(forecast(read_league(league)).unready) == {"b3"}
        for session in (first, *others):
            begin(database, season, session.index)
            write.leave_out(database, 1, (0, session.index), "for the test")
        assert forecast(read_league(league)).unready == {}


def begin(database: Database, season: OpenSeason, index: int) -> None:
    line_up = tuple(season.bots[number] for number in season.plan.cycle(0)[index].order)
    write.begin_sessions(database, 1, 0, [(PlannedSession(0, index, line_up), [])], 1)
