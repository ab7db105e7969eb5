"""The swap scan on costs that can be followed by hand."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from arena.schedule.planners import swap_scan


def inversions(order: Sequence[int]) -> int:
    return sum(a > b for i, a in enumerate(order) for b in order[i + 1 :])


@given(st.permutations(range(7)))
def test_it_sorts_when_inversions_cost(start: list[int]) -> None:
    assert swap_scan(start, inversions) == (tuple(range(7)), 0)


def test_equal_costs_change_nothing() -> None:
    assert swap_scan((3, 1, 2), lambda _: 5) == ((3, 1, 2), 5)


def test_kept_swaps_are_gone_on_from() -> None:
    """The second swap is tried on the order that the first one left, not on the start."""
    tried: list[tuple[int, ...]] = []

    def cost(order: Sequence[int]) -> int:
        tried.append(tuple(order))
        return inversions(order)

    assert swap_scan((3, 2, 1), cost)[0] == (1, 2, 3)
    assert tried[:4] == [(3, 2, 1), (2, 3, 1), (1, 3, 2), (1, 2, 3)]
