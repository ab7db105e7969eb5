"""Means of clustered numbers: their errors hold, and what clusters have in common cancels."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest

from arena.review.clusters import Estimate, Tally, at_least, difference, mean, p_above
from arena.score.quantiles import t_quantile


def test_equal_clusters_give_the_textbook_error() -> None:
    values = [1.0, 4.0, 2.0, 9.0]
    found = mean(Tally(value * 3, 3) for value in values)
    middle = sum(values) / 4
    expected = sqrt(sum((value - middle) ** 2 for value in values) / 3 / 4)
    assert found.value == pytest.approx(middle)
    assert found.error == pytest.approx(expected)
    assert found.freedom == 3


def test_what_a_pair_has_in_common_cancels() -> None:
    dice = Random(4)
    pairs = []
    for _ in range(20):
        common = dice.gauss(0, 100)
        pairs.append((Tally(2 * (common + 3), 2), Tally(6 * common, 6)))
    found = difference(pairs)
    assert found.value == pytest.approx(3)
    assert found.error == pytest.approx(0, abs=1e-9)
    assert p_above(found) == 0.0
    assert p_above(found, 4.0) == 1.0


def test_of_one_cluster_nothing_is_known() -> None:
    alone = mean([Tally(10, 1), Tally()])
    assert alone == Estimate(10, None, 0)
    assert p_above(alone) == 1.0
    one_sided = difference([(Tally(1, 1), Tally()), (Tally(), Tally(0, 1)), (Tally(), Tally(1, 1))])
    assert one_sided.error is None
    with pytest.raises(ValueError, match="mean of nothing"):
        mean([Tally()])


def test_the_p_value_is_that_of_student() -> None:
    assert p_above(Estimate(t_quantile(0.99, 7) * 2, 2.0, 7)) == pytest.approx(0.01)
    assert p_above(Estimate(-1.0, 2.0, 7)) > 0.5


def test_how_likely_so_many_are_is_known_of_thousands_of_decisions_too() -> None:
    """A float does not hold how many ways there are to choose some of thousands."""
    assert at_least(2, 5, 0.1) == pytest.approx(0.08146)
    assert [at_least(1, 3, chance) for chance in (0.0, 1.0)] == [0.0, 1.0]
    assert at_least(0, 20_000, 0.001) == 1.0
    assert at_least(20, 20_000, 0.001) == pytest.approx(0.5297, abs=0.001)
    assert at_least(200, 5_000, 0.001) == pytest.approx(0.0, abs=1e-9)
    assert at_least(300, 20_000, 0.001) == pytest.approx(0.0, abs=1e-9)
