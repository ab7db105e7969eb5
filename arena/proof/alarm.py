"""Study: how often is it said that form varies from cycle to cycle, where it does and where it does not?

What was said once is not taken back: a look after every cycle counts. It judges no score and no verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

from arena.proof.figure import Figure, rate_figure
from arena.proof.scenario import League, Scenario
from arena.proof.study import Leagues
from arena.standings import SessionResult, fit

__all__ = ["MOST_FALSE", "Alarm"]

MOST_FALSE = 0.05
"""The share of leagues without drift in which form may be said to vary, at any look."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """Leagues of a scenario, with a look after each cycle from the second on, of up to `cycles` cycles."""

    scenario: Scenario
    cycles: int
    leagues: int

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        return f"alarm.{self.scenario.key}"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        return f"Form that varies: {self.scenario.title}, up to {self.cycles} cycles"

    def sample(self, seed: int, number: int) -> tuple[bool, bool]:
        """Simulate a league. Return whether form was ever said to vary, and that of a bot whose does not."""
        league = League(self.scenario, seed, number)
        world, played = league.world(), list[SessionResult]()
        drifting = {bot for bot, own in zip(world.bots, self.scenario.drift, strict=False) if own}
        named: set[str] = set()
        for cycle, sessions in enumerate(league.sessions(world, league.plan(self.cycles))):
            played += sessions
            if cycle:
                named.update(fit(played, world.bots, world.seats).varying)
        return bool(named), bool(named - drifting)

    def resized(self, leagues: int) -> Self:
        """See `Study`."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield how often it was said; where no form varies, it is claimed to be seldom."""
        samples = leagues.samples(partial(self.sample, seed), self.leagues)
        most = None if any(self.scenario.drift) else MOST_FALSE
        said = [said for said, _ in samples]
        yield rate_figure(f"{self.name}.said", "form is ever said to vary", said, most)
        if 0 < sum(map(bool, self.scenario.drift)) < self.scenario.bots:
            wrong = [wrong for _, wrong in samples]
            yield rate_figure(f"{self.name}.wrong", "of a bot whose form does not", wrong)
