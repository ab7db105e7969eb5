"""Where the points go: every table shares out all points, and each row says what it says it does."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.deals import Deals, MatchKey
from arena.papayoo import PAPAYOOS, mask_of, points_of
from arena.review.course import courses_of
from arena.review.phases import Phase
from arena.review.points import (
    Row,
    Rows,
    Split,
    given_in_round,
    taken_in_round,
    where_points_go,
)
from tests.review.played import ANY, DUCK, DUMP, league, match, records

FOUR = {"a": DUMP, "b": DUMP, "c": DUCK, "d": ANY}


def total(points: dict[tuple[Split, str], int], split: Split) -> int:
    return sum(value for (table, _), value in points.items() if table is split)


def rows(found: Rows, split: Split) -> dict[str, Row]:
    return {row.name: row for row in found if row.split is split}


@given(st.integers(3, 8), st.integers(0, 2**32))
def test_every_table_shares_out_every_point(seats: int, seed: int) -> None:
    dice = Random(seed)
    names = [f"bot{i}" for i in range(seats)]
    players = {name: dice.choice((DUMP, DUCK, ANY)) for name in names}
    board = Deals(dice.randbytes(32)).board(0, seats)
    (course,) = courses_of(match(players, MatchKey(0, 0, 0), names, [board], dice))
    papayoo = PAPAYOOS[course.papayoo_suit]
    for seat, points in enumerate(course.points):
        taken, given_ = taken_in_round(course, seat), given_in_round(course, seat)
        for split in (Split.TAKEN, Split.TRICK, Split.SUIT):
            assert total(taken, split) == points
        took_it = any(trick.taker == seat and papayoo in trick.cards for trick in course.tricks)
        assert total(taken, Split.PAPAYOO) == 40 * took_it
        # What was in the hand as dealt went to others or stayed, and the rest came from others' hands.
        in_tricks = mask_of(c for trick in course.tricks if trick.taker == seat for c in trick.cards)
        played = course.dealt[seat] & ~course.passed[seat] | course.received[seat]
        in_play = total(given_, Split.GIVEN) - given_[Split.GIVEN, Phase.PASS]
        assert points_of(played & ~in_tricks, course.papayoo_suit) == in_play


def test_the_bot_less_the_field_is_its_difference_and_the_parts_add_up() -> None:
    courses = league(FOUR, 6)
    for bot in FOUR:
        found = where_points_go(courses, bot)
        own = [c.points[c.bots.index(bot)] for c in courses]
        mean = sum(own) / len(own)
        for split in (Split.TAKEN, Split.TRICK, Split.SUIT):
            table = rows(found, split).values()
            assert sum(row.bot for row in table) == pytest.approx(mean)
            assert sum(row.field for row in table) == pytest.approx((250 - mean) / 3)
        assert all(row.difference.value == pytest.approx(row.bot - row.field) for row in found)
        assert all(row.difference.error is not None for row in found)
        assert [row.name for row in found if row.split is Split.TRICK] == [str(t) for t in range(1, 16)]


def test_a_stranger_is_refused() -> None:
    courses = [course for record in records(FOUR, 1) for course in courses_of(record)]
    with pytest.raises(ValueError, match="no round of zed"):
        where_points_go(courses, "zed")
    with pytest.raises(ValueError, match="no round of zed"):
        where_points_go(courses, "a", best="zed")
    alone = league({"a": DUMP, "b": DUMP, "c": DUMP}, 1)
    mirrored = [replace(course, bots=("a",) * 3) for course in alone]
    with pytest.raises(ValueError, match="alone"):
        where_points_go(mirrored, "a")
