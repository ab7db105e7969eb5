"""Means, and differences of means, of numbers that come in clusters, with standard errors and p-values.

The rounds of a session share their boards and line-up, so sessions are independent and rounds are not. Pure
numbers: this module knows no cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, fsum, lgamma, log, log1p, sqrt

from arena.score.quantiles import t_cdf

__all__ = ["Estimate", "Tally", "at_least", "difference", "mean", "p_above"]

_NOTHING = 1e-12
"""An error that is rounding only."""


@dataclass(slots=True)
class Tally:
    """The sum and the number of what one cluster observed."""

    total: float = 0.0
    count: float = 0.0

    def add(self, value: float, count: float = 1.0) -> None:
        """Add the sum of `count` observations."""
        self.total += value
        self.count += count


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its standard error and degrees of freedom.

    `error` is None where there are fewer than two clusters. `freedom`: one less than the clusters that say
    anything.
    """

    value: float
    error: float | None
    freedom: int


def mean(clusters: Iterable[Tally]) -> Estimate:
    """Return the mean of all observations: the sum of the totals over the sum of the counts.

    With m the mean, N all observations and C clusters, the variance is C / (C - 1) times the sum of
    ((total_c - m count_c) / N)^2: the linearised ratio estimator of Cochran, "Sampling Techniques" (1977),
    sections 6.3 and 9A. Raises ValueError without any observation.
    """
    used = [cluster for cluster in clusters if cluster.count]
    value, parts = _parts(used)
    return Estimate(value, _error(parts), len(used) - 1)


def difference(pairs: Iterable[tuple[Tally, Tally]]) -> Estimate:
    """Return the mean of the first tallies minus that of the second.

    Each pair is of one cluster, so what both have in common cancels. One of the two may be empty. The
    variance is that of `mean`, with each cluster's two parts subtracted before they are squared. The degrees
    of freedom are those of the side with fewer clusters, which is cautious. Raises ValueError when one side
    has no observation.
    """
    used = [pair for pair in pairs if pair[0].count or pair[1].count]
    first, own = _parts([pair[0] for pair in used])
    second, other = _parts([pair[1] for pair in used])
    seen = min(sum(pair[side].count > 0 for pair in used) for side in (0, 1))
    error = _error([a - b for a, b in zip(own, other, strict=True)]) if seen > 1 else None
    return Estimate(first - second, error, seen - 1)


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
    return min(1.0, max(0.0, t_cdf(-above / estimate.error, max(1, estimate.freedom))))


def at_least(count: int, trials: int, chance: float) -> float:
    """Return how likely `count` successes or more are (the binomial distribution).

    It is computed in logarithms, because the number of ways is too large for a float where trials are many.
    """
    if not 0 < chance < 1:
        return float(count <= trials * chance)
    failed, passed = log1p(-chance), log(chance)
    below = fsum(exp(_log_ways(trials, k) + k * passed + (trials - k) * failed) for k in range(count))
    return min(1.0, max(0.0, 1.0 - below))


def _log_ways(trials: int, count: int) -> float:
    return lgamma(trials + 1) - lgamma(count + 1) - lgamma(trials - count + 1)


def _parts(clusters: Sequence[Tally]) -> tuple[float, list[float]]:
    """Return the mean, and by how much each cluster moves it."""
    count = fsum(cluster.count for cluster in clusters)
    if count <= 0:
        raise ValueError("there is no mean of nothing")
    value = fsum(cluster.total for cluster in clusters) / count
    return value, [(cluster.total - value * cluster.count) / count for cluster in clusters]


def _error(parts: Sequence[float]) -> float | None:
    if len(parts) < 2:
        return None
    return sqrt(len(parts) / (len(parts) - 1) * fsum(part * part for part in parts))
