"""Connection by union-find against a search by hand, and deletions against trying each."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from arena.standings.connection import LineUp, connected, connected_without_any

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
def test_connected_means_everyone_is_met_on_a_walk(sessions: list[LineUp]) -> None:
    assert connected(sessions, SIZE) == reachable(sessions)


@given(line_ups)
def test_deletions_are_as_if_each_session_had_been_left_out(sessions: list[LineUp]) -> None:
    each = [reachable(sessions[:i] + sessions[i + 1 :]) for i in range(len(sessions))]
    expected = reachable(sessions) and all(each)
    assert connected_without_any(Counter(sessions), SIZE) == expected


def test_the_smallest_fields() -> None:
    assert not connected([], 0)
    assert connected([], 1)
    assert not connected([], 2)
    assert connected([(0, 1)], 2)
    assert not connected_without_any({(0, 1): 1}, 2)
    assert connected_without_any({(0, 1): 2}, 2)
