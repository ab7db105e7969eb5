"""The estimate on simulated decisions whose true costs are known. No cards: worlds are random numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import sqrt
from random import Random

import pytest

from arena.reviews.estimate import Loss, Outcome, estimate

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

    def half(self, chance: Random) -> list[Outcome]:
        worlds = []
        for _ in range(WORLDS):
            luck = chance.gauss(0, self.common)
            worlds.append([value + luck + chance.gauss(0, self.own) for value in self.values].__getitem__)
        return worlds

    @cache  # noqa: B019 - few, and they stay
    def estimates(self, seed: int) -> list[Loss]:
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


@pytest.mark.parametrize("simulated", [EQUAL, CLOSE, SMALL, BEST])
def test_costs_are_not_estimated_too_high(simulated: Simulated) -> None:
    mean, error = mean_and_error([found.cost for found in simulated.estimates(1)])
    assert mean < simulated.cost + 2 * error


@pytest.mark.parametrize("simulated", [BLUNDER, MIDDLE])
def test_costs_are_right_where_options_differ(simulated: Simulated) -> None:
    mean, error = mean_and_error([found.cost for found in simulated.estimates(3)])
    assert abs(mean - simulated.cost) < 2 * error


@pytest.mark.slow
@pytest.mark.parametrize(("errors", "share"), [(1.645, 0.05), (2.326, 0.01)])
@pytest.mark.parametrize("simulated", [EQUAL, BEST])
def test_best_choices_seldom_look_surely_worse(simulated: Simulated, errors: float, share: float) -> None:
    found = simulated.estimates(5)
    surely = sum(each.cost > errors * each.error and each.cost > 0 for each in found)
    assert surely <= (share + 2 * sqrt(share / DECISIONS)) * DECISIONS


def test_where_nothing_differs_the_error_says_that_the_best_is_in_doubt() -> None:
    found = [each for each in EQUAL.estimates(1) if each.cost == 0]
    assert found
    assert all(each.error > 0.5 for each in found)


def test_a_choice_that_is_best_in_both_halves_costs_nothing() -> None:
    clear = Simulated((10, 40, 50), 5, 5)
    assert all((found.cost, found.error, found.best) == (0, 0, 0) for found in clear.estimates(6))


def test_the_only_option_costs_nothing() -> None:
    found = Simulated((33,), 5, 5).estimates(7)
    assert all((each.cost, each.error, each.best) == (0, 0, 0) for each in found)


def test_the_best_option_is_found() -> None:
    found = BLUNDER.estimates(3)
    assert sum(each.best == 1 for each in found) > 0.6 * len(found)


def test_where_all_are_equal_what_was_chosen_is_the_best() -> None:
    found = estimate([7, 3, 5], [lambda option: 12.0] * 20, [lambda option: 12.0] * 20)
    assert (found.cost, found.best) == (0, 7)
    assert found.error < 0.2  # what is added because so few worlds might agree by accident


@pytest.mark.parametrize(("options", "first", "second"), [([], 4, 4), ([1], 1, 4), ([1], 4, 0)])
def test_too_little_to_estimate_from_is_refused(options: list[int], first: int, second: int) -> None:
    world: Outcome = float
    with pytest.raises(ValueError, match="two worlds or more"):
        estimate(options, [world] * first, [world] * second)
