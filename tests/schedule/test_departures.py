"""A field that bots leave and come back to: what of the schedule stays, and how even the rest is."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from arena.schedule import Departures, Field, LineUps, Plan, ScheduleError


def plan(departed: Departures, bots: int = 6, seats: int = 4, line_ups: str = "auto") -> Plan:
    return Plan(Field(bots, seats, "digest", line_ups), departed)


def test_cycles_before_a_departure_stay_as_they_were() -> None:
    whole, left = plan({}), plan({2: {5}})
    assert [left.cycle(cycle) for cycle in range(2)] == [whole.cycle(cycle) for cycle in range(2)]
    assert left.first_difference(whole) == whole.first_difference(left) == 2


@pytest.mark.parametrize("line_ups", ["all", "balanced"])
@pytest.mark.parametrize("gone", [{5}, {0, 3}, {1, 2}])
def test_every_cycle_without_a_bot_is_even_for_those_that_are_left(line_ups: str, gone: set[int]) -> None:
    cycle = plan({1: gone}, bots=7, line_ups=line_ups).cycle(1)
    games = Counter(bot for session in cycle for bot in session.line_up)
    assert games.keys() == set(range(7)) - gone
    assert len(set(games.values())) == 1
    if line_ups == "all":
        met = Counter(pair for session in cycle for pair in combinations(session.line_up, 2))
        assert len(set(met.values())) == 1


def test_a_field_that_shrinks_never_gets_longer_cycles() -> None:
    """With "auto" 9 bots at 4 seats play 9 balanced sessions, and 8 would play all 70 line-ups."""
    small = plan({1: {0}}, bots=9)
    assert (small.resolved, small.sessions_in(0), small.sessions_in(1)) == (LineUps.BALANCED, 9, 8)


def test_as_many_bots_as_seats_play_one_session_a_cycle() -> None:
    assert [plan({1: {0, 1}}, line_ups=kind).sessions_in(1) for kind in ("all", "balanced")] == [1, 1]


@pytest.mark.parametrize("gone", [{0, 1, 2}, {0, 1, 2, 3}, set(range(6))])
def test_too_few_for_a_table_play_nothing(gone: set[int]) -> None:
    """Two that are left of a larger field are no duel: what is fixed for the season stays fixed."""
    left = plan({2: gone})
    assert (left.cycle(2), left.sessions_in(2)) == ((), 0)
    assert left.sessions_before(8) == 30


def test_a_bot_that_comes_back_before_anything_was_played_without_it_changes_nothing() -> None:
    undone, whole = plan({2: set()}), plan({})
    assert undone.first_difference(whole) is None
    assert undone.cycle(3) == whole.cycle(3)


def test_a_bot_that_comes_back_plays_in_a_schedule_planned_anew() -> None:
    back = plan({2: {5}, 4: set()})
    assert back.present(3) == (0, 1, 2, 3, 4)
    assert back.present(4) == (0, 1, 2, 3, 4, 5)
    assert back.sessions_in(4) == 15
    assert [s.order for s in back.cycle(4)] != [s.order for s in plan({}).cycle(4)]
    assert back.first_difference(plan({2: {5}})) == 4


def test_nobody_leaves_the_field_of_a_gauntlet() -> None:
    with pytest.raises(ScheduleError, match="no bot of a gauntlet leaves its field"):
        Plan(Field(5, 4, "digest", "gauntlet", (0, 1)), {1: {4}})
