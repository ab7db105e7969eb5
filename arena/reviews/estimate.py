"""What a choice cost, estimated from the points of all options in the same worlds.

The points of the best of many options look too good in the worlds in which it was found to be the best: its
luck there is part of the reason. So the worlds are in two halves. The best option of each half is found in
that half alone and compared with what was chosen in the other half alone, where luck favours nobody. The cost
is the mean of these two comparisons. It is not biased upwards: its expectation is the mean of what the two
options found are better than what was chosen, which is at most the true cost. (Where options are hardly
different, it may be a little too low, and an estimate may be negative.)

All options are tried in the same worlds, so the differences vary much less than the points. An option that is
probably worse than the best in its half is not tried in the rest of that half. That changes only which option
a half finds, and each half decides it by its own worlds, so nothing becomes biased upwards.

Where what was chosen is the best in a half, that half finds no loss. If another option is nearly as good
there, the error says how well the two can be told apart. Where the best is in doubt, the two comparisons
depend on each other: each is large when it helped the other half to find the same option. Without a
correction 7 of 100 choices among equal ones would look worse by 1.645 errors, instead of 5.

This is cross-fitting, as in Chernozhukov et al., "Double/debiased machine learning" (2018). This module knows
no cards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final, TypeAlias

Outcome: TypeAlias = Callable[[int], float]
"""The points of an option in one world; for an option the same each time."""

_FIRST_LAP: Final = 16
"""The worlds of a half before any option is dropped. Each further lap has as many as all laps before it."""
_HOPELESS: Final = 1.5
"""An option is dropped when it is worse by so many standard errors of the difference. Now and then that drops
the best one. What is found instead is nearly as good: at passes costs come out 2 % lower, in half of the
time, than with 2.5 errors."""
_CLEARLY: Final = 2.5
"""The best is in doubt while another option is not worse by so many standard errors."""
_LEAST_VARIANCE: Final = 1.0
"""Added to the variance of differences, in points squared: in a few worlds all may happen to agree."""
_IN_DOUBT: Final = 1.15
"""The error is so many times as large where the best is in doubt. With two to twenty equal options and normal
luck, that leaves at most 5 % above 1.645 errors, 1 % above 2.326 and 0.1 % above 3.09 (simulated)."""


@dataclass(frozen=True, slots=True)
class Loss:
    """What the first option costs beside the best.

    cost: in points; 0 where both halves found that the first option is the best, and slightly negative at
    times. error: its standard error; 0 where the first option is clearly the best. best: the best option over
    all worlds, of those that were the best in a half.
    """

    cost: float
    error: float
    best: int


def estimate(options: Sequence[int], first: Sequence[Outcome], second: Sequence[Outcome]) -> Loss:
    """Return what the first option costs. `first` and `second` are the worlds of each half, drawn alike.

    Raises ValueError with fewer than two worlds in a half or without any option.
    """
    if min(len(first), len(second)) < 2 or not options:
        raise ValueError("an estimate needs an option, and two worlds or more in each half")
    chosen = options[0]
    halves = (_Half(first, options), _Half(second, options))
    found = [half.best() for half in halves]
    parts = [half.loss(chosen, *other) for half, other in zip(halves, reversed(found), strict=True)]
    over_all = {
        best: sum(half.mean(best) for half in halves) for best in (chosen, *(best for best, _ in found))
    }
    in_doubt = any(rival is not None for _, rival in found)
    return Loss(
        cost=sum(loss for loss, _ in parts) / 2,
        error=sqrt(sum(variance for _, variance in parts)) / 2 * (_IN_DOUBT if in_doubt else 1.0),
        best=min(over_all, key=over_all.__getitem__),
    )


def _mean_and_variance(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of some differences, and the variance of one."""
    mean = sum(values) / len(values)
    spread = sum([(value - mean) ** 2 for value in values]) / (len(values) - 1)
    return mean, spread + _LEAST_VARIANCE


class _Half:
    """One half of the worlds, with the points found so far."""

    def __init__(self, worlds: Sequence[Outcome], options: Sequence[int]) -> None:
        self._worlds = worlds
        self._points: dict[int, list[float]] = {option: [] for option in options}

    def best(self) -> tuple[int, int | None]:
        """Return the best option of this half, and the next best unless that is clearly worse.

        Where several are equally good, the first of them is the best.
        """
        left = list(self._points)
        lap = _FIRST_LAP
        while True:
            means = {option: self._mean(option, lap) for option in left}
            leader = min(means, key=means.__getitem__)
            tried = min(lap, len(self._worlds))
            left = [
                option
                for option in left
                if option == leader or not self._is_worse(option, leader, _HOPELESS, tried)
            ]
            if lap >= len(self._worlds) or len(left) == 1:
                return leader, self._rival(leader)
            lap *= 2

    def _rival(self, leader: int) -> int | None:
        """Return the option next to the leader, unless all are clearly worse.

        Of an option that was dropped, the worlds that it was tried in say how it would be in all of them.
        """
        worlds = len(self._worlds)
        worse = {
            option: self._difference(option, leader)
            for option in self._points
            if option != leader and not self._is_worse(option, leader, _CLEARLY, worlds)
        }
        return min(worse, key=worse.__getitem__, default=None)

    def mean(self, option: int) -> float:
        """Return the mean points of an option in all worlds of this half."""
        return self._mean(option, len(self._worlds))

    def loss(self, option: int, other: int, rival: int | None) -> tuple[float, float]:
        """Return by how many points an option is worse than `other`, and the variance of that mean.

        If they are the same, it is worse by nothing, and the variance is that beside its `rival`.
        """
        worlds = len(self._worlds)
        if option == other:
            return 0.0, 0.0 if rival is None else self._difference(option, rival)[1] / worlds
        for each in (option, other):
            self._found(each, worlds)
        mean, spread = self._difference(option, other)
        return mean, spread / worlds

    def _is_worse(self, option: int, leader: int, errors: float, worlds: int) -> bool:
        mean, spread = self._difference(option, leader)
        return mean > errors * sqrt(spread / worlds)

    def _difference(self, option: int, other: int) -> tuple[float, float]:
        """Return the mean difference in the worlds where both were tried so far, and its variance in one."""
        pairs = zip(self._points[option], self._points[other], strict=False)
        return _mean_and_variance([mine - theirs for mine, theirs in pairs])

    def _mean(self, option: int, count: int) -> float:
        found = self._found(option, count)
        return sum(found) / len(found)

    def _found(self, option: int, count: int) -> list[float]:
        """Return the points of an option in the first `count` worlds, or in all if there are fewer."""
        found = self._points[option]
        found += [world(option) for world in self._worlds[len(found) : count]]
        return found[:count]
