"""Study: how often is a wrong order ever declared, looking after every complete cycle until `settled`?

Wrong is to call a bot surely ahead of one that is as good or better, once, at any look.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Self

from arena.proof.coverage import estimates
from arena.proof.figure import Figure, mean_figure, rate_figure
from arena.proof.scenario import League, Scenario
from arena.proof.study import Leagues
from arena.standings import Look, Pair, SessionResult, Verdict, look

__all__ = ["ERROR_RATE", "MARGIN", "Order", "Outcome"]

ERROR_RATE = 0.05
"""Leagues in which any wrong order may be declared, in all looks and pairs together."""
MARGIN = 2.0
"""Points within which bots are level, as in a league file that does not say."""
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was declared in one league until it was settled or its cycles were over.

    `wrong`: some bot was called ahead of one as good or better. `not_level`: two were called level
    whose truth is farther apart than the margin. `twins`: the same bot entered twice was separated.
    `covered`: at the end of a settled league, the share of the ± that hold the truth. `sessions`:
    played until settled. Both None if it was not.
    """

    looks: int
    wrong: bool
    not_level: bool
    twins: bool
    covered: float | None
    sessions: int | None


@dataclass(frozen=True, slots=True)
class Order:
    """Leagues of a scenario of known truth with a look after each of up to so many `cycles`."""

    scenario: Scenario
    cycles: int
    leagues: int

    @property
    def name(self) -> str:
        """The key of its figures."""
        return f"order.{self.scenario.key}"

    @property
    def title(self) -> str:
        """What is simulated, for people."""
        return f"Wrong orders: {self.scenario.title}, up to {self.cycles} cycles"

    def sample(self, seed: int, number: int) -> Outcome:
        """One league."""
        league = League(self.scenario, seed, number)
        world, plan = league.world(), league.plan(self.cycles)
        truth = self._truth(world.bots, world.truth)
        played: list[SessionResult] = []
        watch = _Watch(truth, {world.bots[bot] for bot in self.scenario.twins})
        for sessions in league.sessions(world, plan):
            played += sessions
            found = look(played, world.bots, world.seats, plan, MARGIN)
            if isinstance(found, Look):
                watch.take(found)
                if found.settled:
                    intervals = estimates(found.fit, world)
                    return watch.outcome(
                        found.sessions,
                        [
                            each.covers(each.truth)
                            for key, each in intervals.items()
                            if len(key) == 1 and each.truth is not None
                        ],
                    )
        return watch.outcome(None, [])

    def _truth(self, bots: Sequence[str], known: Mapping[str, float] | None) -> Mapping[str, float]:
        """The true scores; of real rounds only that twins are equal is known, and the others stay out."""
        if known is not None:
            return known
        return {bots[bot]: 0.0 for bot in self.scenario.twins}

    def resized(self, leagues: int) -> Self:
        """See `Study`."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """How often something wrong was declared, how often the league was settled, and when."""
        samples = leagues.samples(partial(self.sample, seed), self.leagues)
        looks = sum(sample.looks for sample in samples) / len(samples)
        yield rate_figure(
            f"{self.name}.wrong",
            f"a wrong order ever ({looks:.1f} looks)",
            [s.wrong for s in samples],
            ERROR_RATE,
        )
        if self.scenario.twins:
            pairs = self.scenario.bots * (self.scenario.bots - 1) / 2
            among = len(self.scenario.twins) * (len(self.scenario.twins) - 1) / 2
            most = ERROR_RATE * among / pairs
            yield rate_figure(
                f"{self.name}.twins", "the same bot separated", [s.twins for s in samples], most
            )
        if not self.scenario.policies:
            yield rate_figure(
                f"{self.name}.level", "falsely called level", [s.not_level for s in samples], ERROR_RATE
            )
        settled = [sample for sample in samples if sample.covered is not None]
        yield rate_figure(f"{self.name}.settled", "settled", [s.covered is not None for s in samples])
        if settled and not self.scenario.policies:
            covered = [sample.covered or 0.0 for sample in settled]
            yield mean_figure(f"{self.name}.covered", "coverage of the ± where settled", covered)


class _Watch:
    """Compares what is declared with the truth, look by look."""

    def __init__(self, truth: Mapping[str, float], twins: set[str]) -> None:
        self._truth = truth
        self._twins = twins
        self._looks = 0
        self._wrong = self._not_level = self._separated = False

    def take(self, found: Look) -> None:
        """One look."""
        self._looks += 1
        for pair in found.pairs:
            if pair.better in self._truth and pair.worse in self._truth:
                self._judge(pair, self._truth[pair.worse] - self._truth[pair.better])

    def _judge(self, pair: Pair, gap: float) -> None:
        """A verdict on two bots, the worse of which is truly so by `gap` points."""
        if pair.verdict is Verdict.AHEAD and gap <= _SAME:
            self._wrong = True
            self._separated = self._separated or {pair.better, pair.worse} <= self._twins
        elif pair.verdict is Verdict.LEVEL and abs(gap) > MARGIN + _SAME:
            self._not_level = True

    def outcome(self, sessions: int | None, covered: Sequence[bool]) -> Outcome:
        """At the end: after so many sessions if it was settled, with what its intervals cover."""
        share = None if sessions is None else sum(covered) / max(1, len(covered))
        return Outcome(self._looks, self._wrong, self._not_level, self._separated, share, sessions)
