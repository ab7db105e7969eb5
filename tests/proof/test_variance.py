"""Ratios of variances, against a known one and in small leagues."""

from __future__ import annotations

import pytest

from arena.proof.scenario import Scenario
from arena.proof.study import run_studies
from arena.proof.variance import Variance, variance_ratio
from arena.proof.world import stream


def test_a_known_ratio_is_found() -> None:
    dice = stream(1)
    below = [{"a": dice.gauss(0, 1), "b": dice.gauss(5, 1), "c": 0.0} for _ in range(2000)]
    above = [{"a": dice.gauss(0, 1.5), "b": dice.gauss(5, 1.5), "c": 0.0} for _ in range(2000)]
    ratio, error = variance_ratio(below, above)
    assert abs(ratio - 2.25) < 4 * error
    assert error == pytest.approx(2.25 * (2 * 2 / 2000 / 1.6) ** 0.5, rel=0.4)


def test_too_few_leagues_are_refused() -> None:
    with pytest.raises(ValueError, match="needs 40 leagues or more, not 39"):
        variance_ratio([{"a": 0.0, "b": 1.0}] * 39, [{"a": 0.0, "b": 1.0}] * 39)


@pytest.mark.slow
def test_latin_seats_beat_random_ones_and_random_line_ups() -> None:
    field = Scenario("wide", "5 bots", 4, (-12.0, -6.0, 0.0, 6.0, 12.0))
    (found,) = run_studies([Variance(field, 200)], seed=1, jobs=1, league_over=lambda _: None)
    assert found.holds
    assert [figure.key for figure in found.figures] == ["variance.wide.seats", "variance.wide.line_ups"]
    assert all(figure.value > 1.0 + 2 * figure.error for figure in found.figures)
