"""A league with house bots, from its file to verified standings."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.store import read
from arena.store.database import Database
from arena.store.scoring import played_balance, scored
from arena.store.views import Role
from arena.verify.verify import verify
from tests.running import edit, make_league, play


@pytest.mark.slow
def test_house_bots_play_and_are_not_ranked(tmp_path: Path) -> None:
    """One that the file names, and two that fill the table of five."""
    league = make_league(tmp_path, bots=3, cycles=2, more='role = "house"\n')
    edit(league, "seats = 3\nrounds = 3", "seats = 5\nrounds = 4")
    outcome = play(league)
    assert outcome.code == 0, outcome.err
    with Database.open(league.parent / "league.db", read_only=True) as database:
        season = read.current_season(database)
        assert season is not None
        roles = {entry.bot: entry.role for entry in season.entries if entry.role is not Role.STAND_IN}
        assert [bot for bot, role in roles.items() if role is Role.HOUSE] == ["b2", "house-1", "house-2"]
        assert (season.line_ups, season.sessions_per_cycle, season.field_size) == ("all", 1, 5)
        copies = {entry.digest for entry in season.entries if entry.bot.startswith("house-")}
        assert len(copies) == 1
        table = scored(database, season).standings
        assert [row.rank for row in table.rows] == [1, 2]
        assert {row.bot for row in table.house} == {"b2", "house-1", "house-2"}
        assert {row.rank for row in table.house} == {None}
        balance = played_balance(season, read.matches(database, 1))
        assert balance.games.spread == balance.dealing.spread == 0
        found = verify(database, [season])
        assert found.difference is None
        assert found.seasons[0].matches == found.seasons[0].dealt == 10
        assert found.seasons[0].standings == table
