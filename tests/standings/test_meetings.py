"""Effects of pairs in a changing field: their variance is found, and what the schedule leaves of it."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest

from arena.standings.arrays import Numbers, Values
from arena.standings.meetings import correction, variance_of_pairs


def played(line_ups: list[tuple[int, ...]], effect: float, seed: int = 1) -> tuple[Numbers, Values]:
    """Residuals of chance with sd 10 and of antisymmetric effects of pairs, less the mean of each entry."""
    dice, size = Random(seed), 1 + max(map(max, line_ups))
    drawn = [[dice.gauss(0.0, effect) for _ in range(size)] for _ in range(size)]
    members = np.array(line_ups, np.int64)
    points = [
        [
            dice.gauss(0.0, 10.0) + sum((drawn[i][j] if i < j else -drawn[j][i]) for j in row if j != i)
            for i in row
        ]
        for row in line_ups
    ]
    residuals = np.array(points)
    for i in range(size):
        residuals[members == i] -= residuals[members == i].mean()
    return members, residuals


def test_the_variance_of_the_effects_is_found() -> None:
    line_ups = list(combinations(range(12), 4)) * 2
    for effect in (0.0, 4.0, 8.0):
        found = [variance_of_pairs(*played(line_ups, effect, seed), 12, 12) for seed in range(3)]
        assert sum(found) / 3 == pytest.approx(effect**2, rel=0.3, abs=1.5)


def test_a_balanced_field_has_less_variance_than_the_jackknife_says() -> None:
    line_ups = [*combinations(range(8), 4)] * 2
    members, residuals = played(line_ups, 6.0)
    variance = variance_of_pairs(members, residuals, 8, 8)
    found = correction(members, residuals, 8, 8)
    # Everybody met everybody equally often, so no effect of a pair is an error.
    assert found.diagonal() == pytest.approx([-3 * variance / 70] * 8)
    assert found[0, 1] == pytest.approx(variance * 30 / 70 / 70)
    assert found == pytest.approx(found.T)


def test_who_met_departed_entries_often_has_more() -> None:
    """Entry 0 met the departed entry 8 in half of its sessions, which is no part of its score."""
    line_ups = [*combinations(range(8), 4)] * 2 + [
        (0, 1 + n % 7, 1 + (n + 1 + n // 7 % 5) % 7, 8) for n in range(70)
    ]
    line_ups = [tuple(sorted(set(row))) for row in line_ups if len(set(row)) == 4]
    members, residuals = played(line_ups, 6.0)
    variance = variance_of_pairs(members, residuals, 8, 9)
    found = correction(members, residuals, 8, 9).diagonal()
    count = (members == 0).sum()
    with_departed = ((members == 0).any(axis=1) & (members == 8).any(axis=1)).sum()
    assert found[0] > variance * ((with_departed / count) ** 2 - 3 / count) > 0.0
    assert all(found[0] > other for other in found[1:])
