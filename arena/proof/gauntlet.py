"""Study: how often does a gauntlet, looked at after every cycle until it is settled, answer wrongly?

The truth about two candidates is known. At the look that ends the gauntlet it is wrong to call a candidate
better that is not better, or to call two candidates level that are farther apart than the margin.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import sqrt
from statistics import mean, stdev
from typing import Self

from arena.proof.figure import Figure, rate_figure
from arena.proof.scenario import Scenario
from arena.proof.study import Leagues
from arena.proof.world import stream
from arena.schedule import Field, LineUps, Plan
from arena.standings import Answer, Outcome, Scoring, SessionResult
from arena.standings import Plan as LeaguePlan

__all__ = ["CANDIDATES", "ERROR_RATE", "Ended", "Gauntlet", "apart", "gauntlet_plan"]

CANDIDATES = (0, 1)
"""The numbers of the candidates in a scenario; the others are the opponents."""
ERROR_RATE = 0.05
"""The share of gauntlets that may end with a wrong answer."""
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of one gauntlet: the answer about the first candidate, and the number of sessions played."""

    outcome: Outcome
    sessions: int


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """Gauntlets of a scenario whose first candidate is better by `truth` points, of up to `cycles` cycles."""

    scenario: Scenario
    truth: float
    margin: float
    cycles: int
    leagues: int

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        return f"gauntlet.{self.scenario.key}"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        return f"Gauntlets: {self.scenario.title}, margin {self.margin:g}, up to {self.cycles} cycles"

    def sample(self, seed: int, number: int) -> Ended:
        """Simulate one gauntlet and return how it ended."""
        world = self.scenario.world(stream(seed, self.name, number, "world"))
        dice = stream(seed, self.name, number, "sessions")
        plan = gauntlet_plan(self.scenario, f"{seed}|{self.name}|{number}")
        scoring = Scoring(
            bots=tuple(world.bots),
            seats=world.seats,
            house=frozenset(world.bots[len(CANDIDATES) :]),
            plan=LeaguePlan(plan.sessions_per_cycle, self.cycles),
            margin=self.margin,
            gauntlet=True,
        )
        played: list[SessionResult] = []
        outcome = Outcome.OPEN
        for cycle in range(self.cycles):
            played += [
                world.turns(dice, (cycle, session.index), session.order, len(CANDIDATES))
                for session in plan.cycle(cycle)
            ]
            seen = scoring.answer(played)
            if isinstance(seen, Answer) and seen.settled:
                outcome = seen.of_first()
                break
        return Ended(outcome, len(played))

    def is_wrong(self, outcome: Outcome) -> bool:
        """Return whether this answer is false. An undecided answer is never wrong."""
        return {
            Outcome.BETTER: self.truth <= _SAME,
            Outcome.WORSE: self.truth >= -_SAME,
            Outcome.LEVEL: abs(self.truth) > self.margin + _SAME,
            Outcome.OPEN: False,
        }[outcome]

    def resized(self, leagues: int) -> Self:
        """See `Study`."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield how often the answer was wrong, how often each answer came, and after how many sessions."""
        samples = leagues.samples(partial(self.sample, seed), self.leagues)
        wrong = [self.is_wrong(sample.outcome) for sample in samples]
        yield rate_figure(f"{self.name}.wrong", "a wrong answer", wrong, ERROR_RATE)
        for outcome in (Outcome.BETTER, Outcome.WORSE, Outcome.LEVEL, Outcome.OPEN):
            ended = [sample.outcome is outcome for sample in samples]
            label = "undecided" if outcome is Outcome.OPEN else f"called {outcome.value}"
            yield rate_figure(f"{self.name}.{outcome.value}", label, ended)
        sessions = [float(sample.sessions) for sample in samples]
        error = stdev(sessions) / sqrt(len(sessions))
        yield Figure(
            f"{self.name}.sessions", "sessions played", mean(sessions), error, len(samples), percent=False
        )


def gauntlet_plan(scenario: Scenario, season: str) -> Plan:
    """Return the arena's own schedule, with the first two bots as the candidates."""
    return Plan(Field(scenario.bots, scenario.seats, season, LineUps.GAUNTLET, CANDIDATES))


def apart(truth: float, opponents: int, charge: float = 0.0) -> tuple[float, ...]:
    """Return model scores with which the first candidate is truly `truth` points better in the gauntlet.

    The candidates never meet. Therefore a difference of their scores among N bots appears in their points by
    the factor (N - 1)/N. `charge`, the first candidate's charge a round, is part of its score, and is added
    to the gap because it would otherwise appear by the factor 1/N.
    """
    size = len(CANDIDATES) + opponents
    gap = (size * truth + charge) / (size - 1)
    return (-gap / 2, gap / 2, *(0.0,) * opponents)
