"""Study: how often is a wrong order ever declared, with a look after every complete cycle until `settled`?

An order is wrong if at any look a bot is called surely ahead of a bot that is as good or better.
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
"""The share of leagues in which a wrong order may be declared, over all looks and pairs together."""
MARGIN = 2.0
"""The points within which bots are level: the default of a league file."""
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was declared in one league until it was settled or its cycles were over.

    `looks`: the number of looks. `wrong`: a bot was called ahead of a bot as good or better. `not_level`: two
    bots were called level that are farther apart than the margin. `twins`: the same bot entered twice was
    separated. `covered`: the share of the ± that hold the truth at the end of a settled league. `sessions`:
    the sessions until it was settled. The last two are None if it was not settled.
    """

    looks: int
    wrong: bool
    not_level: bool
    twins: bool
    covered: float | None
    sessions: int | None


@dataclass(frozen=True, slots=True)
class Order:
    """Leagues of a scenario of known truth, with a look after each cycle, of up to `cycles` cycles.

    `claimed`: whether anything is claimed of the scenario, or its figures are only reported.
    """

    scenario: Scenario
    cycles: int
    leagues: int
    claimed: bool = True

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        return f"order.{self.scenario.key}"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        return f"Wrong orders: {self.scenario.title}, up to {self.cycles} cycles"

    def sample(self, seed: int, number: int) -> Outcome:
        """Simulate one league and return what was declared in it."""
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
        """Return the true scores. Of real rounds only the equality of twins is known; other bots stay out."""
        if known is not None:
            return known
        return {bots[bot]: 0.0 for bot in self.scenario.twins}

    def resized(self, leagues: int) -> Self:
        """See `Study`."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield how often something wrong was declared, how often leagues were settled, and the coverage."""
        samples = leagues.samples(partial(self.sample, seed), self.leagues)
        looks = sum(sample.looks for sample in samples) / len(samples)
        yield rate_figure(
            f"{self.name}.wrong",
            f"a wrong order ever ({looks:.1f} looks)",
            [s.wrong for s in samples],
            ERROR_RATE if self.claimed else None,
        )
        if self.scenario.twins:
            # The verdicts divide the error rate equally among all pairs (Bonferroni); twins get their share.
            pairs = self.scenario.bots * (self.scenario.bots - 1) / 2
            among = len(self.scenario.twins) * (len(self.scenario.twins) - 1) / 2
            most = ERROR_RATE * among / pairs
            yield rate_figure(
                f"{self.name}.twins", "the same bot separated", [s.twins for s in samples], most
            )
        scores = self.scenario.scores
        if scores and max(scores) - min(scores) > MARGIN:
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
        """Compare the verdicts of one look with the truth."""
        self._looks += 1
        for pair in found.pairs:
            if pair.better in self._truth and pair.worse in self._truth:
                self._judge(pair, self._truth[pair.worse] - self._truth[pair.better])

    def _judge(self, pair: Pair, gap: float) -> None:
        """Judge a verdict on two bots; `gap`: the true score of `pair.worse` less that of `pair.better`."""
        if pair.verdict is Verdict.AHEAD and gap <= _SAME:
            self._wrong = True
            self._separated = self._separated or {pair.better, pair.worse} <= self._twins
        elif pair.verdict is Verdict.LEVEL and abs(gap) > MARGIN + _SAME:
            self._not_level = True

    def outcome(self, sessions: int | None, covered: Sequence[bool]) -> Outcome:
        """Return the outcome at the end.

        `sessions`: the sessions until the league was settled, or None. `covered`: for each interval whether
        it holds the truth.
        """
        share = None if sessions is None else sum(covered) / max(1, len(covered))
        return Outcome(self._looks, self._wrong, self._not_level, self._separated, share, sessions)
