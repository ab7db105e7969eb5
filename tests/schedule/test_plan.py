"""Plans: which fields have one, and how even it is."""

from __future__ import annotations

from itertools import combinations
from math import comb

import pytest

from arena.conduct.balance import Balance, certificate
from arena.schedule import (
    Field,
    LineUps,
    Plan,
    ScheduleError,
)

SMALL = [(3, 3), (4, 4), (8, 8), (5, 4), (6, 4), (8, 5), (7, 6), (9, 8)]
LARGE = [(12, 3), (12, 4), (9, 5), (16, 8), (20, 4), (24, 5)]


def balance_of(plan: Plan, cycles: int) -> Balance:
    sessions = [session for cycle in range(cycles) for session in plan.cycle(cycle)]
    rows = [(row, plan.field.seats) for session in sessions for row in session.rows]
    return certificate(rows, range(plan.field.bots))


@pytest.mark.parametrize(
    ("bots", "seats", "line_ups", "resolved"),
    [
        (6, 4, "auto", "all"),
        (9, 5, "auto", "balanced"),  # 126 line-ups
        (9, 3, "auto", "all"),  # 84
        (10, 3, "auto", "balanced"),  # 120
        (6, 4, "balanced", "balanced"),
        (9, 5, "all", "all"),
        (4, 4, "balanced", "all"),
        (2, 5, "balanced", "all"),
        (60, 4, "auto", "balanced"),
    ],
)
def test_what_auto_means(bots: int, seats: int, line_ups: str, resolved: str) -> None:
    assert Plan(Field(bots, seats, "x", line_ups)).resolved == resolved


@pytest.mark.parametrize(("bots", "seats"), SMALL)
def test_a_cycle_of_all_holds_every_line_up_once(bots: int, seats: int) -> None:
    plan = Plan(Field(bots, seats, "x", "all"))
    for cycle in range(2):
        sessions = plan.cycle(cycle)
        assert len(sessions) == plan.sessions_per_cycle == comb(bots, seats)
        assert {session.line_up for session in sessions} == set(combinations(range(bots), seats))
        assert [(session.cycle, session.index) for session in sessions] == [
            (cycle, i) for i in range(len(sessions))
        ]


@pytest.mark.parametrize(("bots", "seats", "cycles", "most"), [(6, 4, 8, 2), (8, 5, 1, 5), (7, 3, 4, 0)])
def test_neighbours_are_evened_out_in_all(bots: int, seats: int, cycles: int, most: int) -> None:
    """Lexicographic orders alone would leave a spread of 40 for 8 bots on 5 seats."""
    balance = balance_of(Plan(Field(bots, seats, "x", "all")), cycles)
    assert balance.left.spread <= most
    assert (
        balance.meetings.spread == balance.games.spread == balance.seats.spread == balance.dealing.spread == 0
    )


@pytest.mark.parametrize(("bots", "seats"), LARGE)
def test_meetings_and_neighbours_are_evened_out_in_balanced(bots: int, seats: int) -> None:
    """Pairs meet in whole sessions, so a spread of 4 sessions is 4 times the matches of one."""
    plan = Plan(Field(bots, seats, "x"))
    for cycles in (1, 4):
        balance = balance_of(plan, cycles)
        assert balance.games.spread == balance.seats.spread == balance.dealing.spread == 0
        assert balance.meetings.spread <= 4 * plan.matches_per_session
        assert balance.left.spread <= 6


def test_the_season_decides_the_shuffle_but_not_the_orders_of_all() -> None:
    one, two = (Plan(Field(6, 4, digest)).cycle(0) for digest in ("one", "two"))
    assert [session.order for session in one] != [session.order for session in two]
    assert {session.order for session in one} == {session.order for session in two}


@pytest.mark.parametrize("seats", range(3, 9))
def test_a_cycle_of_a_duel_is_one_session_of_each_pattern(seats: int) -> None:
    plan = Plan(Field(2, seats, "x"))
    assert (plan.sessions_per_cycle, plan.matches_per_session) == (2, 2)
    for cycle in range(3):
        sessions = plan.cycle(cycle)
        assert [(session.cycle, session.index) for session in sessions] == [(cycle, 0), (cycle, 1)]
        assert [session.order for session in sessions] == [
            tuple((0, 1, 0, 1, 0, 1, 0, 1)[:seats]),
            tuple((0, 0, 1, 1, 0, 0, 1, 1)[:seats]),
        ]
    assert plan.match_number(1, 1, 1) == 8


@pytest.mark.parametrize(
    ("field", "what"),
    [
        (Field(1, 4, "x"), "add 3 house bots"),
        (Field(3, 5, "x"), "add 2 house bots"),
        (Field(40, 8, "x", LineUps.ALL), "76,904,685 line-ups"),
        (Field(40, 9, "x"), "3 to 8"),
        (Field(40, 2, "x"), "3 to 8"),
    ],
)
def test_fields_without_a_schedule(field: Field, what: str) -> None:
    with pytest.raises(ScheduleError, match=what):
        Plan(field)
