"""Means of clustered numbers, their errors and differences, and many tests at once."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest

from arena.reviews.means import Clustered, Estimate, compare, mean, p_above, survive
from arena.score.quantiles import t_quantile


def test_equal_clusters_give_the_textbook_error() -> None:
    values = [1.0, 4.0, 2.0, 9.0]
    found = mean([((number,), value) for number, value in enumerate(values) for _ in range(3)])
    middle = sum(values) / 4
    assert found.value == pytest.approx(middle)
    assert found.error == pytest.approx(sqrt(sum((value - middle) ** 2 for value in values) / 3 / 4))
    assert found.degrees_of_freedom == 3


def test_the_error_of_a_difference_is_that_of_clusters_but_never_less_than_that_of_one_population() -> None:
    dice = Random(4)
    shifts = [dice.gauss(0, 10) for _ in range(30)]

    def side(more: float, spread: float) -> Clustered:
        return [((c,), shift + more + dice.gauss(0, spread)) for c, shift in enumerate(shifts) for _ in "ab"]

    found = compare(side(3, 1), side(0, 1))
    assert found.value == pytest.approx(3, abs=1)
    assert found.degrees_of_freedom == 29
    alike: Clustered = [((100 + number,), 0.0) for number in range(8)]
    small = compare(side(0, 1), alike)
    assert small.error is not None
    assert small.error > 2, "eight equal numbers say little of how much such numbers differ"


def test_of_one_cluster_nothing_is_known() -> None:
    alone = mean([((0,), 10.0)])
    assert alone == Estimate(10, None, 0)
    assert p_above(alone) == 1.0
    assert compare([((0,), 1.0)], [((0,), 0.0), ((1,), 1.0)]).error is None
    for wrong in (lambda: mean([]), lambda: compare([], [((0,), 1.0)])):
        with pytest.raises(ValueError, match="mean of nothing"):
            wrong()


def test_the_p_value_is_that_of_student() -> None:
    assert p_above(Estimate(t_quantile(0.99, 7) * 2, 2.0, 7)) == pytest.approx(0.01)
    assert p_above(Estimate(-1.0, 2.0, 7)) > 0.5
    assert [p_above(Estimate(1.0, 0.0, 7), bound) for bound in (0.0, 4.0)] == [0.0, 1.0]


def test_the_procedure_is_holms() -> None:
    """The example of "Simple sequentially rejective test procedure": limits 0.05 / 3, / 2 and / 1."""
    assert survive([0.01, 0.04, 0.02]) == [True, True, True]
    assert survive([0.01, 0.06, 0.02]) == [True, False, True]
    assert survive([0.02, 0.02, 0.02]) == [False] * 3
    assert survive([]) == []


def test_any_claim_is_wrong_in_one_of_twenty_reviews_at_most() -> None:
    dice = Random(2)
    wrong = sum(
        any(survive([dice.random() for _ in range(15)] + [dice.random() / 10_000 for _ in range(5)])[:15])
        for _ in range(2000)
    )
    assert 0.03 < wrong / 2000 < 0.06
