"""Study: how much more does a session in Latin seats tell than as many rounds in random seats?

The figure is the variance of the difference of two bots in random seats over that in Latin seats, from
equally many rounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import fsum, sqrt
from random import Random
from statistics import variance
from typing import Self

from arena.proof.figure import Figure
from arena.proof.scenario import Scenario
from arena.proof.study import Leagues
from arena.proof.world import World, stream
from arena.schedule import Field, Plan
from arena.standings import SessionResult, fit

__all__ = ["Sample", "Scores", "Variance", "variance_ratio"]

_GROUPS = 20

Scores = Mapping[str, float]
Sample = tuple[Scores, Scores, Scores]
"""The scores from Latin seats, from random seats of the same line-ups, and with random line-ups too."""


@dataclass(frozen=True, slots=True)
class Variance:
    """Leagues of one cycle of a scenario. With as many bots as seats, a cycle is one session."""

    scenario: Scenario
    leagues: int

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        return f"variance.{self.scenario.key}"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        return f"Variance, random seats over Latin: {self.scenario.title}"

    def sample(self, seed: int, number: int) -> Sample:
        """Simulate the same league in three ways. The bots are the same in all leagues."""
        world = self.scenario.world(stream(seed, self.name, "world"))
        dice = stream(seed, self.name, number)
        season = f"{seed}|{self.name}|{number}"
        plan = Plan(Field(self.scenario.bots, self.scenario.seats, season, self.scenario.line_ups))
        latin = [world.latin(dice, (0, each.index), each.order) for each in plan.cycle(0)]
        rounds = latin[0].rounds
        seats = [world.scattered(dice, (0, each.index), each.line_up, rounds) for each in plan.cycle(0)]
        # With one line-up there are no line-ups to draw.
        alone = self.scenario.bots == self.scenario.seats
        mixed = seats if alone else _mixed(world, dice, rounds * len(latin))
        return _scores(world, latin), _scores(world, seats), _scores(world, mixed)

    def resized(self, leagues: int) -> Self:
        """See `Study`."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield both ratios of variances, or only the first where there is one line-up."""
        samples = leagues.samples(partial(self.sample, seed), self.leagues)
        latin, seats, mixed = ([sample[way] for sample in samples] for way in range(3))
        ways = [("seats", "random seats", seats)]
        if self.scenario.bots > self.scenario.seats:
            ways.append(("line_ups", "random seats and line-ups", mixed))
        for key, label, other in ways:
            ratio, error = variance_ratio(latin, other)
            # The claim is only that Latin sessions are never worse: how much better depends on the bots.
            yield Figure(f"{self.name}.{key}", label, ratio, error, len(samples), low=1.0, percent=False)


def _mixed(world: World, dice: Random, rounds: int) -> list[SessionResult]:
    """Return rounds of line-ups drawn at random, with a session for each line-up: the score is the same."""
    numbers = range(len(world.bots))
    drawn = Counter(tuple(sorted(dice.sample(numbers, world.seats))) for _ in range(rounds))
    return [
        world.scattered(dice, (0, index), line_up, count)
        for index, (line_up, count) in enumerate(sorted(drawn.items()))
    ]


def _scores(world: World, sessions: Sequence[SessionResult]) -> Scores:
    return fit(sessions, world.bots, world.seats).scores


def variance_ratio(below: Sequence[Scores], above: Sequence[Scores]) -> tuple[float, float]:
    """Return the variance of score differences in `above` over that in `below`, and its standard error.

    The variances are summed over all pairs of bots. The error is a delete-a-group jackknife over 20 groups of
    leagues. Raises ValueError when there are fewer than two leagues a group.
    """
    if len(below) < 2 * _GROUPS:
        raise ValueError(f"a ratio of variances needs {2 * _GROUPS} leagues or more, not {len(below)}")
    ratio = _total(above) / _total(below)
    others = []
    for group in range(_GROUPS):
        kept = [number for number in range(len(below)) if number % _GROUPS != group]
        others.append(_total([above[n] for n in kept]) / _total([below[n] for n in kept]))
    squares = fsum((other - ratio) ** 2 for other in others)
    return ratio, sqrt((_GROUPS - 1) / _GROUPS * squares)


def _total(scores: Sequence[Scores]) -> float:
    pairs = combinations(sorted(scores[0]), 2)
    return fsum(variance([each[a] - each[b] for each in scores]) for a, b in pairs)
