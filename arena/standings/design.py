"""Computes the design effect: what the variance of a balanced schedule is of that of the jackknife.

A balanced schedule leaves less to chance than its sessions seem to say. Sessions of different line-ups
differ also because bots suit one another differently. A schedule that plays all line-ups, or pairs all
bots, equally often repeats this each time: it is no error of the score. The jackknife over sessions cannot
know that and counts it as noise. The design effect (Kish, Survey Sampling, 1965) is the variance under the
schedule divided by the variance of the jackknife. One number serves all bots, because two bots alone could
not tell it well. It must not decide what is done with it: that are `interval` and `verdicts`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import comb, fsum, sqrt

from arena.standings.connection import LineUp
from arena.standings.form import Form, form_of
from arena.standings.jackknife import Observation
from arena.standings.linalg import Matrix, Vector, among, contrasts, effective_rank, times_vector
from arena.standings.pair_effects import PairEffects, pair_effects
from arena.standings.quantiles import mean_square_quantile, normal_quantile

LEAST_FREEDOM = 15
"""Degrees of freedom below which the ratio is too uncertain: using it would cost more than it gives."""

LEAST_FINER = 10
"""The same for `DesignEffect.finer`, whose freedom already counts how large the effects are."""

BOUND_FAILS = 0.2
"""The chance with which `DesignEffect.at_most` may be too low."""


@dataclass(frozen=True, slots=True)
class DesignEffect:
    """The variance under the schedule divided by that of the jackknife.

    `ratio`: this quotient; `freedom`: the degrees of freedom of both. `within`: whether it comes from what
    line-ups or pairs leave over within the sessions, so that cycles have no part in it. `finer`: the same
    where also what both bots of a pair take from third ones is no chance; None where nothing tells that.
    """

    ratio: float
    freedom: int
    within: bool = False
    finer: DesignEffect | None = None

    @property
    def at_most(self) -> float:
        """Return a bound for the ratio from above, and never more than 1: what verdicts may count on.

        It lies below the true ratio as seldom as `BOUND_FAILS` says, where that is below 1.
        """
        if not self.within:
            return 1.0
        return min(1.0, self.ratio * mean_square_quantile(normal_quantile(1.0 - BOUND_FAILS), self.freedom))


@dataclass(frozen=True, slots=True)
class Scored:
    """How scores follow from sessions.

    `inverse`: A+; `spread`: the factor f of the score; `rounds`: each bot's G_i; `covariance`: of the scores
    by the jackknife; `present`: the numbers of the bots of the present field.
    """

    inverse: Matrix
    spread: float
    rounds: Sequence[int]
    covariance: Matrix
    present: Sequence[int]

    @property
    def differences(self) -> Matrix:
        """Return the covariance of the present bots, whose differences the ratios are about."""
        return among(self.covariance, self.present)

    def moved(self, card: Mapping[int, float], charge: Mapping[int, float]) -> Vector:
        """Return how far residuals, added up by bot over rounds, move the scores."""
        size = range(len(self.rounds))
        strengths = times_vector(self.inverse, [card.get(i, 0.0) for i in size])
        return [self.spread * strengths[i] + charge.get(i, 0.0) / max(1, self.rounds[i]) for i in size]


@dataclass(slots=True)
class _Strata:
    """Sums over the sessions of one line-up or of one cycle, by bot number.

    `line_ups`: the rounds of each line-up.
    """

    sessions: int = 0
    line_ups: Counter[LineUp] = field(default_factory=Counter)
    card: dict[int, float] = field(default_factory=dict)
    charge: dict[int, float] = field(default_factory=dict)
    seats: Counter[int] = field(default_factory=Counter)

    def add(self, session: Observation, card: Vector, charge: Vector, weight: float) -> None:
        self.sessions += 1
        self.line_ups[session.members] += session.rounds
        for i, own, fault in zip(session.members, card, charge, strict=True):
            self.seats[i] += 1
            self.card[i] = self.card.get(i, 0.0) + weight * own
            self.charge[i] = self.charge.get(i, 0.0) + weight * fault


@dataclass(slots=True)
class DesignEffectSums:
    """Adds up the sessions of a league one by one; see `effect` and `form`.

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

    def corrections(self, known: Scored) -> tuple[DesignEffect, Form]:
        """Return the design effect and the variance between cycles; docs/statistics.md has the formulas."""
        rank = effective_rank(known.differences)
        by_line_up = self._by_line_up(rank)
        pairs = self._pairs(rank) if by_line_up is None else None
        found = by_line_up
        if pairs is not None:
            found = self._ratio_beside(pairs), self._freedom(self._left(pairs), rank)
        effect = self._effect(known, rank, found)
        if pairs is not None and effect.within:
            effect = replace(effect, finer=self._finer(pairs, rank))
        return effect, self._form(known, pairs)

    def _effect(self, known: Scored, rank: float, found: tuple[float, float] | None) -> DesignEffect:
        """Return the design effect; 1 where the schedule repeats nothing, or too little to estimate it.

        `found`: ratio and freedom from line-ups or pairs, None if there are none.
        """
        count = len(self._squares)
        plain = DesignEffect(1.0, count - 1)
        total = contrasts(known.differences)
        # With one line-up there are no differences between line-ups that could be repeated.
        if len(self._line_ups) == 1 or total <= 0.0:
            return plain
        # Line-ups come first: a league that plays them all repeats exactly what differs between them.
        if found is None:
            return self._by_cycle(known, rank, total)
        if found[1] < LEAST_FREEDOM:
            return plain
        return DesignEffect(found[0], together(found[1], count), within=True)

    def _form(self, known: Scored, pairs: PairEffects | None) -> Form:
        """Return the variance between the cycles, without what the effects of pairs make of it."""
        moved = {cycle: known.moved(sums.card, sums.charge) for cycle, sums in self._cycles.items()}
        sessions = {cycle: sums.sessions for cycle, sums in self._cycles.items()}
        if pairs is None:
            return form_of(moved, sessions, known.covariance, known.present)
        # A schedule that makes up in one cycle for what was uneven in another has cycles that differ by
        # more than chance. The fit of the pairs takes some chance with it too, which is added again.
        more = (self._chances / self._left(pairs)) ** 0.25
        kept = sqrt(pairs.uneven)
        for cycle, sums in self._cycles.items():
            without = known.moved(_without(sums, pairs), sums.charge)
            moved[cycle] = [
                kept * own + (1.0 - kept) * more * other
                for own, other in zip(moved[cycle], without, strict=True)
            ]
        return form_of(moved, sessions, known.covariance, known.present)

    @property
    def _chances(self) -> int:
        """Return the degrees of freedom of all residuals."""
        seats = len(next(iter(self._line_ups)))
        return len(self._squares) * (seats - 1) - (len(self.strengths) - 1)

    def _left(self, pairs: PairEffects) -> int:
        """Return the degrees of freedom of what the effects of pairs leave of the residuals."""
        return self._chances + len(self.strengths) - 1 - pairs.independent

    def _freedom(self, left: float, rank: float) -> float:
        """Return the degrees of freedom of a ratio whose mean square has so many."""
        return left * rank / (len(self.strengths) - 1)

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

    def _pairs(self, rank: float) -> PairEffects | None:
        """Return the effects of pairs, None where sessions are too few to tell them from chance.

        For schedules in which pairs meet about equally often, but not all line-ups are played. Effects of
        three and more bots on one another stay as the jackknife has them.
        """
        sums = {
            members: (group.sessions, {i: group.card[i] + group.charge[i] for i in group.card})
            for members, group in self._line_ups.items()
        }
        found = pair_effects(sums, len(self.strengths))
        if found is None or self._freedom(self._left(found), rank) < LEAST_FREEDOM:
            return None
        return found if fsum(self._squares) > 0.0 else None

    def _ratio_beside(self, pairs: PairEffects) -> float:
        """Return the mean square that pairs do not explain over that of all residuals."""
        all_squares = fsum(self._squares)
        return self._ratio_of(max(0.0, all_squares - pairs.squares) / self._left(pairs), pairs.uneven)

    def _finer(self, pairs: PairEffects, rank: float) -> DesignEffect | None:
        """Return the design effect by what neither effects of pairs nor joint effects explain, or None."""
        squares, left = max(0.0, fsum(self._squares) - pairs.squares), self._left(pairs)
        chance = pairs.joint.beside(squares, left)
        if chance is None:
            return None
        mean_square, independent = chance
        freedom = self._freedom(independent, rank)
        if freedom < LEAST_FINER:
            return None
        ratio = self._ratio_of(mean_square, pairs.uneven)
        return DesignEffect(ratio, together(freedom, len(self._squares)), within=True)

    def _ratio_of(self, mean_square: float, uneven: float) -> float:
        """Return a mean square over that of all residuals, nearer to 1 the more uneven the schedule is."""
        ratio = mean_square / (fsum(self._squares) / self._chances)
        return ratio + (1.0 - ratio) * uneven

    def _by_cycle(self, known: Scored, rank: float, total: float) -> DesignEffect:
        """Return the design effect of the whole cycles, in which all bots play equally often."""
        size = len(self.strengths)
        whole = [
            cycle
            for cycle in self._cycles.values()
            if len(cycle.seats) == size and len(set(cycle.seats.values())) == 1
        ]
        moved = [known.moved(cycle.card, cycle.charge) for cycle in whole]
        shown = [[one[i] for i in known.present] for one in moved]
        return designed_by_cycles(shown, [cycle.sessions for cycle in whole], len(self._squares), total, rank)


