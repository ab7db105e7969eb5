"""Seat orders: what a session evens out by itself."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.schedule import seat_orders
from arena.schedule.seating import duel_pattern

orders = st.integers(3, 8).flatmap(lambda k: st.permutations(range(10, 10 + k))).map(tuple)
SEATS = range(3, 9)


@given(orders, st.integers(1, 20))
def test_every_bot_holds_every_hand_of_every_board_equally_often(order: tuple[int, ...], boards: int) -> None:
    """Position 0 of a board is its dealer, so this covers dealing too, for any number of boards."""
    k, rows = len(order), seat_orders(order)
    tally = Counter(
        (row[(number % k + position) % k], number, position)
        for row in rows
        for number in range(boards)
        for position in range(k)
    )
    assert len(tally) == k * boards * k
    assert set(tally.values()) == {len(rows) // k}


@pytest.mark.parametrize("k", [4, 6, 8])
def test_with_an_even_number_of_seats_all_follow_all_once_along_the_rows(k: int) -> None:
    tally = Counter(pair for row in seat_orders(tuple(range(k))) for pair in pairwise(row))
    assert tally == dict.fromkeys(permutations(range(k), 2), 1)


@pytest.mark.parametrize("seats", SEATS)
def test_the_documents_have_the_patterns_of_a_duel(seats: int) -> None:
    patterns = [duel_pattern(seats, index) for index in range(2)]
    letters = ["".join("AB"[bot] for bot in pattern) for pattern in patterns]
    counts = ", ".join(f"{pattern.count(0)} and {pattern.count(1)}" for pattern in patterns)
    said = (Path(__file__).parents[2] / "docs/score.md").read_text(encoding="utf-8")
    assert f"\n| {seats} | {letters[0]} | {letters[1]} | {counts} |\n" in said
