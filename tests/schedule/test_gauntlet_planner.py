"""Gauntlets: every candidate meets the same, everywhere."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.schedule import Field, Plan, ScheduleError


@st.composite
def fields(draw: st.DrawFn) -> Field:
    seats = draw(st.integers(3, 8))
    candidates = draw(st.integers(1, 4))
    opponents = draw(st.integers(seats - 1, seats + 8))
    numbers = draw(st.permutations(range(candidates + opponents)))
    return Field(candidates + opponents, seats, "season", "gauntlet", tuple(sorted(numbers[:candidates])))


@given(fields())
def test_candidates_take_turns_in_the_same_seats(field: Field) -> None:
    plan = Plan(field)
    many = len(field.candidates)
    for session in plan.cycle(0):
        assert len(session.rows) == plan.matches_per_session
        assert session.order[:many] == field.candidates
        for first in range(0, len(session.rows), many):
            turn = session.rows[first : first + many]
            seat = turn[0].index(field.candidates[0])
            assert tuple(row[seat] for row in turn) == field.candidates
            assert len({row[:seat] + row[seat + 1 :] for row in turn}) == 1


@given(fields())
def test_every_seat_of_a_session_is_held_equally_often(field: Field) -> None:
    session = Plan(field).cycle(0)[0]
    tally = Counter((bot, seat) for row in session.rows for seat, bot in enumerate(row))
    assert len({tally[bot, seat] for bot in field.candidates for seat in range(field.seats)}) == 1
    sitting = session.order[len(field.candidates) :]
    assert len({tally[bot, seat] for bot in sitting for seat in range(field.seats)}) == 1


@given(fields())
def test_all_opponents_sit_equally_often_in_a_cycle_of_eight_sessions_or_more(field: Field) -> None:
    plan = Plan(field)
    for cycle in range(2):
        sessions = plan.cycle(cycle)
        assert len(sessions) == plan.sessions_per_cycle >= 8
        counts = Counter(bot for session in sessions for bot in session.line_up)
        assert {counts[bot] for bot in field.candidates} == {len(sessions)}
        assert len({counts[bot] for bot in field.opponents}) == 1


@pytest.mark.parametrize(
    ("field", "said"),
    [
        (Field(5, 4, "x", "gauntlet"), "without a candidate"),
        (Field(4, 4, "x", "gauntlet", (0, 1)), "2 opponents cannot fill the 3 seats .* add 1"),
        (Field(2, 3, "x", "gauntlet", (0,)), "1 opponents cannot fill"),
    ],
)
def test_a_gauntlet_without_one_side(field: Field, said: str) -> None:
    with pytest.raises(ScheduleError, match=said):
        Plan(field)
