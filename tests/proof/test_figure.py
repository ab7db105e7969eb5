"""Figures know their error, and a claim breaks only beyond the simulation's own."""

from __future__ import annotations

from math import sqrt

import pytest

from arena.proof.figure import SLACK, Figure, mean_figure, rate_figure


def test_a_mean_has_the_error_of_a_mean() -> None:
    figure = mean_figure("k", "label", [0.5, 1.0, 0.75, 0.75])
    assert figure.value == 0.75
    assert figure.error == pytest.approx(sqrt(0.125 / 12))
    assert not figure.claimed
    assert figure.holds


def test_a_rate_claimed_has_the_error_of_the_claim() -> None:
    assert rate_figure("k", "label", [False] * 100, 0.04).error == pytest.approx(sqrt(0.04 * 0.96 / 100))
    assert rate_figure("k", "label", [True, False]).error == pytest.approx(sqrt(0.25 / 2))


@pytest.mark.parametrize(
    ("value", "low", "high", "holds"),
    [
        (0.95, 0.93, 0.97, True),
        (0.93 - SLACK * 0.01 + 1e-9, 0.93, 0.97, True),
        (0.93 - SLACK * 0.01 - 1e-9, 0.93, 0.97, False),
        (0.97 + SLACK * 0.01 + 1e-9, 0.93, 0.97, False),
        (0.01, None, 0.05, True),
        (0.99, None, 0.05, False),
        (2.0, 1.0, None, True),
        (0.9, 1.0, None, False),
    ],
)
def test_claims(value: float, low: float | None, high: float | None, holds: bool) -> None:
    figure = Figure("k", "label", value, 0.01, 100, low, high)
    assert figure.claimed
    assert figure.holds == holds
