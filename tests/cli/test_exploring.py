"""`arena standings --without` and `--only-seats`: numbers that claim nothing, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.cli.exploring import board_without, seats_from
from arena.cli.layout import width
from arena.errors import UsageError
from arena.store.database import Database
from arena.store.reader import Reader
from tests.cli.boards import score, season
from tests.cli.calling import Arena


@pytest.mark.parametrize("given", ["bot02", "Bot02", "BOT02", "The Third"])
def test_a_bot_is_found_by_id_or_name(given: str) -> None:
    made = score(16.0)
    names = ["One", "Two", "The Third" if "Third" in given else "Bot02", "Four", "Five", "Six"]
    board = board_without(season(made.scoring.bots, names), made, given)
    assert board.without == "bot02"
    assert {row.bot for row in board.score.standings.rows} == set(made.scoring.bots) - {"bot02"}
    assert {row.sessions for row in board.score.standings.rows} == {32}


def test_an_unknown_bot_is_refused_with_the_nearest() -> None:
    made = score(16.0)
    view = season(made.scoring.bots)
    with pytest.raises(UsageError, match="no such bot; did you mean bot02"):
        board_without(view, made, "bot2")
    with pytest.raises(UsageError, match="its bots are bot00, bot01"):
        board_without(view, made, "xyz")


def test_too_little_is_refused(arena: Arena, finished: Path) -> None:
    called = arena("standings", finished, "--without", "duck")
    assert (called.code, called.out) == (2, "")
    assert "--without duck: 1 complete sessions are left without duck; 30 are needed" in called.err


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


@pytest.mark.parametrize("given", ["4", "-1", "", "0,", "a", "²", "0;1"])
def test_what_is_no_seat_is_refused(given: str) -> None:
    with pytest.raises(UsageError, match="expected seats from 0 to 3"):
        seats_from(given, 4)
