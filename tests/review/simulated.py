"""Simulated decisions whose true costs are known. No cards: worlds are random numbers. It asserts nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from random import Random

from arena.review.estimate import Estimate, Outcome, estimate

WORLDS = 64
"""In each half."""
DECISIONS = 200


@dataclass(frozen=True)
class Simulated:
    """Options with known expected points, in worlds that are luckier or not for all, and for each.

    values: the expected points by option; option 0 is what was chosen. common, own: the standard deviations
    of what a world adds to all options and to each.
    """

    values: tuple[float, ...]
    common: float
    own: float

    @property
    def cost(self) -> float:
        return self.values[0] - min(self.values)

    def world(self, chance: Random) -> Outcome:
        luck = chance.gauss(0, self.common)
        points = [value + luck + chance.gauss(0, self.own) for value in self.values]
        return points.__getitem__

    def half(self, chance: Random) -> list[Outcome]:
        return [self.world(chance) for _ in range(WORLDS)]

    @cache  # noqa: B019 - few, and they stay
    def estimates(self, seed: int) -> list[Estimate]:
        chance = Random(seed)
        options = range(len(self.values))
        return [estimate(options, self.half(chance), self.half(chance)) for _ in range(DECISIONS)]


EQUAL = Simulated((60.0,) * 8, 30, 12)
CLOSE = Simulated((60.5, 60, 60, 60.5, 61, 62, 60, 60), 30, 12)
BLUNDER = Simulated((70, 60, 66, 75, 68, 72, 70, 90), 30, 12)
SMALL = Simulated((62, 60, 68, 70), 20, 8)
MIDDLE = Simulated((64, 60, 68, 70), 20, 8)
BEST = Simulated((60, 64, 66, 70, 63, 80), 20, 10)


def mean_and_error(numbers: Sequence[float]) -> tuple[float, float]:
    mean = sum(numbers) / len(numbers)
    return mean, sqrt(sum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1) / len(numbers))
