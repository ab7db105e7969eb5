"""Study: how many more sessions does a league need until it is settled, under the newest rule than the first?

The same simulated leagues are judged by both rules. It does not ask which of them is right: `order` does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import fsum
from typing import Self

from arena.proof.figure import Figure, ratio_figure
from arena.proof.order import MARGIN
from arena.proof.scenario import League, Scenario
from arena.proof.study import Leagues
from arena.standings import Look, ScoreRule, SessionResult, look

__all__ = ["Cost"]

_COMPARED = (ScoreRule.SCORE_1, ScoreRule.SCORE_2)


@dataclass(frozen=True, slots=True)
class Cost:
    """Leagues of a scenario of up to `cycles` cycles, which count whole where a league was never settled.

    `most`: the ratio that is claimed, None if none is.
    """

    scenario: Scenario
    cycles: int
    leagues: int
    most: float | None

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        return f"cost.{self.scenario.key}"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        return f"Sessions until settled, {ScoreRule.SCORE_2} over {ScoreRule.SCORE_1}: {self.scenario.title}"

    def sample(self, seed: int, number: int) -> tuple[int, int]:
        """Simulate one league and return the sessions under the first rule and under the second."""
        league = League(self.scenario, seed, number)
        world, plan = league.world(), league.plan(self.cycles)
        played: list[SessionResult] = []
        settled: dict[ScoreRule, int] = {}
        for sessions in league.sessions(world, plan):
            played += sessions
            for rule in [rule for rule in _COMPARED if rule not in settled]:
                found = look(played, world.bots, world.seats, replace(plan, rule=rule), MARGIN)
                if isinstance(found, Look) and found.settled:
                    settled[rule] = len(played)
            if len(settled) == len(_COMPARED):
                break
        before, now = (settled.get(rule, len(played)) for rule in _COMPARED)
        return before, now

    def resized(self, leagues: int) -> Self:
        """See `Study`."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield the ratio of both numbers of sessions, over all leagues."""
        samples = leagues.samples(partial(self.sample, seed), self.leagues)
        before = fsum(before for before, _ in samples) / len(samples)
        label = f"sessions ({before:.0f} under {ScoreRule.SCORE_1})"
        yield ratio_figure(f"{self.name}.ratio", label, samples, self.most)
