"""Study: does the +- beside a score hold the truth 95 times in 100, as it says, when looked at once?

The sizes of the leagues are fixed beforehand. `arena.proof.order` shows what stopping early does to the +-.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from math import fsum
from typing import Self

from arena.proof.figure import Figure, mean_figure, rate_figure
from arena.proof.scenario import League, Scenario
from arena.proof.study import Leagues
from arena.proof.world import World
from arena.standings import Fit, SessionResult, fit

__all__ = ["BOUNDS", "Coverage", "Estimate", "estimates"]

BOUNDS = (0.93, 0.97)
"""The bounds for the coverage of a 95 % interval."""
_NORMAL = 1.959964
"""The half width of a normal 95 % interval, in standard errors."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """An interval: the estimate, its standard error, its half width (+-), and the truth if it is known."""

    value: float
    error: float
    half_width: float
    truth: float | None

    def covers(self, truth: float) -> bool:
        """Return whether the interval holds this truth."""
        return abs(self.value - truth) <= self.half_width


Sample = Mapping[int, Mapping[tuple[str, ...], Estimate]]
"""A league's estimates by its number of cycles: of scores by (bot,), of differences by (bot, bot)."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Leagues of a scenario, looked at after each of the given numbers of `cycles`, which are ascending."""

    scenario: Scenario
    cycles: Sequence[int]
    leagues: int

    @property
    def name(self) -> str:
        """Return the beginning of its figures' keys."""
        return f"coverage.{self.scenario.key}"

    @property
    def title(self) -> str:
        """Return the title of the study."""
        return f"Coverage of the ±: {self.scenario.title}"

    def sample(self, seed: int, number: int) -> Sample:
        """Simulate one league and return its estimates."""
        league = League(self.scenario, seed, number)
        world = league.world()
        played: list[SessionResult] = []
        found = {}
        for cycle, sessions in enumerate(league.sessions(world, league.plan(self.cycles[-1])), start=1):
            played += sessions
            if cycle in self.cycles:
                found[cycle] = estimates(fit(played, world.bots, world.seats), world)
        return found

    def resized(self, leagues: int) -> Self:
        """See `Study`."""
        return replace(self, leagues=leagues)

    def figures(self, seed: int, leagues: Leagues) -> Iterator[Figure]:
        """Yield for each size the coverage, the ratio of variances, and the mean width over the true one."""
        samples = leagues.samples(partial(self.sample, seed), self.leagues)
        size = League(self.scenario, 0, 0).schedule().sessions_per_cycle
        for cycles in self.cycles:
            found = [sample[cycles] for sample in samples if sample[cycles]]
            sessions = round(cycles * size * (1.0 - self.scenario.lost))
            if len(found) < len(samples):
                given = [bool(sample[cycles]) for sample in samples]
                yield rate_figure(
                    f"{self.name}.{sessions}.given", f"{sessions} sessions: has intervals", given
                )
            if len(found) < 2:
                continue
            for length, what in ((1, "scores"), (2, "differences")):
                key = f"{self.name}.{sessions}.{what}"
                keys = [key for key in found[0] if len(key) == length]
                yield mean_figure(key, f"{sessions} sessions: {what}", _covered(found, keys), BOUNDS)
            name, label = f"{self.name}.{sessions}", f"{sessions} sessions:"
            variance, width = _variance_ratio(found), _width_ratio(found)
            label_of_variance = f"{label} jackknife variance / true"
            yield Figure(f"{name}.variance", label_of_variance, *variance, len(found), percent=False)
            yield Figure(f"{name}.width", f"{label} mean ± / true", *width, len(found), percent=False)


def estimates(result: Fit, world: World) -> Mapping[tuple[str, ...], Estimate]:
    """Return the intervals of all scores and all differences; empty where the fit has no intervals."""
    truth = world.truth
    found: dict[tuple[str, ...], Estimate] = {}
    for bot in world.bots:
        error, half_width = result.standard_error(bot), result.half_width(bot)
        if error is None or half_width is None:
            return {}
        known = None if truth is None else truth[bot]
        found[bot,] = Estimate(result.scores[bot], error, half_width, known)
    for a, b in combinations(world.bots, 2):
        error, half_width = result.pair_se(a, b) or 0.0, result.pair_half_width(a, b) or 0.0
        known = None if truth is None else truth[a] - truth[b]
        difference = result.scores[a] - result.scores[b]
        found[a, b] = Estimate(difference, error, half_width, known)
    return found


def _truths(found: Sequence[Mapping[tuple[str, ...], Estimate]], key: tuple[str, ...]) -> list[float]:
    """Return the truth for each league; where it is unknown, the mean of all other leagues' estimates."""
    # Without the league itself: its own error would be part of the truth that it is compared with.
    total, others = fsum(each[key].value for each in found), len(found) - 1
    truths = []
    for each in found:
        known = each[key].truth
        truths.append((total - each[key].value) / others if known is None else known)
    return truths


def _covered(
    found: Sequence[Mapping[tuple[str, ...], Estimate]], keys: Sequence[tuple[str, ...]]
) -> list[float]:
    """Return for each league the share of its intervals that hold the truth."""
    # A share for each league, since the intervals of one league depend on one another and leagues do not:
    # the standard error of the mean is then right.
    hits = [0] * len(found)
    for key in keys:
        for number, truth in enumerate(_truths(found, key)):
            hits[number] += found[number][key].covers(truth)
    return [hit / len(keys) for hit in hits]


def _errors(found: Sequence[Mapping[tuple[str, ...], Estimate]]) -> list[float]:
    """Return for each league the mean squared error of its scores."""
    keys = [key for key in found[0] if len(key) == 1]
    made = [0.0] * len(found)
    for key in keys:
        for number, truth in enumerate(_truths(found, key)):
            made[number] += (found[number][key].value - truth) ** 2 / len(keys)
    return made


def _said(each: Mapping[tuple[str, ...], Estimate], what: Callable[[Estimate], float]) -> float:
    """Return the mean over the scores of a league of what an estimate says."""
    own = [what(estimate) for key, estimate in each.items() if len(key) == 1]
    return fsum(own) / len(own)


def _variance_ratio(found: Sequence[Mapping[tuple[str, ...], Estimate]]) -> tuple[float, float]:
    """Return the mean jackknife variance of the scores over their mean squared error, and its error.

    The standard error of the ratio is by linearisation (delta method).
    """
    said, made = [_said(each, lambda one: one.error**2) for each in found], _errors(found)
    ratio = fsum(said) / fsum(made)
    rest = fsum((s - ratio * m) ** 2 for s, m in zip(said, made, strict=True))
    return ratio, rest**0.5 / fsum(made)


def _width_ratio(found: Sequence[Mapping[tuple[str, ...], Estimate]]) -> tuple[float, float]:
    """Return the mean ± of the scores over that of a normal interval with the true error, and its error."""
    said, made = [_said(each, lambda one: one.half_width / _NORMAL) for each in found], _errors(found)
    mean, square = fsum(said) / len(found), fsum(made) / len(found)
    ratio = mean / square**0.5
    # By linearisation again: the relative error of a root is half that of its square.
    rest = fsum((s / mean - m / square / 2.0 - 0.5) ** 2 for s, m in zip(said, made, strict=True))
    return ratio, ratio * rest**0.5 / len(found)
