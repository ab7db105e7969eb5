"""The figures of a study, with their uncertainty and the claims about them. Simulates nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

__all__ = ["SLACK", "Figure", "mean_figure", "rate_figure"]

SLACK = 3.0
"""The standard errors of the simulation by which a figure may lie beyond its bounds. A true claim at its
bound would exceed that by chance once in 700 times."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number of a study.

    `error`: its standard error from the number of simulated `leagues`. `low` and `high`: the claimed bounds;
    both are None if the number is only reported. `percent`: whether it is a share, shown in percent.
    """

    key: str
    label: str
    value: float
    error: float
    leagues: int
    low: float | None = None
    high: float | None = None
    percent: bool = True

    @property
    def claimed(self) -> bool:
        """Return whether the figure has a claimed bound."""
        return self.low is not None or self.high is not None

    @property
    def holds(self) -> bool:
        """Return whether the figure lies within its bounds, or has none.

        It may lie beyond a bound by SLACK times its error, which the simulation causes.
        """
        slack = SLACK * self.error
        above = self.low is None or self.value >= self.low - slack
        return above and (self.high is None or self.value <= self.high + slack)


def _spread_of_means(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of independent values and its standard error, or (0, 0) without values."""
    count = len(values)
    if not count:
        return 0.0, 0.0
    mean = fsum(values) / count
    squares = fsum((value - mean) ** 2 for value in values)
    return mean, sqrt(squares / (count * (count - 1))) if count > 1 else 0.0


def mean_figure(
    key: str, label: str, values: Sequence[float], bounds: tuple[float, float] | None = None
) -> Figure:
    """Return the figure of a mean over leagues, from a share in each league."""
    mean, error = _spread_of_means(values)
    low, high = bounds or (None, None)
    return Figure(key, label, mean, error, len(values), low, high)


def rate_figure(key: str, label: str, happened: Sequence[bool], high: float | None = None) -> Figure:
    """Return the share of leagues in which something happened; `high`: the claimed maximum.

    The binomial standard error of a claimed rate is computed at the claim rather than at the rate: an
    observed rate of 0 would have an error of 0.
    """
    count = len(happened)
    rate = sum(happened) / count
    at = rate if high is None else high
    return Figure(key, label, rate, sqrt(at * (1.0 - at) / count), count, None, high)
