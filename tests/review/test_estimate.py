"""The estimate on simulated decisions whose true costs are known. No cards: worlds are random numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random

import pytest

from arena.review.estimate import Estimate, Outcome, estimate

WORLDS = 64
"""In each half."""
DECISIONS = 400


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
ALL = [EQUAL, CLOSE, BLUNDER, SMALL, MIDDLE, BEST]


def mean_and_error(numbers: Sequence[float]) -> tuple[float, float]:
    mean = sum(numbers) / len(numbers)
    return mean, sqrt(sum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1) / len(numbers))


def naive(simulated: Simulated, chance: Random) -> float:
    """What the estimate must not be: the best option's value from the worlds where it was the best."""
    worlds = simulated.half(chance) + simulated.half(chance)
    means = [sum(world(option) for world in worlds) / len(worlds) for option in range(len(simulated.values))]
    return means[0] - min(means)


@pytest.mark.parametrize("simulated", ALL)
def test_costs_are_not_estimated_too_high(simulated: Simulated) -> None:
    mean, error = mean_and_error([found.cost for found in simulated.estimates(1)])
    assert mean < simulated.cost + 2 * error


def test_the_plain_estimate_would_be_too_high() -> None:
    """So the test before is one that an estimate can fail."""
    chance = Random(2)
    mean, error = mean_and_error([naive(EQUAL, chance) for _ in range(DECISIONS)])
    assert mean > EQUAL.cost + 10 * error


@pytest.mark.parametrize("simulated", [BLUNDER, MIDDLE])
def test_costs_are_right_where_options_differ(simulated: Simulated) -> None:
    mean, error = mean_and_error([found.cost for found in simulated.estimates(3)])
    assert abs(mean - simulated.cost) < 2 * error


@pytest.mark.parametrize("simulated", ALL)
def test_about_95_of_100_intervals_hold_the_true_cost(simulated: Simulated) -> None:
    """A little fewer where options are close, and then because the estimate is too low."""
    found = simulated.estimates(4)
    too_high = sum(each.cost - 1.96 * each.error > simulated.cost for each in found)
    too_low = sum(each.cost + 1.96 * each.error < simulated.cost for each in found)
    assert too_high <= 0.03 * len(found)
    assert too_low <= 0.1 * len(found)


def test_intervals_are_no_wider_than_they_must_be() -> None:
    found = BLUNDER.estimates(10)
    assert sum(abs(each.cost - BLUNDER.cost) > 1.96 * each.error for each in found) > 0.03 * len(found)
    mean = sum(each.error for each in found) / len(found)
    assert mean < 1.2 * BLUNDER.own * sqrt(2 / (2 * WORLDS))


@pytest.mark.parametrize(("errors", "share"), [(1.645, 0.05), (2.326, 0.01)])
@pytest.mark.parametrize("simulated", [EQUAL, BEST])
def test_best_choices_seldom_look_surely_worse(simulated: Simulated, errors: float, share: float) -> None:
    found = simulated.estimates(5)
    surely = sum(each.cost > errors * each.error and each.cost > 0 for each in found)
    assert surely <= (share + 2 * sqrt(share / DECISIONS)) * DECISIONS


def test_where_nothing_differs_the_error_says_that_the_best_is_in_doubt() -> None:
    found = [each for each in EQUAL.estimates(12) if each.cost == 0]
    assert found
    assert all(each.error > 0.5 for each in found)


def test_a_choice_that_is_best_in_both_halves_costs_nothing() -> None:
    clear = Simulated((10, 40, 50), 5, 5)
    assert all((found.cost, found.error, found.best) == (0, 0, 0) for found in clear.estimates(6))


def test_the_only_option_costs_nothing() -> None:
    found = Simulated((33,), 5, 5).estimates(7)
    assert all((each.cost, each.error, each.best) == (0, 0, 0) for each in found)
    assert mean_and_error([each.expected for each in found])[0] == pytest.approx(33, abs=0.2)


def test_the_best_option_and_the_expected_points_are_told() -> None:
    found = BLUNDER.estimates(8)
    assert sum(each.best == 1 for each in found) > 0.6 * len(found)
    mean, error = mean_and_error([each.expected for each in found])
    assert abs(mean - 70) < 3 * error


def test_more_worlds_make_the_error_smaller() -> None:
    chance = Random(9)
    errors = []
    for worlds in (50, 200, 800):
        halves = [[BLUNDER.world(chance) for _ in range(worlds)] for _ in range(2)]
        errors.append(estimate(range(8), *halves).error)
    assert errors[0] > 1.5 * errors[1] > 2.2 * errors[2]


def test_clearly_worse_options_are_tried_in_few_worlds() -> None:
    tried = [0] * 4

    def world(option: int) -> float:
        tried[option] += 1
        return (60.0, 50.0, 90.0, 120.0)[option]

    found = estimate(range(4), [world] * 64, [world] * 64)
    assert (found.cost, found.best) == (10, 1)
    assert tried[2:] == [32, 32]
    assert tried[:2] == [128, 128]


def test_where_all_are_equal_what_was_chosen_is_the_best() -> None:
    found = estimate([7, 3, 5], [lambda option: 12.0] * 20, [lambda option: 12.0] * 20)
    assert (found.cost, found.best) == (0, 7)
    assert found.error < 0.2  # what is added because so few worlds might agree by accident


@pytest.mark.parametrize(("options", "first", "second"), [([], 4, 4), ([1], 1, 4), ([1], 4, 0)])
def test_too_little_to_estimate_from_is_refused(options: list[int], first: int, second: int) -> None:
    world: Outcome = float
    with pytest.raises(ValueError, match="two worlds or more"):
        estimate(options, [world] * first, [world] * second)
