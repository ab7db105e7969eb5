"""Means, and differences of means, of numbers that come in clusters, with standard errors and p-values.

The rounds of a session share their boards and line-up, so sessions are independent and rounds are not. Pure
numbers: this module knows no cards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from typing import Final, TypeAlias

from arena.score.quantiles import t_cdf

RATE: Final = 0.05
"""The chance that any of the claims of one kind is wrong."""
_NOTHING: Final = 1e-12
"""An error that is rounding only."""

Clustered: TypeAlias = Sequence[tuple[tuple[int, ...], float]]
"""Observations, each with the name of its cluster."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its standard error and degrees of freedom.

    `error` is None where there are fewer than two clusters. `degrees_of_freedom`: one less than the clusters
    that say anything.
    """

    value: float
    error: float | None
    degrees_of_freedom: int


def mean(observed: Clustered) -> Estimate:
    """Return the mean of all observations.

    With m the mean, N all observations and C clusters, the variance is C / (C - 1) times the sum of
    ((total_c - m count_c) / N)^2: the linearised ratio estimator of Cochran, "Sampling Techniques" (1977),
    sections 6.3 and 9A. Raises ValueError without any observation.
    """
    value, parts = _parts(observed)
    return Estimate(value, _error(list(parts.values())), len(parts) - 1)


def compare(inside: Clustered, outside: Clustered) -> Estimate:
    """Return the mean of what is inside minus the mean of what is outside.

    The variance is that of `mean`, with the two parts of each cluster subtracted before they are squared, so
    that what they have in common cancels. But it is at least that of two samples from one population: where
    one side is small and all its numbers happen to be alike, its own spread says too little. The degrees of
    freedom are those of the side with fewer clusters, which is cautious. Raises ValueError for an empty side.
    """
    first, own = _parts(inside)
    second, others = _parts(outside)
    seen = min(len(own), len(others))
    clustered = _error([own.get(each, 0.0) - others.get(each, 0.0) for each in own.keys() | others.keys()])
    if seen < 2 or clustered is None:
        return Estimate(first - second, None, seen - 1)
    values = [value for _, value in (*inside, *outside)]
    middle = fsum(values) / len(values)
    spread = fsum((value - middle) ** 2 for value in values) / (len(values) - 1)
    pooled = sqrt(spread * (1 / len(inside) + 1 / len(outside)))
    return Estimate(first - second, max(clustered, pooled), seen - 1)


def p_above(estimate: Estimate, bound: float = 0.0) -> float:
    """Return how likely at least such an estimate is where the truth is `bound`: one-sided, Student's t.

    It is 1 where there is no error, because then nothing is known; and 0 or 1 where the error is 0.
    """
    if estimate.error is None:
        return 1.0
    above = estimate.value - bound
    if estimate.error <= _NOTHING:
        return 0.0 if above > _NOTHING else 1.0
    # Rounding can leave a little less than 0, or more than 1.
    return min(1.0, max(0.0, t_cdf(-above / estimate.error, max(1, estimate.degrees_of_freedom))))


def survive(p_values: Sequence[float], rate: float = RATE) -> list[bool]:
    """Return for each test whether it is sure beside all others: Holm's step-down procedure.

    With m tests, the k-th smallest p-value must be at most rate / (m - k + 1), and so must all smaller ones.
    The chance that any of the tests is called sure by mistake is at most the rate, however they depend on
    each other: Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6 (1979), 65-70.
    """
    sure = [False] * len(p_values)
    for before, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        if p_values[place] > rate / (len(p_values) - before):
            break
        sure[place] = True
    return sure


def _parts(observed: Clustered) -> tuple[float, dict[tuple[int, ...], float]]:
    """Return the mean, and by how much each cluster moves it."""
    if not observed:
        raise ValueError("there is no mean of nothing")
    value = fsum(each for _, each in observed) / len(observed)
    parts: dict[tuple[int, ...], float] = defaultdict(float)
    for cluster, each in observed:
        parts[cluster] += (each - value) / len(observed)
    return value, parts


def _error(parts: Iterable[float]) -> float | None:
    listed = list(parts)
    if len(listed) < 2:
        return None
    return sqrt(len(listed) / (len(listed) - 1) * fsum(part * part for part in listed))