def designed_by_cycles(
    moved: Sequence[Vector], sessions: Sequence[int], count: int, total: float, rank: float
) -> DesignEffect:
    """Return the variance between whole cycles over the jackknife's; 1 where they are too few.

    `moved`: how far each whole cycle moved the scores of the present bots; `sessions`: of each of them, of
    `count` in all: the variance of the others stays as the jackknife has it. `total`: the sum of the
    jackknife's variances of all differences; `rank`: how many of these are independent.
    """
    plain = DesignEffect(1.0, count - 1)
    if total <= 0.0 or len(moved) < 2 or max(sessions) < 2:
        return plain
    freedom = (len(moved) - 1) * rank
    if freedom < LEAST_FREEDOM:
        return plain
    means = [sum(column) / len(moved) for column in zip(*moved, strict=True)]
    between = fsum(_spread([a - b for a, b in zip(one, means, strict=True)]) for one in moved)
    share = sum(sessions) / count
    ratio = between * len(moved) / (len(moved) - 1) / share / total
    return DesignEffect(share * ratio + (1.0 - share), together(freedom, count))


def _without(cycle: _Strata, pairs: PairEffects) -> dict[int, float]:
    """Return the residuals of the card points in a cycle when the effects of pairs are taken off."""
    left = dict(cycle.card)
    for members, rounds in cycle.line_ups.items():
        for i, effect in pairs.of(members).items():
            left[i] -= rounds * effect
    return left


def together(freedom: float, sessions: int) -> int:
    """Return the degrees of freedom of a ratio and of the jackknife that it multiplies."""
    # Their relative variances add up (Satterthwaite, 1946).
    return max(1, int(1.0 / (1.0 / freedom + 1.0 / (sessions - 1))))


def _spread(values: Vector) -> float:
    """Return the sum of squared differences over all pairs."""
    return len(values) * fsum(value * value for value in values) - fsum(values) ** 2
