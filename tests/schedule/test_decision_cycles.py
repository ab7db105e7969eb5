"""Decision cycles follow from the plan alone, and what was begun is not decided anew."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.schedule import ScheduleError, plan_decisions
from tests.examples import examples

phases = st.tuples(st.integers(0, 500), st.integers(1, 3000)).map(lambda two: (two[0], sum(two)))
sizes = st.integers(1, 20)


def test_up_to_sixteen_cycles_each_is_decided_on_and_then_an_eighth_later() -> None:
    assert plan_decisions(0, 40, 15).ends == (*range(1, 17), 18, 20, 22, 24, 27, 30, 33, 37, 40)


def test_in_an_open_league_each_cycle_is_decided_on() -> None:
    assert plan_decisions(5, 40, 15, every=True).ends == tuple(range(6, 41))


@pytest.mark.parametrize(("sessions", "ahead"), [(1, 8), (2, 4), (3, 3), (7, 2), (8, 1), (15, 1)])
def test_what_may_be_begun_meanwhile_has_eight_sessions(sessions: int, ahead: int) -> None:
    decisions = plan_decisions(0, 40, sessions)
    assert decisions.ahead == ahead
    assert [decisions.effect(end) for end in (1, 16, 18, 39, 40)] == [
        1 + ahead,
        16 + ahead,
        18 + ahead,
        40,
        40,
    ]


def test_a_phase_without_a_cycle_has_no_decisions() -> None:
    with pytest.raises(ScheduleError, match="has no cycle"):
        plan_decisions(7, 7, 15)


@examples(200)
@given(phases, sizes, st.integers(1, 500))
def test_a_longer_plan_changes_the_last_decision_only(
    phase: tuple[int, int], sessions: int, more: int
) -> None:
    first, planned = phase
    short, long = plan_decisions(first, planned, sessions), plan_decisions(first, planned + more, sessions)
    assert short.planned == planned
    assert long.ends[: len(short.ends) - 1] == short.ends[:-1]
    assert all(
        end - begin == max(1, (begin - first) // 8) for begin, end in pairwise((first, *short.ends[:-1]))
    )
    assert plan_decisions(0, planned - first, sessions).ends == tuple(end - first for end in short.ends)


@examples(200)
@given(phases, sizes, st.booleans(), st.data())
def test_what_is_decided_holds_where_nothing_was_begun(
    phase: tuple[int, int], sessions: int, every: bool, data: st.DataObject
) -> None:
    decisions = plan_decisions(*phase, sessions, every)
    place = data.draw(st.integers(0, len(decisions.ends) - 1))
    decided = decisions.ends[place - 1] if place else decisions.first
    # Before the decision everything before its effect may be begun, and nothing from there on.
    assert decisions.open_until(decided) == decisions.effect(decisions.ends[place])


@examples(200)
@given(phases, sizes, st.data())
def test_what_was_begun_tells_what_was_decided(
    phase: tuple[int, int], sessions: int, data: st.DataObject
) -> None:
    first, planned = phase
    decisions = plan_decisions(first, planned, sessions)
    cycle = data.draw(st.integers(first, planned - 1))
    decided = decisions.decided_before(cycle)
    assert cycle < decisions.open_until(decided), "that much had to be decided"
    earlier = [first, *decisions.ends]
    if decided > first:
        assert cycle >= decisions.open_until(earlier[earlier.index(decided) - 1]), "and less was not enough"
