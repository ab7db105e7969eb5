"""Studies: who is disqualified by mistake, and what becomes of the scores when a bot has left the field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import fsum
from random import Random
from typing import Self

from arena.conduct.evidence import SessionShare
from arena.conduct.limits import EvidenceLimits
from arena.proof.figure import Figure, mean_figure, rate_figure
from arena.proof.played import Played
from arena.proof.scenario import Scenario
from arena.proof.study import Leagues
from arena.proof.world import stream
from arena.schedule import Departures, Field, Plan
from arena.standings import Fit, SessionResult, fit

__all__ = ["Departure", "Disqualified", "Way"]

_SESSION = 4
"""The matches of a session of four seats."""
_LIMITS = EvidenceLimits(0.10, 10)
"""Those of a league file by default."""
_STAND_IN = "any"
"""The policy that plays as the stand-in does: a random legal card."""


@dataclass(frozen=True, slots=True)
class Disqualified:
    """A bot that is replaced in a `share` of its matches by chance, judged after each of its sessions.

    `clustered`: its incidents come in whole sessions. `most`: the share of leagues in which it may be
    disqualified; None if it must be, after three sessions.
    """

    key: str
    share: float
    clustered: bool
    sessions: int
    most: float | None
    leagues: int

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        return f"disqualified.{self.key}"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        how = "in whole sessions" if self.clustered else "match by match"
        return (
            f"Disqualified: a bot replaced in {100 * self.share:g} % of its matches, {how}, "
            f"{self.sessions} sessions, limit {100 * _LIMITS.share:g} %"
        )

    def sample(self, seed: int, number: int) -> int | None:
        """Return the number of sessions after which the bot is out; None if it never is."""
        dice, tally = stream(seed, self.name, number), Counter[SessionShare]()
        for played in range(1, self.sessions + 1):
            tally[self._lost(dice), _SESSION] += 1
            if _LIMITS.why_out(tally):
                return played
        return None

    def _lost(self, dice: Random) -> int:
        if self.clustered:
            return _SESSION * (dice.random() < self.share)
        return sum(dice.random() < self.share for _ in range(_SESSION))

    def resized(self, leagues: int) -> Self:
        """Return the same study with another number of leagues."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield how often the bot is out, or how often a broken one is not out after three sessions."""
        found = leagues.samples(partial(self.sample, seed), self.leagues)
        if self.most is None:
            late = [sessions is None or sessions > 3 for sessions in found]
            yield rate_figure(f"{self.name}.late", "not out after 12 matches", late, 0.0)
        else:
            out = [sessions is not None for sessions in found]
            yield rate_figure(f"{self.name}.out", "disqualified", out, self.most)


@dataclass(frozen=True, slots=True)
class Way:
    """A league after a bot had left: the mean score of the others, and how their differences changed.

    `mean`: in points a round. `shrunk`: by how many points a difference of two of them is smaller than it is
    in a league without the bot, the mean over all pairs. Which of two is better was settled beforehand.
    """

    mean: float
    shrunk: float


@dataclass(frozen=True, slots=True)
class Departure:
    """Real rounds: the last bot of a scenario is out after the first of `cycles` cycles.

    The others play on by the new plan, or beside a random player in its seats; and once in a league of their
    own, as they would without it. The scenario names its bots from good to bad.
    """

    scenario: Scenario
    cycles: int
    leagues: int

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        return f"departure.{self.scenario.key}"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        return f"Departure: {self.scenario.title}; the last bot is out after cycle 1 of {self.cycles}"

    def sample(self, seed: int, number: int) -> tuple[Way, Way]:
        """Return the league that is planned anew, and the one in which the stand-in plays on."""
        dice, season = stream(seed, self.name, number), f"{seed}|{self.name}|{number}"
        bots, gone = list(self.scenario.policies), self.scenario.bots - 1
        left = bots[:gone]
        anew = self._played(dice, self._plan(season, {1: {gone}}), bots)
        own = self._played(dice, self._plan(season, {0: {gone}}), bots)
        by_stand_in = self._played(dice, self._plan(season, {}), bots, _STAND_IN)
        seats = self.scenario.seats
        alone = fit(own, left, seats)
        return (
            _way(fit(anew, bots, seats, departed={bots[gone]}), alone, left),
            _way(fit(by_stand_in, [*bots, _STAND_IN], seats), alone, left),
        )

    def _plan(self, season: str, departed: Departures) -> Plan:
        scenario = self.scenario
        return Plan(Field(scenario.bots, scenario.seats, season, scenario.line_ups), departed)

    def _played(
        self, dice: Random, plan: Plan, bots: Sequence[str], instead: str | None = None
    ) -> list[SessionResult]:
        """Play all cycles; from the second one on `instead` may sit for the last bot."""
        first = Played(bots, self.scenario.seats)
        later = first if instead is None else Played([*bots[:-1], instead], self.scenario.seats)
        return [
            (later if cycle else first).latin(dice, (cycle, session.index), session.order)
            for cycle in range(self.cycles)
            for session in plan.cycle(cycle)
        ]

    def resized(self, leagues: int) -> Self:
        """Return the same study with another number of leagues."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield the means and the lost differences of both ways, of which only the new one is claimed."""
        ways = list(zip(*leagues.samples(partial(self.sample, seed), self.leagues), strict=True))
        par = 250 / self.scenario.seats
        claims = (("anew", "planned anew", (par, par), (-1.5, 1.5)), ("stand-in", "stand-in", None, None))
        for (key, label, mean, shrunk), found in zip(claims, ways, strict=True):
            start = f"{self.name}.{key}"
            yield _points(f"{start}.mean", f"{label}: mean score", [way.mean for way in found], mean)
            yield _points(f"{start}.shrunk", f"{label}: points lost", [way.shrunk for way in found], shrunk)


def _way(found: Fit, alone: Fit, left: Sequence[str]) -> Way:
    pairs = list(combinations(left, 2))
    shrunk = [
        (alone.scores[worse] - alone.scores[better]) - (found.scores[worse] - found.scores[better])
        for better, worse in pairs
    ]
    return Way(_mean([found.scores[bot] for bot in left]), _mean(shrunk))


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def _points(key: str, label: str, values: Sequence[float], bounds: tuple[float, float] | None) -> Figure:
    # Means that are equal but for rounding have no error to allow for.
    return replace(mean_figure(key, label, [round(value, 9) for value in values], bounds), percent=False)
