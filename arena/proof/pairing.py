"""Study: how much more does a gauntlet's session tell than as many rounds on each candidate's own boards?

The figure is the variance of the difference of two candidates on boards of their own, in Latin or in random
seats, over the variance on the same boards in the same seats. It says how many times more rounds would be
needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

from arena.proof.figure import Figure
from arena.proof.gauntlet import CANDIDATES, gauntlet_plan
from arena.proof.scenario import Scenario
from arena.proof.study import Leagues
from arena.proof.variance import Scores, variance_ratio
from arena.proof.world import stream
from arena.standings import SessionResult

__all__ = ["Pairing"]

Ways = tuple[Scores, Scores, Scores]
"""The candidates' means on the same boards, on boards of their own in Latin seats, and in random seats."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Single sessions of a gauntlet, `leagues` in number, all with the same bots."""

    scenario: Scenario
    leagues: int

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        return f"pairing.{self.scenario.key}"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        return f"Variance of a difference, unpaired over paired: {self.scenario.title}"

    def sample(self, seed: int, number: int) -> Ways:
        """Simulate one session in three ways."""
        world = self.scenario.world(stream(seed, self.name, "world"))
        dice = stream(seed, self.name, number)
        session = gauntlet_plan(self.scenario, f"{seed}|{self.name}|{number}").cycle(0)[0]
        candidates = [world.bots[number] for number in CANDIDATES]
        opponents = session.order[len(CANDIDATES) :]
        orders = [(candidate, *opponents) for candidate in CANDIDATES]
        paired = world.turns(dice, (0, 0), session.order, len(CANDIDATES))
        latin = [world.latin(dice, (0, 0), order) for order in orders]
        rounds = latin[0].rounds
        random = [world.scattered(dice, (0, 0), order, rounds) for order in orders]
        return (
            {bot: _mean(paired, bot) for bot in candidates},
            {bot: _mean(each, bot) for bot, each in zip(candidates, latin, strict=True)},
            {bot: _mean(each, bot) for bot, each in zip(candidates, random, strict=True)},
        )

    def resized(self, leagues: int) -> Self:
        """See `Study`."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield both ratios of variances."""
        samples = leagues.samples(partial(self.sample, seed), self.leagues)
        paired, latin, random = ([sample[way] for sample in samples] for way in range(3))
        for key, label, other in (("boards", "other boards", latin), ("seats", "and random seats", random)):
            ratio, error = variance_ratio(paired, other)
            yield Figure(f"{self.name}.{key}", label, ratio, error, len(samples), low=1.0, percent=False)


def _mean(session: SessionResult, bot: str) -> float:
    return session.card_points[bot] / session.seat_rounds.get(bot, session.rounds)
