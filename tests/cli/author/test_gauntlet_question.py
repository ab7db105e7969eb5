"""The league that a gauntlet's question becomes: what it takes from the league file that it names."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.author.gauntlet import Question, _wishes
from arena.league import read_league
from tests.running import edit, make_league


@pytest.mark.parametrize(("seats", "expected"), [(None, (3, 5)), (4, (4, 5)), (5, (5, 5))])
def test_a_match_has_the_rounds_of_the_league(
    tmp_path: Path, seats: int | None, expected: tuple[int, int]
) -> None:
    league = make_league(tmp_path)
    edit(league, "rounds = 3", "rounds = 5")
    wishes = _wishes(read_league(league), asked(seats))
    assert (wishes.seats, wishes.rounds) == expected


def test_without_a_league_each_seat_deals_once() -> None:
    assert (_wishes(None, asked(6)).seats, _wishes(None, asked(6)).rounds) == (6, 6)


def asked(seats: int | None) -> Question:
    return {
        "candidate": ("a",), "against": (), "seats": seats, "margin": None, "max_sessions": None,
        "seed": None, "id_": None, "output": None,
    }  # fmt: skip
