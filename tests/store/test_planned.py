"""Match numbers: they follow from the schedule alone."""

from __future__ import annotations

import pytest

from arena.store.begun import Sizes


def test_numbers_count_through_the_schedule() -> None:
    sizes = Sizes(sessions_per_cycle=3, matches_per_session=4)
    slots = [(cycle, index, order) for cycle in range(2) for index in range(3) for order in range(4)]
    assert [sizes.match_number(slot) for slot in slots] == list(range(1, 25))


@pytest.mark.parametrize("slot", [(-1, 0, 0), (0, 3, 0), (0, -1, 0), (0, 0, 4), (0, 0, -1)])
def test_places_outside_the_schedule_have_no_number(slot: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="where a cycle has 3 sessions of 4 matches"):
        Sizes(3, 4).match_number(slot)
