"""Study: how long does it take to score a long league, standard errors of all pairs included?

No claim is made of the time, because machines differ in speed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from time import process_time
from typing import Self

from arena.proof.figure import Figure, spread_of_means
from arena.proof.scenario import League, Scenario
from arena.proof.study import Leagues
from arena.standings import fit

__all__ = ["Speed"]


@dataclass(frozen=True, slots=True)
class Speed:
    """Leagues of a scenario with at least so many `rounds`."""

    scenario: Scenario
    rounds: int
    leagues: int = 3

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        return f"speed.{self.scenario.key}"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        return f"Time to score {self.rounds:,} rounds: {self.scenario.title}"

    def resized(self, leagues: int) -> Self:
        """Return the same study, since more leagues would only take longer."""
        return self

    def sample(self, seed: int, number: int) -> float:
        """Return the processor time of one league's fit, in seconds."""
        league = League(self.scenario, seed, number)
        world, schedule = league.world(), league.schedule()
        in_session = self.scenario.seats * schedule.matches_per_session
        cycles = -(-self.rounds // (in_session * schedule.sessions_per_cycle))
        sessions = list(chain.from_iterable(league.sessions(world, league.plan(cycles))))
        begun = process_time()
        fit(sessions, world.bots, world.seats)
        return process_time() - begun

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield the mean time. It is only reported, since a slow machine makes no claim false."""
        seconds = leagues.samples(partial(self.sample, seed), self.leagues)
        mean, error = spread_of_means(seconds)
        yield Figure(f"{self.name}.seconds", "seconds", mean, error, len(seconds), percent=False)
