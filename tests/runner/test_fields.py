"""Fields of every size, from the league file to verified standings: balanced, with house bots, duels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import isclose
from pathlib import Path

import pytest

from arena.conduct.balance import Balance, certificate
from arena.store import read
from arena.store.database import Database
from arena.store.scoring import scored
from arena.store.views import Role, SeasonView
from arena.verify.verify import verify
from tests.running import edit, make_league, play


@contextmanager
def stored(league: Path) -> Iterator[tuple[Database, SeasonView]]:
    with Database.open(league.parent / "league.db", read_only=True) as database:
        season = read.current_season(database)
        assert season is not None
        yield database, season


def balance_of(database: Database, season: SeasonView) -> Balance:
    rows = [(tuple(seat.bot for seat in match.seats), match.rounds) for match in read.matches(database, 1)]
    return certificate(rows, [entry.bot for entry in season.entries if entry.role is not Role.STAND_IN])


def assert_verified(database: Database, season: SeasonView, played: int) -> None:
    found = verify(database, [season])
    assert found.difference is None
    assert found.seasons[0].matches == found.seasons[0].dealt == played
    assert found.seasons[0].standings == scored(database, season).standings


@pytest.mark.slow
def test_twelve_bots_at_four_seats_are_balanced(tmp_path: Path) -> None:
    league = make_league(tmp_path, bots=12)
    edit(league, "seats = 3\nrounds = 3", "seats = 4\nrounds = 4")
    outcome = play(league)
    assert outcome.code == 0, outcome.err
    assert "12 sessions, 48 matches, 192 rounds" in outcome.err
    with stored(league) as (database, season):
        assert (season.line_ups, season.sessions_per_cycle) == ("balanced", 12)  # 495 line-ups
        balance = balance_of(database, season)
        assert balance.games.spread == balance.seats.spread == balance.dealing.spread == 0
        assert balance.meetings.spread <= 4 * season.matches_per_session
        assert balance.left.spread <= 6
        table = scored(database, season).standings
        assert len(table.rows) == 12
        assert table.comparable
        assert_verified(database, season, 48)


@pytest.mark.slow
def test_house_bots_play_and_are_not_ranked(tmp_path: Path) -> None:
    """One that the file names, and two that fill the table of five."""
    league = make_league(tmp_path, bots=3, cycles=2, more='role = "house"\n')
    edit(league, "seats = 3\nrounds = 3", "seats = 5\nrounds = 4")
    outcome = play(league)
    assert outcome.code == 0, outcome.err
    with stored(league) as (database, season):
        roles = {entry.bot: entry.role for entry in season.entries if entry.role is not Role.STAND_IN}
        assert [bot for bot, role in roles.items() if role is Role.HOUSE] == ["b2", "house-1", "house-2"]
        assert (season.line_ups, season.sessions_per_cycle, season.field_size) == ("all", 1, 5)
        copies = {entry.digest for entry in season.entries if entry.bot.startswith("house-")}
        assert len(copies) == 1
        table = scored(database, season).standings
        assert [row.rank for row in table.rows] == [1, 2]
        assert {row.bot for row in table.house} == {"b2", "house-1", "house-2"}
        assert {row.rank for row in table.house} == {None}
        balance = balance_of(database, season)
        assert balance.games.spread == balance.dealing.spread == 0
        assert_verified(database, season, 10)


@pytest.mark.slow
def test_two_bots_play_a_duel(tmp_path: Path) -> None:
    seats = 4
    league = make_league(tmp_path, bots=2, cycles=2)
    edit(league, "seats = 3\nrounds = 3", f"seats = {seats}\nrounds = {seats + 1}")
    outcome = play(league)
    assert outcome.code == 0, outcome.err
    assert f"2 cycles = 4 sessions, 8 matches, {8 * (seats + 1)} rounds" in outcome.err
    with stored(league) as (database, season):
        played = read.matches(database, 1)
        first = [" ".join(seat.bot for seat in match.seats) for match in played[:4]]
        assert first == [
            " ".join(["b0", "b1", "b0", "b1"][:seats]),
            " ".join(["b1", "b0", "b1", "b0"][:seats]),
            " ".join(["b0", "b0", "b1", "b1"][:seats]),
            " ".join(["b1", "b1", "b0", "b0"][:seats]),
        ]
        assert all(len({seat.pid for seat in match.seats}) == seats for match in played)
        balance = balance_of(database, season)
        assert balance.seats.spread == balance.dealing.spread == balance.left.spread == 0
        table = scored(database, season).standings
        assert [row.rank for row in table.rows] == [1, 2]
        assert isclose(sum(row.fap or 0.0 for row in table.rows), 2 * table.par)
        assert all(row.half_width for row in table.rows)
        assert_verified(database, season, 8)
