"""What a choice cost, estimated from the points of all options in the same worlds.

The points of the best of many options look too good in the worlds in which it was found to be the best: its
luck there is part of the reason. So the worlds are in two halves. The best option of each half is found in
that half alone and compared with what was chosen in the other half alone, where luck favours nobody. The cost
is the mean of these two comparisons. It is not biased upwards: its expectation is the mean of what the two
options found are better than what was chosen, which is at most the true cost. (Where options are hardly
different, it may be a little too low, and an estimate may be negative.)

All options are tried in the same worlds, so the differences vary much less than the points. An option that is
clearly worse than the best in its half is not tried in the rest of that half. That changes only which option
a half finds, and each half decides it by its own worlds, so nothing becomes biased upwards.

This is cross-fitting, as in Chernozhukov et al., "Double/debiased machine learning" (2018). This module knows
no cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, TypeAlias

__all__ = ["Estimate", "Outcome", "estimate"]

Outcome: TypeAlias = Callable[[int], float]
"""The points of an option in one world; for an option the same each time."""

_FIRST_LAP: Final = 16
"""The worlds of a half before any option is dropped. Each further lap has as many as all laps before it."""
_CLEARLY: Final = 2.5
"""An option is dropped when it is worse by so many standard errors of the difference."""
_LEAST_VARIANCE: Final = 1.0
"""Added to the variance of differences, in points squared: in a few worlds all may happen to agree."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the first option costs beside the best.

    cost: in points, at least about 0. error: its standard error; it is 0 where both halves found that the
    first option is the best, and then the cost is 0 too. best: the best option over all worlds, of those that
    were the best in a half. expected: the mean points of the first option.
    """

    cost: float
    error: float
    best: int
    expected: float


def estimate(options: Sequence[int], first: Sequence[Outcome], second: Sequence[Outcome]) -> Estimate:
    """Return what the first option costs. `first` and `second` are the worlds of each half, drawn alike.

    Raises ValueError with fewer than two worlds in a half or without any option.
    """
    if min(len(first), len(second)) < 2 or not options:
        raise ValueError("an estimate needs an option, and two worlds or more in each half")
    chosen = options[0]
    halves = (_Half(first, options), _Half(second, options))
    bests = [half.best() for half in halves]
    parts = [half.loss(chosen, best) for half, best in zip(halves, reversed(bests), strict=True)]
    over_all = {best: sum(half.mean(best) for half in halves) for best in (chosen, *bests)}
    return Estimate(
        cost=sum(loss for loss, _ in parts) / 2,
        error=sqrt(sum(variance for _, variance in parts)) / 2,
        best=min(over_all, key=over_all.__getitem__),
        expected=sum(half.mean(chosen) for half in halves) / 2,
    )


class _Half:
    """One half of the worlds, with the points found so far."""

    def __init__(self, worlds: Sequence[Outcome], options: Sequence[int]) -> None:
        self._worlds = worlds
        self._points: dict[int, list[float]] = {option: [] for option in options}

    def best(self) -> int:
        """Return the best option of this half; where several are equally good, the first of them."""
        left = list(self._points)
        leader = left[0]
        lap = _FIRST_LAP
        while len(left) > 1:
            means = {option: self._mean(option, lap) for option in left}
            leader = min(means, key=means.__getitem__)
            if lap >= len(self._worlds):
                break
            left = [option for option in left if option == leader or not self._is_worse(option, leader, lap)]
            lap *= 2
        return leader

    def mean(self, option: int) -> float:
        """Return the mean points of an option in all worlds of this half."""
        return self._mean(option, len(self._worlds))

    def loss(self, option: int, other: int) -> tuple[float, float]:
        """Return by how many points an option is worse than another one, and the variance of that mean."""
        if option == other:
            return 0.0, 0.0
        return self._difference(option, other, len(self._worlds))

    def _is_worse(self, option: int, leader: int, count: int) -> bool:
        mean, variance = self._difference(option, leader, count)
        return mean > _CLEARLY * sqrt(variance)

    def _difference(self, option: int, other: int, count: int) -> tuple[float, float]:
        pairs = zip(self._found(option, count), self._found(other, count), strict=True)
        differences = [mine - theirs for mine, theirs in pairs]
        worlds = len(differences)
        mean = sum(differences) / worlds
        spread = sum([(difference - mean) ** 2 for difference in differences]) / (worlds - 1)
        return mean, (spread + _LEAST_VARIANCE) / worlds

    def _mean(self, option: int, count: int) -> float:
        found = self._found(option, count)
        return sum(found) / len(found)

    def _found(self, option: int, count: int) -> list[float]:
        """Return the points of an option in the first `count` worlds, or in all if there are fewer."""
        found = self._points[option]
        found += [world(option) for world in self._worlds[len(found) : count]]
        return found[:count]
