"""Study: how much do bots influence one another beside their strengths, in the model and in real rounds?

The figure is the variance of a line-up's effect on a bot, in the mean of a session, over the variance between
sessions of the same line-up. Nothing is claimed of it: it shows how close the model is to real rounds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import fsum
from typing import Self

from arena.proof.figure import Figure, spread_of_means
from arena.proof.scenario import League, Scenario
from arena.proof.study import Leagues
from arena.standings import SessionResult, fit

__all__ = ["Influence", "components"]


@dataclass(frozen=True, slots=True)
class Influence:
    """Leagues of a scenario without charges in which every line-up plays `cycles` times."""

    scenario: Scenario
    cycles: int
    leagues: int

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        return f"influence.{self.scenario.key}"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        return f"Influence of bots on one another: {self.scenario.title}"

    def sample(self, seed: int, number: int) -> tuple[float, float]:
        """Simulate one league and return its variance components."""
        league = League(self.scenario, seed, number)
        world = league.world()
        cycles = league.sessions(world, league.plan(self.cycles))
        return components([session for cycle in cycles for session in cycle], world.bots, world.seats)

    def resized(self, leagues: int) -> Self:
        """See `Study`."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield the ratio of the two components, over all leagues."""
        found = leagues.samples(partial(self.sample, seed), self.leagues)
        # One denominator for all leagues: in a single league it may be small by chance, and its ratio huge.
        chance = fsum(each for _, each in found) / len(found)
        ratio, error = spread_of_means([each / chance for each, _ in found])
        label = "line-up x bot, over chance in a session"
        yield Figure(f"{self.name}.ratio", label, ratio, error, len(found), percent=False)


def components(sessions: Sequence[SessionResult], bots: Sequence[str], seats: int) -> tuple[float, float]:
    """Return the variances, in squared points a round, of line-up x bot and of chance in a session's mean.

    They come from an analysis of variance of a complete league in which every line-up plays equally often,
    twice or more.
    """
    strengths = fit(sessions, bots, seats)
    factor = (seats - 1) * len(bots) / (seats * (len(bots) - 1))
    left: defaultdict[tuple[str, ...], list[list[float]]] = defaultdict(list)
    for session in sessions:
        line_up = tuple(sorted(session.card_points))
        own = [(strengths.fap[bot] - strengths.par) / factor for bot in line_up]
        mean = fsum(own) / seats
        expected = [strengths.par + strength - mean for strength in own]
        points = [session.card_points[bot] / session.rounds for bot in line_up]
        left[line_up].append([point - each for point, each in zip(points, expected, strict=True)])
    count, times = len(left), len(sessions) / len(left)
    means = {
        line_up: [fsum(bot) / times for bot in zip(*of_it, strict=True)] for line_up, of_it in left.items()
    }
    # Degrees of freedom: the residuals of a session sum to 0, hence seats - 1; and the strengths that were
    # fitted before take bots - 1 from those between line-ups.
    within = fsum(
        (value - mean) ** 2
        for line_up, of_it in left.items()
        for each in of_it
        for value, mean in zip(each, means[line_up], strict=True)
    ) / (count * (times - 1) * (seats - 1))
    between = times * fsum(mean**2 for each in means.values() for mean in each)
    between /= count * (seats - 1) - (len(bots) - 1)
    return (between - within) / times, within
