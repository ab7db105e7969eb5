"""Computes Bradley-Terry ratings beside the score: who tends to beat whom in a round, on the Elo scale.

They decide nothing: no rank and no verdict is taken from them. Higher is better, as in Elo.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp, log, log1p, sqrt

from arena.standings.connection import LineUp, connected, connected_without_any
from arena.standings.linalg import Matrix, Vector, contrast_inverse, dot, product, times_vector, zeros
from arena.standings.results import SessionResultError

ELO_CENTRE = 1500.0
"""The mean rating of a field."""
ELO_SCALE = 400.0 / log(10.0)
"""Elo points for one unit of theta: 400 points are odds of 10 to 1."""
_STEPS = 100
_SMALL_STEP = 1e-11


@dataclass(frozen=True, slots=True)
class SessionComparisons:
    """The pairwise results of one complete session.

    `half_wins`: for each two bots of its line-up in alphabetical order, twice the rounds that the first
    won, with ties counting half: 2 for a win, 1 for a tie. `met`: the rounds that they played together,
    each one comparison. `rounds`: all rounds.
    """

    cycle: int
    index: int
    rounds: int
    half_wins: Mapping[tuple[str, str], int]
    met: Mapping[tuple[str, str], int]


@dataclass(frozen=True, slots=True)
class Ratings:
    """Elo of every bot (mean 1500) and its standard error.

    `elo` is empty while the bots are not all connected, or after one session. As in the score,
    `standard_error` is empty too if deleting one session would disconnect them.
    """

    elo: Mapping[str, float]
    standard_error: Mapping[str, float]


def compare_rounds(cycle: int, index: int, rounds: Iterable[Mapping[str, float]]) -> SessionComparisons:
    """Return the comparisons of a session from card + fault points by bot id of each of its rounds.

    Fewer points win. The rounds of a gauntlet have different line-ups: only bots that sat together are
    compared.
    """
    wins: Counter[tuple[str, str]] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    count = 0
    for points in rounds:
        count += 1
        for a, b in combinations(sorted(points), 2):
            met[a, b] += 1
            # Twice the wins: with whole numbers, ties included, the sums are exact.
            wins[a, b] += (points[a] <= points[b]) + (points[a] < points[b])
    return SessionComparisons(cycle, index, count, dict(wins), dict(met))


def ratings(sessions: Iterable[SessionComparisons], bots: Collection[str]) -> Ratings:
    """Compute maximum-likelihood ratings of `bots` (house bots too), with standard errors by session.

    Every pair that met gets one extra drawn comparison, so that a bot that won every round still has a
    finite rating. Sum theta = 0; Cov = H+ (C/(C-1) sum_c g_c g_c') H+ is a sandwich with a session as
    cluster: H is the information (with the extra comparisons), g_c the scores of a session (without them),
    not centred. Elo = 1500 + 400/ln 10 theta. The order of sessions and bots does not matter. Any shape of
    field gives Ratings; SessionResultError for a bot not in `bots`.
    """
    # Sums of floats depend on their order, so the order is always the same.
    ordered = sorted(sessions, key=lambda session: (session.cycle, session.index))
    names = sorted(set(bots))
    line_ups = _line_ups(ordered, names)
    if len(ordered) < 2 or not connected(line_ups, len(names)):
        return Ratings({}, {})
    likelihood = _Likelihood.of(ordered, names)
    theta = likelihood.maximum()
    elo = {name: ELO_CENTRE + ELO_SCALE * value for name, value in zip(names, theta, strict=True)}
    # A field that hangs together by one session only has no standard errors, as in the score.
    if not connected_without_any(line_ups, len(names)):
        return Ratings(elo, {})
    covariance = _sandwich(ordered, names, theta, contrast_inverse(likelihood.information(theta)))
    errors = [ELO_SCALE * sqrt(max(0.0, row[i])) for i, row in enumerate(covariance)]
    return Ratings(elo, dict(zip(names, errors, strict=True)))


@dataclass(frozen=True, slots=True)
class _Met:
    """Two bots by number, the comparisons between them, and how many of these the first won."""

    first: int
    second: int
    wins: float
    comparisons: float


@dataclass(frozen=True, slots=True)
class _Likelihood:
    """The likelihood of all comparisons, with the extra drawn ones."""

    size: int
    pairs: Sequence[_Met]

    @classmethod
    def of(cls, ordered: Sequence[SessionComparisons], names: Sequence[str]) -> _Likelihood:
        half_wins: Counter[tuple[str, str]] = Counter()
        comparisons: Counter[tuple[str, str]] = Counter()
        for session in ordered:
            for pair, wins in session.half_wins.items():
                half_wins[pair] += wins
                comparisons[pair] += session.met[pair]
        number = {name: i for i, name in enumerate(names)}
        return cls(
            len(names),
            [
                _Met(number[a], number[b], half_wins[a, b] / 2 + 0.5, comparisons[a, b] + 1.0)
                for a, b in sorted(half_wins)
            ],
        )

    def value(self, theta: Vector) -> float:
        """Return the log-likelihood."""
        total = 0.0
        for met in self.pairs:
            edge = theta[met.first] - theta[met.second]
            total += met.wins * edge - met.comparisons * (max(edge, 0.0) + log1p(exp(-abs(edge))))
        return total

    def gradient(self, theta: Vector) -> Vector:
        """Return its first derivatives: wins less expected wins of each bot."""
        slope = [0.0] * self.size
        for met in self.pairs:
            surplus = met.wins - met.comparisons * _chance(theta, met.first, met.second)
            slope[met.first] += surplus
            slope[met.second] -= surplus
        return slope

    def information(self, theta: Vector) -> Matrix:
        """Return its negative second derivatives H."""
        matrix = zeros(self.size)
        for met in self.pairs:
            chance = _chance(theta, met.first, met.second)
            weight = met.comparisons * chance * (1.0 - chance)
            matrix[met.first][met.first] += weight
            matrix[met.second][met.second] += weight
            matrix[met.first][met.second] -= weight
            matrix[met.second][met.first] -= weight
        return matrix

    def maximum(self) -> Vector:
        """Return its maximum, theta of sum 0, by Newton's method with steps halved until they climb."""
        theta = [0.0] * self.size
        best = self.value(theta)
        for _ in range(_STEPS):
            slope = self.gradient(theta)
            step = times_vector(contrast_inverse(self.information(theta)), slope)
            gain = dot(slope, step)
            scale, tried = 1.0, _moved(theta, step, 1.0)
            value = self.value(tried)
            # A gain below the rounding error of the likelihood cannot be judged by it: take the full step.
            while gain > 1e-10 * abs(best) and value < best + 1e-4 * scale * gain:
                scale /= 2.0
                tried = _moved(theta, step, scale)
                value = self.value(tried)
            theta, best = tried, value
            if max(map(abs, step)) <= _SMALL_STEP:
                break
        centre = sum(theta) / self.size
        return [value - centre for value in theta]


def _moved(theta: Vector, step: Vector, scale: float) -> Vector:
    return [value + scale * change for value, change in zip(theta, step, strict=True)]


def _chance(theta: Vector, first: int, second: int) -> float:
    """Return the probability that the first has fewer points, ties counting half."""
    return 1.0 / (1.0 + exp(theta[second] - theta[first]))


def _line_ups(ordered: Sequence[SessionComparisons], names: Sequence[str]) -> Counter[LineUp]:
    """Count how often each line-up sat together, with bots as numbers."""
    number = {name: i for i, name in enumerate(names)}
    line_ups: Counter[LineUp] = Counter()
    for session in ordered:
        present = {bot for pair in session.half_wins for bot in pair}
        strangers = sorted(present - number.keys())
        if strangers:
            raise SessionResultError(
                f"session (cycle {session.cycle}, index {session.index}): "
                f"{', '.join(strangers)} not among the bots of the ratings"
            )
        if present:
            line_ups[tuple(sorted(number[bot] for bot in present))] += 1
    return line_ups


def _sandwich(
    ordered: Sequence[SessionComparisons], names: Sequence[str], theta: Vector, inverse: Matrix
) -> Matrix:
    """Return H+ (C/(C-1) sum_c g_c g_c') H+, g_c the gradient of session c alone."""
    number = {name: i for i, name in enumerate(names)}
    middle = zeros(len(names))
    for session in ordered:
        scores: dict[int, float] = {}
        for (a, b), half_wins in session.half_wins.items():
            i, j = number[a], number[b]
            surplus = half_wins / 2 - session.met[a, b] * _chance(theta, i, j)
            scores[i] = scores.get(i, 0.0) + surplus
            scores[j] = scores.get(j, 0.0) - surplus
        for i, value in scores.items():
            for j, other in scores.items():
                middle[i][j] += value * other
    factor = len(ordered) / (len(ordered) - 1)
    outer = product(product(inverse, middle), inverse)
    return [[factor * value for value in row] for row in outer]
