"""Ratings from stored rounds: who won which, charges included, sessions that count only."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

from arena.standings import compare_rounds, ratings
from arena.store.reader import Reader
from arena.store.scoring import rated
from tests.reports.played import Bot, League, low, play


def test_ratings_are_those_of_the_rounds_of_sessions_that_count(tmp_path: Path) -> None:
    bots = (Bot("Duck", low), Bot("Random"), Bot("Moody", fault_rate=0.05), Bot("Other"))
    with play(tmp_path / "x.db", League(bots=bots, seats=3, rounds=3, matches=27)) as database:
        reader = Reader(database)
        ids = [entry.bot for entry in reader.seasons()[0].entries]
        found = rated(reader, 1, ids)
        sessions = []
        for result in reader.session_results(1):
            points = [
                {
                    seat.bot: round_.points[seat.seat] + round_.fault_points[seat.seat]
                    for seat in each.match.seats
                }
                for each in reader.played(1)
                if (each.match.cycle, each.match.index) == result.key
                for round_ in each.rounds
            ]
            sessions.append(compare_rounds(*result.key, points))
    assert sum(session.rounds for session in sessions) == 24 * 3
    assert found == ratings(sessions, ids)
    assert set(found.elo) == set(ids)
    assert found.elo["duck"] > found.elo["random"]


def test_a_bot_of_several_seats_has_their_points_together(tmp_path: Path) -> None:
    with play(tmp_path / "x.db", League(bots=tuple(Bot(f"B{n}") for n in range(4)), cycles=2)) as database:
        with database.writing() as connection:
            connection.exec_driver_sql("UPDATE seat SET bot = 'b0' WHERE bot = 'b2'")
            connection.exec_driver_sql("UPDATE seat SET bot = 'b1' WHERE bot = 'b3'")
        found = rated(Reader(database), 1, ["b0", "b1"])
    assert len(list(combinations(found.elo, 2))) == 1
    assert sum(found.elo.values()) == 3000
