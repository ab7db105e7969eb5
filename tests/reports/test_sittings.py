"""What sessions say of pairs of bots, by hand and against a played league."""

from __future__ import annotations

from math import sqrt

import pytest

from reports.sittings import Gap

T3 = 3.182446  # Student's t, 97.5 %, 3 degrees of freedom, from a printed table
T3_OF_4 = 5.840909  # the same at 99.5 %: of five comparisons each has an error of 1 %


def test_two_sessions_have_no_error() -> None:
    gap = Gap()
    for points in (40, 50):
        gap.add(8, points)
    assert gap.half_width() is None
    gap.add(8, 4)
    assert gap.half_width()


def test_the_error_of_a_gap_weighs_sessions_by_their_rounds() -> None:
    gap = Gap()
    for rounds, points in ((4, 8), (4, 0), (8, 8), (4, 4)):
        gap.add(rounds, points)
    # 20 points in 20 rounds: 1 a round. Beyond that the sessions had 4, -4, 0 and 0 points.
    assert gap.half_width() == pytest.approx(T3 * sqrt(32 * 4 / 3) / 20, rel=1e-6)
    assert gap.half_width(5) == pytest.approx(T3_OF_4 * sqrt(32 * 4 / 3) / 20, rel=1e-6)
