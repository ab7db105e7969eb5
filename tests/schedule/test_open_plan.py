"""The schedule of an open season: fields that change, match numbers, and what stays when phases follow."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.schedule import Field, OpenPlan, PhaseField, Plan, Schedule, ScheduleError, Session
from tests.examples import examples

SEASON = "digest"
OPEN = (
    PhaseField(0, 2, (0, 1, 2, 3, 4, 5)),
    PhaseField(2, 3, (0, 1, 2, 4, 5, 6, 7), ((6, 6), (7, 5))),
    PhaseField(5, 1, (0, 1, 2, 4, 5, 6, 7)),
    PhaseField(6, 2, (0, 2, 4, 5, 6, 7, 8), ((8, 9),)),
    PhaseField(8, 1, (0, 1, 2, 3, 4, 5)),
)


def plan(*phases: PhaseField, seats: int = 4) -> OpenPlan:
    return OpenPlan(seats, SEASON, phases)


def every(planned: Schedule, cycles: int) -> list[tuple[Session, ...]]:
    return [planned.cycle(cycle) for cycle in range(cycles)]


@st.composite
def seasons(draw: st.DrawFn) -> OpenPlan:
    """A season of up to four phases at 3 to 5 seats, in some of which newcomers catch up."""
    seats, begins, planned = draw(st.integers(3, 5)), 0, []
    for _ in range(draw(st.integers(1, 4))):
        entries = sorted(draw(st.sets(st.integers(0, 11), min_size=seats, max_size=9)))
        most = max(0, min((len(entries) - 1) // 2, len(entries) - seats + 1))
        new = draw(st.lists(st.sampled_from(entries), unique=True, max_size=most))
        owed = tuple((entry, draw(st.integers(1, 9))) for entry in sorted(new))
        planned.append(PhaseField(begins, draw(st.integers(0, 3)), tuple(entries), owed))
        begins = planned[-1].end
    return plan(*planned, seats=seats)


def test_a_season_in_which_nobody_comes_is_planned_like_a_closed_one() -> None:
    closed = Plan(Field(9, 4, SEASON, "balanced"))
    whole = plan(PhaseField(0, 5, tuple(range(9))))
    parts = plan(PhaseField(0, 2, tuple(range(9))), PhaseField(2, 3, tuple(range(9))))
    assert every(whole, 5) == every(parts, 5) == every(closed, 5)
    assert [whole.first_match(cycle) for cycle in range(5)] == [
        closed.first_match(cycle) for cycle in range(5)
    ]
    assert whole.match_number(3, 8, 2) == closed.match_number(3, 8, 2)


def test_a_balanced_cycle_goes_on_after_a_block_and_begins_anew_with_another_field() -> None:
    owing = PhaseField(2, 2, (0, 1, 2, 3, 4, 5), ((5, 3),))
    first = PhaseField(0, 2, (0, 1, 2, 3, 4, 5))
    opened, straight = plan(first, owing), plan(replace_cycles(first, 4))
    # The draw that shuffles the sessions of a cycle has the season's number of the cycle in its text.
    assert line_ups(opened, 3) == line_ups(straight, 2)
    back = plan(first, PhaseField(2, 1, (0, 1, 2, 3)), PhaseField(3, 1, (0, 1, 2, 3, 4, 5)))
    assert line_ups(back, 3) != line_ups(straight, 2)


def replace_cycles(phase: PhaseField, cycles: int) -> PhaseField:
    return PhaseField(phase.first_cycle, cycles, phase.entries, phase.owed)


def line_ups(planned: Schedule, cycle: int) -> set[tuple[int, ...]]:
    return {session.order for session in planned.cycle(cycle)}


@examples(60)
@given(seasons())
def test_matches_are_numbered_through_the_season(opened: OpenPlan) -> None:
    fresh = plan(*opened.phases, seats=opened.seats)
    numbers = [
        opened.match_number(session.cycle, session.index, order)
        for cycle in every(opened, opened.cycles)
        for session in cycle
        for order in range(opened.matches_per_session)
    ]
    assert numbers == list(range(1, 1 + len(numbers)))
    for cycle in reversed(range(opened.cycles + 1)):
        before = sum(len(opened.cycle(earlier)) for earlier in range(cycle))
        assert fresh.sessions_before(cycle) == before
        assert fresh.first_match(cycle) == 1 + before * fresh.matches_per_session


@examples(60)
@given(seasons(), st.lists(st.integers(0, 12), max_size=6))
def test_every_cycle_is_sound_and_the_same_in_whatever_order_it_is_asked_for(
    opened: OpenPlan, asked: list[int]
) -> None:
    fresh = plan(*opened.phases, seats=opened.seats)
    fresh.sat()
    answers = {cycle: opened.cycle(cycle) for cycle in asked}
    for cycle in range(opened.cycles):
        sessions, phase = opened.cycle(cycle), opened.phase_of(cycle)
        assert phase is not None
        assert sessions == fresh.cycle(cycle) == answers.get(cycle, sessions)
        assert [(session.cycle, session.index) for session in sessions] == [
            (cycle, index) for index in range(len(sessions))
        ]
        assert len(sessions) == opened.sessions_in(cycle) > 0
        for session in sessions:
            assert len(set(session.order)) == opened.seats
            assert set(session.order) <= set(phase.entries) == set(opened.present(cycle))
        if not phase.is_block(cycle):
            sat = Counter(entry for session in sessions for entry in session.order)
            assert sat == dict.fromkeys(phase.entries, opened.seats)


@examples(60)
@given(seasons(), st.data())
def test_later_phases_and_an_early_end_change_no_earlier_cycle(opened: OpenPlan, data: st.DataObject) -> None:
    until = data.draw(st.integers(0, opened.cycles))
    cut = [
        replace_cycles(phase, min(phase.cycles, until - phase.first_cycle))
        for phase in opened.phases
        if phase.first_cycle <= until
    ]
    short = plan(*cut, seats=opened.seats)
    assert every(short, until) == every(opened, until)
    assert short.cycles == until
    difference = short.first_difference(opened)
    assert difference == opened.first_difference(short)
    assert (difference is None) == (short.phases == opened.phases)
    assert difference is None or difference >= until


@examples(80)
@given(seasons(), seasons(), st.data())
def test_going_on_with_other_phases_is_planning_them_from_nothing(
    one: OpenPlan, other: OpenPlan, data: st.DataObject
) -> None:
    until = data.draw(st.integers(0, one.cycles))
    cut = [
        replace_cycles(phase, min(phase.cycles, until - phase.first_cycle))
        for phase in one.phases
        if phase.first_cycle <= until
    ]
    later = [
        PhaseField(until + phase.first_cycle, phase.cycles, phase.entries, phase.owed)
        for phase in other.phases
        if one.seats == other.seats
    ]
    every(one, data.draw(st.integers(0, one.cycles)))
    if data.draw(st.booleans()):
        one.sat()
    known = every(plan(*one.phases, seats=one.seats), one.cycles)
    went_on = one.going_on([*cut, *later])
    new = plan(*cut, *later, seats=one.seats)
    assert every(went_on, new.cycles) == every(new, new.cycles)
    assert went_on.sat() == new.sat()
    assert went_on.sessions_before(new.cycles) == new.sessions_before(new.cycles)
    assert every(one, one.cycles) == known


@pytest.mark.parametrize(
    ("phases", "what"),
    [
        ([PhaseField(0, 1, (0, 1, 2))], "phase 0: 3 entries cannot fill 4 seats"),
        ([PhaseField(1, 1, (0, 1, 2, 3))], "phase 0: it has 1 cycles from 1, it must begin with 0"),
        ([OPEN[0], OPEN[2]], "phase 1: it has 1 cycles from 5, it must begin with 2"),
        ([PhaseField(0, -1, (0, 1, 2, 3))], "it has -1 cycles"),
        ([PhaseField(0, 1, (0, 2, 1, 3))], "not in ascending order: 0, 2, 1, 3"),
        ([PhaseField(0, 1, (0, 1, 1, 2, 3))], "not in ascending order"),
        ([PhaseField(0, 1, (0, 1, 2, 3), ((4, 1),))], "not entries of its field in ascending order: 4"),
        ([PhaseField(0, 1, (0, 1, 2, 3, 4, 5), ((5, 1), (4, 1)))], "in ascending order: 5, 4"),
        ([PhaseField(0, 1, (0, 1, 2, 3), ((3, 0),))], "owes a session at least"),
        ([PhaseField(0, 1, (0, 1, 2, 3), ((2, 1), (3, 1)))], "the 2 others cannot fill 4 seats beside"),
    ],
)
def test_phases_that_cannot_be_planned(phases: list[PhaseField], what: str) -> None:
    with pytest.raises(ScheduleError, match=what):
        plan(*phases)
