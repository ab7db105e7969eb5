"""Computes the ± beside a score: the standard error times Student's t and the root of the design effect.

A balanced schedule leaves less to chance than its sessions seem to say. Sessions of different line-ups
differ also because bots suit one another differently. A schedule that plays all line-ups, or pairs all
bots, equally often repeats this each time: it is no error of the score. The jackknife over sessions cannot
know that and counts it as noise. The design effect (Kish, Survey Sampling, 1965) is the variance under the
schedule divided by the variance of the jackknife. One number serves all bots, because two bots alone could
not tell it well. It must not touch verdicts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import atan2, comb, cos, exp, fsum, inf, lgamma, log, log1p, pi, sin, sqrt, tan

from arena.standings.connection import LineUp
from arena.standings.jackknife import Observation
from arena.standings.linalg import Matrix, Vector, times_vector

CONFIDENCE = 0.95
"""Coverage of the intervals beside the scores, valid for one look at the end."""

LEAST_FREEDOM = 15
"""Degrees of freedom below which the ratio is too uncertain: using it would cost more than it gives."""


@dataclass(frozen=True, slots=True)
class DesignEffect:
    """The variance under the schedule divided by that of the jackknife.

    `ratio`: this quotient; `freedom`: the degrees of freedom of both.
    """

    ratio: float
    freedom: int


def critical_value(sessions: int, design: DesignEffect | None) -> float:
    """Return the factor from the standard error of a score to its ±; needs two sessions.

    It is the quantile of t with C - 1 degrees of freedom, or with those of the design effect, times the
    root of its ratio.
    """
    effect = design or DesignEffect(1.0, sessions - 1)
    return sqrt(effect.ratio) * t_quantile(0.5 + CONFIDENCE / 2.0, effect.freedom)


@dataclass(slots=True)
class _Strata:
    """Sums over the sessions of one line-up or of one cycle, by bot number."""

    sessions: int = 0
    card: dict[int, float] = field(default_factory=dict)
    charge: dict[int, float] = field(default_factory=dict)
    seats: Counter[int] = field(default_factory=Counter)

    def add(self, session: Observation, card: Vector, charge: Vector, weight: float) -> None:
        self.sessions += 1
        for i, own, fault in zip(session.members, card, charge, strict=True):
            self.seats[i] += 1
            self.card[i] = self.card.get(i, 0.0) + weight * own
            self.charge[i] = self.charge.get(i, 0.0) + weight * fault


@dataclass(slots=True)
class DesignEffectSums:
    """Adds up the sessions of a league one by one; see `effect`.

    `strengths`: s of the fit; `charges`: each bot's fault points a round.
    """

    strengths: Vector
    charges: Vector
    _squares: list[float] = field(default_factory=list)
    _line_ups: dict[LineUp, _Strata] = field(default_factory=dict)
    _cycles: dict[int, _Strata] = field(default_factory=dict)

    def add(self, cycle: int, session: Observation) -> None:
        """Add one session: the residuals of its points, and of its charges, after the fit."""
        own = [self.strengths[i] for i in session.members]
        mean = sum(own) / len(own)
        card = [d - s + mean for d, s in zip(session.deviations, own, strict=True)]
        charge = [
            points / session.rounds - self.charges[i]
            for i, points in zip(session.members, session.faults, strict=True)
        ]
        self._squares.append(sum((a + b) ** 2 for a, b in zip(card, charge, strict=True)))
        self._line_ups.setdefault(session.members, _Strata()).add(session, card, charge, 1.0)
        self._cycles.setdefault(cycle, _Strata()).add(session, card, charge, session.rounds)

    def effect(
        self, inverse: Matrix, spread: float, rounds: Sequence[int], covariance: Matrix
    ) -> DesignEffect:
        """Return the design effect; 1 where the schedule repeats nothing, or too little to estimate it.

        `inverse` is A+, `spread` the factor f of the score, `rounds` each bot's G_i; `covariance`: of the
        scores by the jackknife. docs/statistics.md has the whole formula.
        """
        count = len(self._squares)
        plain = DesignEffect(1.0, count - 1)
        rank, total = _effective_rank(covariance), _contrasts(covariance)
        # With one line-up there are no differences between line-ups that could be repeated.
        if len(self._line_ups) == 1 or total <= 0.0:
            return plain
        # Line-ups first: a league that plays them all repeats exactly what differs between them.
        found = self._by_line_up(rank) or self._by_cycle(inverse, spread, rounds, rank, total)
        if found is None or found[1] < LEAST_FREEDOM:
            return plain
        # The relative variances of the ratio and of the jackknife add up (Satterthwaite, 1946).
        ratio, freedom = found
        return DesignEffect(ratio, max(1, int(1.0 / (1.0 / freedom + 1.0 / (count - 1)))))

    def _by_line_up(self, rank: float) -> tuple[float, float] | None:
        """Return ratio and freedom from line-ups: the mean square within line-ups over all, or None.

        For a complete league in which each line-up was played twice or more. Line-ups played unequally
        often leave a part of their differences in the score.
        """
        size, seats = len(self.strengths), len(next(iter(self._line_ups)))
        groups, count = list(self._line_ups.values()), len(self._squares)
        if len(groups) < comb(size, seats) or min(group.sessions for group in groups) < 2:
            return None
        all_squares = fsum(self._squares)
        explained = fsum(
            (group.card[i] + group.charge[i]) ** 2 / group.sessions for group in groups for i in group.card
        )
        freedom = (count - len(groups)) * (seats - 1)
        everything = all_squares / (count * (seats - 1) - (size - 1))
        if everything <= 0.0:
            return None
        ratio = (all_squares - explained) / freedom / everything
        mean = count / len(groups)
        # 0 if all line-ups were played equally often: then none of their differences is in the score.
        uneven = min(1.0, sum((group.sessions - mean) ** 2 for group in groups) / count)
        return ratio + (1.0 - ratio) * uneven, freedom * rank / (size - 1)

    def _by_cycle(
        self, inverse: Matrix, spread: float, rounds: Sequence[int], rank: float, total: float
    ) -> tuple[float, float] | None:
        """Return ratio and freedom from cycles: the variance between cycles over the jackknife's, or None.

        A whole cycle is one in which all bots play equally often. The variance of other sessions stays as
        the jackknife has it.
        """
        size = range(len(self.strengths))
        whole = [
            cycle
            for cycle in self._cycles.values()
            if len(cycle.seats) == len(size) and len(set(cycle.seats.values())) == 1
        ]
        if len(whole) < 2 or max(cycle.sessions for cycle in whole) < 2:
            return None
        moved = []
        for cycle in whole:  # the shift of the scores by each cycle
            strengths = times_vector(inverse, [cycle.card[i] for i in size])
            moved.append([spread * strengths[i] + cycle.charge[i] / rounds[i] for i in size])
        means = [sum(column) / len(whole) for column in zip(*moved, strict=True)]
        between = fsum(_spread([a - b for a, b in zip(one, means, strict=True)]) for one in moved)
        count, within = len(self._squares), sum(cycle.sessions for cycle in whole)
        share = within / count
        ratio = between * len(whole) / (len(whole) - 1) / share / total
        return share * ratio + (1.0 - share), (len(whole) - 1) * rank


def _spread(values: Vector) -> float:
    """Return the sum of squared differences over all pairs."""
    return len(values) * fsum(value * value for value in values) - fsum(values) ** 2


def _contrasts(covariance: Matrix) -> float:
    """Return the sum of the variances of the differences over all pairs."""
    diagonal = fsum(row[i] for i, row in enumerate(covariance))
    return len(covariance) * diagonal - fsum(map(fsum, covariance))


def _effective_rank(covariance: Matrix) -> float:
    """Return tr(S)^2 / tr(S^2), S centred: the number of independent differences of equal variance."""
    size = len(covariance)
    means = [fsum(row) / size for row in covariance]
    mean = fsum(means) / size
    centred = [
        [value - means[i] - means[j] + mean for j, value in enumerate(row)]
        for i, row in enumerate(covariance)
    ]
    squares = fsum(value * value for row in centred for value in row)
    trace = fsum(row[i] for i, row in enumerate(centred))
    return trace * trace / squares if squares > 0.0 else 0.0


def t_cdf(t: float, dof: int) -> float:
    """Return P(T <= t) for Student's T with `dof` >= 1 degrees of freedom.

    The formula: the finite sums of Abramowitz & Stegun, Handbook of Mathematical Functions, 26.7.3 (odd
    dof) and 26.7.4 (even dof), in the angle theta = arctan(t / sqrt(dof)).
    """
    if dof < 1:
        raise ValueError(f"degrees of freedom are at least 1, not {dof}")
    theta = atan2(t, sqrt(dof))
    sine, cosine = sin(theta), cos(theta)
    square = cosine * cosine
    odd = dof % 2
    term = cosine if odd else 1.0
    total = term if dof > 1 else 0.0
    for power in range(2 + odd, dof - 1, 2):  # the next term is that of cosine ** power
        term *= square * (power - 1) / power
        total += term
    central = 2.0 / pi * (theta + sine * total) if odd else sine * total
    return 0.5 + 0.5 * central


def _density(t: float, dof: int) -> float:
    scale = lgamma((dof + 1) / 2) - lgamma(dof / 2) - 0.5 * log(dof * pi)
    return exp(scale - (dof + 1) / 2 * log1p(t * t / dof))


@lru_cache(maxsize=256)
def t_quantile(p: float, dof: int) -> float:
    """Return the t with P(T <= t) = p, 0 < p < 1, for `dof` >= 1 degrees of freedom.

    The relative error is about 1e-9 for p between 1e-6 and 1 - 1e-6. For dof 1 and 2 there is a closed
    form; others use Newton's method on the exact distribution (Abramowitz & Stegun 26.7.3-4), kept inside a
    bracket by bisection. Takes time in proportion to `dof`. ValueError for other arguments.
    """
    if dof < 1 or not 0.0 < p < 1.0:
        raise ValueError(f"a quantile needs 0 < p < 1 and dof >= 1, not p = {p}, dof = {dof}")
    if p == 0.5:
        return 0.0
    if p < 0.5:
        return -t_quantile(1.0 - p, dof)
    if dof == 1:
        return tan(pi * (p - 0.5))
    if dof == 2:
        return (2.0 * p - 1.0) * sqrt(2.0 / (4.0 * p * (1.0 - p)))
    return _newton(p, dof)


def _newton(p: float, dof: int) -> float:
    """Return the root of t_cdf(t) = p above 0, inside a bracket that only shrinks."""
    low, high, t = 0.0, inf, 1.0
    for _ in range(200):
        error = t_cdf(t, dof) - p
        if error > 0.0:
            high = t
        else:
            low = t
        step = t - error / _density(t, dof)
        if not low < step < high:
            step = 2.0 * t if high == inf else 0.5 * (low + high)
        if abs(step - t) <= 1e-14 * t:
            return step
        t = step
    return t
