"""Connection by union-find against a search by hand, and deletions against trying each."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from arena.standings.connection import LineUp, connected_without_any, firmly_connected

SIZE = 7
line_ups = st.lists(
    st.lists(st.integers(0, SIZE - 1), min_size=2, max_size=4, unique=True).map(lambda x: tuple(sorted(x))),
    max_size=12,
)


def reachable(sessions: list[LineUp]) -> bool:
    """Whether a walk from bot 0 over shared tables meets everyone."""
    met, grown = {0}, True
    while grown:
        wider = met.union(*(set(line_up) for line_up in sessions if met & set(line_up)))
        met, grown = wider, wider != met
    return len(met) == SIZE


@given(line_ups)
def test_deletions_are_as_if_each_session_had_been_left_out(sessions: list[LineUp]) -> None:
    each = [reachable(sessions[:i] + sessions[i + 1 :]) for i in range(len(sessions))]
    expected = reachable(sessions) and all(each)
    assert connected_without_any(Counter(sessions), SIZE) == expected


@given(line_ups)
def test_sessions_that_hold_bots_together_alone_are_found_by_deleting_each(sessions: list[LineUp]) -> None:
    def parts(left: list[LineUp]) -> int:
        return len(groups_of(left))

    cut = {i for i in range(len(sessions)) if parts(sessions[:i] + sessions[i + 1 :]) > parts(sessions)}
    rest = [line_up for i, line_up in enumerate(sessions) if i not in cut]
    assert firmly_connected(sessions, SIZE) == groups_of(rest)


def groups_of(sessions: list[LineUp]) -> list[list[int]]:
    """The groups of bots, joined one session after another."""
    groups = [{bot} for bot in range(SIZE)]
    for line_up in sessions:
        joined = [group for group in groups if group & set(line_up)]
        groups = [group for group in groups if not group & set(line_up)] + [set().union(*joined)]
    return sorted(sorted(group) for group in groups)
