"""The smoothed time of a session."""

from __future__ import annotations

from functools import reduce

import pytest

from arena.referee.session_time import smoothed


@pytest.mark.parametrize(
    ("times", "mean"), [([8.0], 8.0), ([8.0, 4.0], 7.0), ([8.0, 4.0, 7.0], 7.0), ([2.0] * 9, 2.0)]
)
def test_the_first_time_counts_whole_and_each_later_one_a_quarter(times: list[float], mean: float) -> None:
    assert reduce(smoothed, times, 0.0) == mean
