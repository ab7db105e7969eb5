"""`cycles = "auto"` in seasons that were begun: they stay as they were."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import SeasonChanged
from arena.league import read_league
from arena.runner.seasons import open_phase
from arena.season.forecast import forecast
from arena.store import read
from arena.store.database import Database
from arena.store.history import NOTED_KEYS
from tests.running import edit, make_league
from tests.season.test_opening import Desk

EXPLICIT, AUTO = "cycles = 2\n", 'cycles = "auto"\n'


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Database.open(tmp_path / "league.db", create=True) as database:
        yield Desk(make_league(tmp_path, bots=3, cycles=2), database)


def begun(desk: Desk, cycles: str) -> None:
    """Begin a season of three bots at three seats: a cycle is one session, so "auto" is 18 cycles."""
    edit(desk.league, EXPLICIT, cycles)
    desk.begin(desk.open())


def planned(desk: Desk) -> int:
    season = read.current_season(desk.database)
    assert season is not None
    return season.phases[-1].cycles_planned


@pytest.mark.slow
@pytest.mark.parametrize("now", ["", AUTO])
def test_a_season_that_was_begun_with_a_number_keeps_it_under_auto(desk: Desk, now: str) -> None:
    begun(desk, "cycles = 8\n")
    edit(desk.league, "cycles = 8\n", now)
    season = desk.open()
    assert (season.view.number, season.cycles, planned(desk)) == (1, 8, 8)
    assert desk.acts("changed key") == []
    assert len(desk.acts(NOTED_KEYS)) == 1
    seen = forecast(read_league(desk.league))
    assert (seen.season, seen.size.cycles, seen.reaches_verdicts) == (1, 8, False)

    desk.play_out(season)
    again = desk.open()
    assert open_phase(again, desk.database) is None, "nothing is left to play"
    assert desk.open("more").cycles == 18, "a new season has what auto stands for now"


def test_a_season_that_was_begun_with_auto_stays_as_it_is_when_its_phase_ended_early(desk: Desk) -> None:
    begun(desk, AUTO)
    season = desk.open()
    assert (season.cycles, planned(desk)) == (18, 18)
    noted = json.loads(desk.acts(NOTED_KEYS)[0][2])
    assert noted["growing"] == {"schedule": {"cycles": 18}}
    desk.play_out(season, cycles=4)
    assert planned(desk) == 4
    assert desk.open().cycles == 18


def test_a_number_may_only_grow_beyond_what_auto_stood_for(desk: Desk) -> None:
    edit(desk.league, EXPLICIT, AUTO)
    desk.play(desk.open())
    edit(desk.league, AUTO, "cycles = 15\n")
    with pytest.raises(SeasonChanged, match="cycles: 18 -> 15: the number of cycles may only grow"):
        desk.open()
    edit(desk.league, "cycles = 15\n", "cycles = 36\n")
    assert desk.open().cycles == 36
