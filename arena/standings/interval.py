"""Computes the ± beside a score: the standard error times Student's t and the root of the design effect.

A balanced schedule leaves less to chance than its sessions seem to say. Sessions of different line-ups
differ also because bots suit one another differently. A schedule that plays all line-ups, or pairs all
bots, equally often repeats this each time: it is no error of the score. The jackknife over sessions cannot
know that and counts it as noise. The design effect (Kish, Survey Sampling, 1965) is the variance under the
schedule divided by the variance of the jackknife. One number serves all bots, because two bots alone could
not tell it well. Where form varies from cycle to cycle (`form`), the ± is wider. It must not touch verdicts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import comb, fsum, sqrt

from arena.standings.connection import LineUp
from arena.standings.form import FEWEST_BLOCKS, Form, form_of
from arena.standings.jackknife import Observation
from arena.standings.linalg import Matrix, Vector, contrasts, effective_rank, times_vector
from arena.standings.quantiles import mean_square_quantile, normal_quantile, t_quantile

CONFIDENCE = 0.95
"""Coverage of the intervals beside the scores, valid for one look at the end."""

LEAST_FREEDOM = 15
"""Degrees of freedom below which the ratio is too uncertain: using it would cost more than it gives."""

DOUBT = 0.2
"""The chance with which form is taken for varying where it does not. Such a mistake costs little; the other
would make the ± too narrow."""


@dataclass(frozen=True, slots=True)
class DesignEffect:
    """The variance under the schedule divided by that of the jackknife.

    `ratio`: this quotient; `freedom`: the degrees of freedom of both.
    """

    ratio: float
    freedom: int


@dataclass(frozen=True, slots=True)
class Width:
    """How wide the intervals of a fit of so many `sessions` to `bots` bots are; see `of`.

    `design`, `form`: None where there is none to take into account.
    """

    sessions: int
    bots: int
    design: DesignEffect | None
    form: Form | None

    def of(self, variance: float, own: float) -> float:
        """Return the ± of a score or a difference; needs two sessions.

        `variance`: by the jackknife over sessions; `own`: by that over cycles, if there is a `form`.
        """
        effect, form = self._effect, self.form
        base = effect.ratio * max(0.0, variance)
        if form is not None and form.blocks >= FEWEST_BLOCKS:
            varies = effect is not self._designed
            if varies or form.exceeds(own, base, DOUBT / self.bots):
                base = form.mixed(base, own)
        return t_quantile(0.5 + CONFIDENCE / 2.0, effect.freedom) * sqrt(base)

    @property
    def _designed(self) -> DesignEffect:
        """Return the design effect, 1 where there is none."""
        return self.design or DesignEffect(1.0, self.sessions - 1)

    @property
    def _effect(self) -> DesignEffect:
        """Return the design effect, or the ratio between cycles where that is clearly more."""
        form, designed = self.form, self._designed
        if form is None or form.blocks < FEWEST_BLOCKS or form.freedom <= 0.0:
            return designed
        limit = mean_square_quantile(normal_quantile(1.0 - DOUBT), form.freedom)
        if form.ratio <= designed.ratio * limit:
            return designed
        return DesignEffect(form.ratio, _together(form.freedom, self.sessions))


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
        rank, total = effective_rank(covariance), contrasts(covariance)
        # With one line-up there are no differences between line-ups that could be repeated.
        if len(self._line_ups) == 1 or total <= 0.0:
            return plain
        # Line-ups first: a league that plays them all repeats exactly what differs between them.
        found = self._by_line_up(rank) or self._by_cycle(inverse, spread, rounds, rank, total)
        if found is None or found[1] < LEAST_FREEDOM:
            return plain
        ratio, freedom = found
        return DesignEffect(ratio, _together(freedom, count))

    def form(self, inverse: Matrix, spread: float, rounds: Sequence[int], covariance: Matrix) -> Form:
        """Return the variance between the cycles; the arguments are those of `effect`."""
        moved = {cycle: self._moved(sums, inverse, spread, rounds) for cycle, sums in self._cycles.items()}
        return form_of(moved, {cycle: sums.sessions for cycle, sums in self._cycles.items()}, covariance)

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
        size = len(self.strengths)
        whole = [
            cycle
            for cycle in self._cycles.values()
            if len(cycle.seats) == size and len(set(cycle.seats.values())) == 1
        ]
        if len(whole) < 2 or max(cycle.sessions for cycle in whole) < 2:
            return None
        moved = [self._moved(cycle, inverse, spread, rounds) for cycle in whole]
        means = [sum(column) / len(whole) for column in zip(*moved, strict=True)]
        between = fsum(_spread([a - b for a, b in zip(one, means, strict=True)]) for one in moved)
        count, within = len(self._squares), sum(cycle.sessions for cycle in whole)
        share = within / count
        ratio = between * len(whole) / (len(whole) - 1) / share / total
        return share * ratio + (1.0 - share), (len(whole) - 1) * rank

    def _moved(self, cycle: _Strata, inverse: Matrix, spread: float, rounds: Sequence[int]) -> Vector:
        """Return the shift of the scores by a cycle."""
        size = range(len(self.strengths))
        strengths = times_vector(inverse, [cycle.card.get(i, 0.0) for i in size])
        return [spread * strengths[i] + cycle.charge.get(i, 0.0) / max(1, rounds[i]) for i in size]


def _together(freedom: float, sessions: int) -> int:
    """Return the degrees of freedom of a ratio and of the jackknife that it multiplies."""
    # Their relative variances add up (Satterthwaite, 1946).
    return max(1, int(1.0 / (1.0 / freedom + 1.0 / (sessions - 1))))


def _spread(values: Vector) -> float:
    """Return the sum of squared differences over all pairs."""
    return len(values) * fsum(value * value for value in values) - fsum(values) ** 2
