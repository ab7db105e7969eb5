"""Which evidence is enough against each bot of a stored season."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.league import read_league
from arena.runner.seasons import open_season
from arena.store.database import Database
from arena.store.stored_season import limits_of
from arena.store.views import SeasonView
from tests.running import edit, make_league

STAGES = "[[stages]]\nkeep = 3\n[[stages]]\nname = 'Semi-final'\nkeep = 3\n[[stages]]\nname = 'Final'\n"
HOUSE = 'role = "house"\n'


def season(league: Path) -> SeasonView:
    with Database.open(league.with_name("league.db"), create=True) as database:
        return open_season(read_league(league), database).view


@pytest.mark.parametrize(
    ("bots", "more", "bar"),
    [
        (4, "", 100 * 4),
        (4, STAGES, 100 * 4 * 3),  # of each stage
        (1, "", 100 * 3),  # two house bots fill the table
    ],
)
def test_the_bar_is_that_of_the_whole_league(tmp_path: Path, bots: int, more: str, bar: int) -> None:
    limits = limits_of(season(make_league(tmp_path, bots=bots, more=more)))
    assert limits is not None
    assert set(limits.bars.values()) == {bar}
    assert len(limits.bars) == max(bots, 3)


def test_opponents_of_a_gauntlet_count(tmp_path: Path) -> None:
    league = make_league(tmp_path, bots=4, more=HOUSE)
    edit(league, "[schedule]", '[schedule]\nline_ups = "gauntlet"')
    edit(league, 'name = "B2"', f'name = "B2"\n{HOUSE}')
    limits = limits_of(season(league))
    assert limits is not None
    assert limits.bars == dict.fromkeys(("b0", "b1", "b2", "b3"), 400)


def test_nobody_is_judged_where_the_whole_share_is_allowed(tmp_path: Path) -> None:
    assert limits_of(season(make_league(tmp_path, more="[faults]\ndisqualify_share = 1\n"))) is None
