"""What a study finds: figures with their uncertainty, and what is claimed of them. Simulates nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

__all__ = ["SLACK", "Figure", "mean_figure", "rate_figure", "spread_of_means"]

SLACK = 3.0
"""Standard errors of the simulation that a figure may lie beyond its bounds: one in 700 would by chance."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One number. `error`: its standard error from so many simulated `leagues`.

    `low` and `high`: where it is claimed to lie; both None if it is only reported.
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
        """Whether anything is claimed of it."""
        return self.low is not None or self.high is not None

    @property
    def holds(self) -> bool:
        """Whether it lies within its bounds, but for the simulation's own error; true without bounds."""
        slack = SLACK * self.error
        above = self.low is None or self.value >= self.low - slack
        return above and (self.high is None or self.value <= self.high + slack)


def spread_of_means(values: Sequence[float]) -> tuple[float, float]:
    """The mean of independent values and its standard error; (0, 0) without any."""
    count = len(values)
    if not count:
        return 0.0, 0.0
    mean = fsum(values) / count
    squares = fsum((value - mean) ** 2 for value in values)
    return mean, sqrt(squares / (count * (count - 1))) if count > 1 else 0.0


def mean_figure(
    key: str, label: str, values: Sequence[float], bounds: tuple[float, float] | None = None
) -> Figure:
    """The mean over leagues of a share in each of them."""
    mean, error = spread_of_means(values)
    low, high = bounds or (None, None)
    return Figure(key, label, mean, error, len(values), low, high)


def rate_figure(key: str, label: str, happened: Sequence[bool], high: float | None = None) -> Figure:
    """The share of leagues in which something happened; `high` the most that is claimed.

    The error of a claimed rate is the one it would have at the claim: a rate of 0 has none of its own.
    """
    count = len(happened)
    rate = sum(happened) / count
    at = rate if high is None else high
    return Figure(key, label, rate, sqrt(at * (1.0 - at) / count), count, None, high)
