"""Marks of the chart stand where their numbers are."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.pages.chart import Scale


def percent(place: str) -> float:
    assert place.endswith("%")
    return float(place[:-1])


def test_the_side_of_par() -> None:
    scale = Scale([40.0, 90.0], 62.5)
    sides = [scale.interval(score, 5.0).side for score in (45.0, 60.0, 85.0)]
    assert sides == ["below", "across", "above"]


def test_ticks_are_round_numbers_where_they_belong() -> None:
    scale = Scale([30.0, 110.0], 62.5)
    axis = scale.axis()
    assert [tick.label for tick in axis.ticks] == ["40", "60", "80", "100"]
    assert [percent(tick.x) for tick in axis.ticks] == [16.25, 38.75, 61.25, 83.75]
    assert percent(axis.par) == pytest.approx(5 + 90 * 32.5 / 80, abs=0.01)


def test_a_field_of_equals_has_an_axis_too() -> None:
    axis = Scale([62.5], 62.5).axis()
    assert percent(axis.par) == 50
    assert len(axis.ticks) >= 2


@given(
    st.lists(st.tuples(st.floats(0, 250), st.floats(0, 60)), min_size=1),
    st.sampled_from([250 / seats for seats in range(3, 9)]),
)
def test_everything_fits_and_keeps_its_order(scores: list[tuple[float, float]], par: float) -> None:
    scale = Scale([end for score, half in scores for end in (score - half, score + half)], par)
    axis = scale.axis()
    marks = [scale.interval(score, half) for score, half in scores]
    places = [*(tick.x for tick in axis.ticks), axis.par]
    for mark in marks:
        assert percent(mark.low) <= percent(mark.middle) <= percent(mark.high)
        assert percent(mark.width) == pytest.approx(percent(mark.high) - percent(mark.low), abs=0.011)
        places += [mark.low, mark.high]
    assert all(0 <= percent(place) <= 100 for place in places)
    assert 1 <= len(axis.ticks) <= 8
    assert len({tick.label for tick in axis.ticks}) == len(axis.ticks)
