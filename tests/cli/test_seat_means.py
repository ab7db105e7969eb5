"""`arena standings --only-seats`: plain means, which claim nothing."""

from __future__ import annotations

import json
from pathlib import Path

from arena.cli.layout import width
from arena.store.database import Database
from arena.store.reader import Reader
from tests.cli.calling import Arena


def test_means_at_seats_are_plain(arena: Arena, finished: Path) -> None:
    told = json.loads(arena("standings", finished, "--only-seats", "3, 1", "--json").out)
    assert told["only_seats"] == [1, 3]
    with Database.open(finished, read_only=True) as database:
        matches = Reader(database).matches(1)
    for row in told["means"]:
        seats = [seat for m in matches for seat in m.seats if seat.bot == row["bot"] and seat.seat in (1, 3)]
        assert row["rounds"] == 4 * len(seats)
        assert row["card_points"] == sum(seat.points for seat in seats) / row["rounds"]
        assert row["mean"] == sum(seat.total for seat in seats) / row["rounds"]
    assert [row["mean"] for row in told["means"]] == sorted(row["mean"] for row in told["means"])


def test_means_claim_nothing(arena: Arena, finished: Path) -> None:
    head, *lines = arena("standings", finished, "--only-seats", "0").out.splitlines()
    assert head.split() == ["rank", "bot", "mean", "card", "fault", "rounds"]
    assert all(line.split()[0] == "-" for line in lines[:5])
    assert "Plain means at seat 0: not adjusted for opponents" in " ".join(lines)
    assert max(map(width, lines)) <= 80


def test_before_a_session_is_complete_nothing_counts(arena: Arena, stopped: Path) -> None:
    told = json.loads(arena("standings", stopped, "--only-seats", "0", "--json").out)
    assert sum(row["rounds"] for row in told["means"]) == 8 * 4, "the ninth match is of a session under way"
