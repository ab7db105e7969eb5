"""Says how sure scores are: the ±, and the variance that verdicts use. Works on numbers, knows no bots.

All begins with a jackknife over sessions, less its leverage. Two things correct it. *Who met whom*: a bot
takes some points more from one opponent than its strength says. A schedule that repeats the same meetings
repeats that, so it is no error of the score; but the sessions differ by it, and the jackknife takes that for
chance: one design ratio takes it off. What a bot met more often than others, departed entries above all, does
move its score, and is added. *Form*: a bot may play a whole cycle better than the next, so from three cycles
on each cycle is taken as one block, too (the block jackknife: Kuensch, "The jackknife and the bootstrap for
general stationary observations", 1989). Blocks are few, so the variance of form is pooled over the field, and
a bot's own is believed in part. Where form lasts over cycles, the blocks depend on one another, and their
long-run variance is taken (Bartlett's weights; Newey and West, 1987).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import sqrt

import numpy as np

from arena.score.arrays import Numbers, Values, added
from arena.score.least_squares import FieldSums
from arena.score.quantiles import mean_square_quantile, normal_quantile, t_quantile

CONFIDENCE = 0.95
"""Coverage of the ± beside a score, valid for one look at the end."""
LEAST_RATIO = 0.1
"""The least share of the jackknife's variance that leverage and the design ratio leave."""
FEWEST_SESSIONS = 8
"""Sessions of an entry from which its residuals tell of effects of pairs."""
FEWEST_CYCLES = 2.9
"""Effective cycles of an entry that tell of its form: three of about equal length."""
HALF_BELIEVED = 20.0
"""W - 1 at which the ± believes the variance of an entry's own cycles by half."""
DOUBT = 0.2
"""The chance with which form is taken for varying, or for lasting, where it does not. Such a mistake costs
little; the other would make the ± too narrow."""
ALARM = 0.003
"""The share of false alarms of each test of `Form.alarms`, and of `Form.lasts`, at one look of many."""
LONGEST = 4
"""The most cycles apart that the long-run variance looks at."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """How uncertain a variance is that was multiplied by an estimated ratio.

    `ratio`: the variance with form over that without; only what it has above 1 counts. `freedom`: its
    degrees of freedom.
    """

    ratio: float
    freedom: float

    def later(self, times: float) -> Doubt:
        """Return the doubt when so many times as many cycles have been played."""
        return Doubt(self.ratio, self.freedom * times)


NO_DOUBT = Doubt(1.0, 0.0)


@dataclass(frozen=True)
class Spread:
    """How sure the scores of some entries are, by number.

    `jackknife`: the covariance of the scores by sessions. `ratio`: the share of it that is chance and no
    leverage. `uneven`: the covariance of what each met more often, or less, than the others. `sessions`: of
    each. `form`: how the scores moved from cycle to cycle.
    """

    jackknife: Values
    ratio: float
    uneven: Values
    sessions: Values
    form: Form

    def scaled(self, unit: float) -> Spread:
        """Return the same for scores that are counted in a unit times as many points."""
        square, form = unit * unit, self.form
        return replace(
            self,
            jackknife=square * self.jackknife,
            uneven=square * self.uneven,
            form=replace(form, between=square * form.between, pooled=square * form.pooled),
        )

    def standard_error(self, *entries: int) -> float:
        """Return the standard error of a score, or of a difference of two, by the jackknife alone."""
        return sqrt(max(0.0, _of(self.jackknife, entries)))

    def half_width(self, *entries: int) -> float:
        """Return the ± of a score, or of a difference of two: a 95 % interval for one look at the end.

        The degrees of freedom are those of Satterthwaite (1946), from the sessions of each.
        """
        variance = self.ratio * max(0.0, _of(self.jackknife, entries)) + _of(self.uneven, entries)
        own = [max(1e-12, self.jackknife[i, i]) for i in entries]
        terms = [part**2 / max(1.0, self.sessions[i] - 1.0) for i, part in zip(entries, own, strict=True)]
        freedom = sum(own) ** 2 / sum(terms)
        of_each = [self.jackknife[i, i] + self.uneven[i, i] for i in entries]
        variance, freedom = self.form.widened(entries, variance, of_each, freedom)
        return t_quantile(0.5 + CONFIDENCE / 2.0, max(1, int(freedom + 1e-9))) * sqrt(variance)

    def of_verdict(self, i: int, j: int) -> tuple[float, Doubt]:
        """Return the variance of a difference that verdicts use, and how uncertain it is.

        A correction by the design ratio is an estimate, so verdicts do without what it takes off.
        """
        rows = self._whole
        return self.form.for_verdict((i, j), max(0.0, rows[i][i] + rows[j][j] - 2.0 * rows[i][j]))

    @cached_property
    def _whole(self) -> list[list[float]]:
        # Lists, because a large field has tens of thousands of pairs, and numpy is slow with single numbers.
        rows: list[list[float]] = (self.jackknife + self.uneven).tolist()
        return rows


def spread_of(sums: FieldSums, present: int, later: Mapping[int, int]) -> Spread:
    """Return how sure the scores of the first `present` entries of a fit are.

    `later`: the number of the present version of each departed entry that has one.
    """
    here = slice(0, present)
    covariance = sums.covariance()[here, here]
    members, residuals = sums.played.members, sums.card_residuals
    variance = _variance_of_pairs(members, residuals, present, sums.size)
    met = _met(members, np.ones(members.shape), (present, sums.size))
    count = np.maximum(np.bincount(members.ravel(), minlength=sums.size)[:present], 1).astype(np.float64)
    shares = met / count[:, None]
    # What the jackknife holds of effects of pairs: who is at the table differs from session to session.
    held = variance * float(((shares * (1.0 - shares)).sum(axis=1) / count).sum())
    # The fit follows the sessions that it has, so leaving one out moves the scores too far; but where all sit
    # in every session, scores are means, and the jackknife is right.
    seats = members.shape[1]
    leverage = max(0, sums.size - seats) / (len(members) * (seats - 1))
    total = float(np.trace(covariance))
    ratio = 1.0 if total <= 0.0 else max(LEAST_RATIO, 1.0 - leverage - held / total)
    form = form_of(sums.moved_by_cycles()[:, here], sums.sessions_by_cycle()[:, here], covariance)
    uneven = variance * _unevenness(shares, present, seats, later)
    return Spread(covariance, ratio, uneven, count, form)


def _unevenness(shares: Values, present: int, seats: int, later: Mapping[int, int]) -> Values:
    """Return the covariance of the scores where the effect of each opponent has the variance 1.

    With p_ij the share of the sessions of i with j, and d_ij = p_ij - (k-1)/(n-1) for a present j, p_ij for a
    departed one: sum of d_ij^2 for a score. Effects are taken for antisymmetric: i and j share -d_ij d_ji.
    Nobody knows how like its version before a later one is: half of the variance of effects is taken to stay.
    """
    above = shares.copy()
    above[:, :present] -= (seats - 1) / max(1, present - 1)
    above[range(present), range(present)] = 0.0
    alike = above.copy()
    for gone, version in later.items():
        alike[:, version] += alike[:, gone]
        alike[:, gone] = 0.0
    half: Values = (_of_effects(above, present) + _of_effects(alike, present)) / 2.0
    return half


def _of_effects(above: Values, present: int) -> Values:
    here = above[:, :present]
    found: Values = -here * here.T
    found[range(present), range(present)] = (above * above).sum(axis=1)
    return found


def _variance_of_pairs(members: Numbers, residuals: Values, present: int, size: int) -> float:
    """Return the variance of the effect of one opponent on the points of an entry, 0 or more.

    Over all pairs of sessions of an entry, the slope of the product of its residuals by the number of
    opponents that both sessions have: chance and the fit give all pairs the same expectation.
    """
    shape = (present, size)
    met = _met(members, np.ones(members.shape), shape)
    sums, squares = _met(members, residuals, shape), _met(members, residuals * residuals, shape)
    count = added([members], np.ones(members.shape), (size,))[:present]
    own = added([members], residuals, (size,))[:present]
    own_squares = added([members], residuals * residuals, (size,))[:present]
    shared = (met * (met - 1.0)).sum(axis=1)
    products = (sums * sums - squares).sum(axis=1)
    mean = shared / np.maximum(count * (count - 1.0), 1.0)
    enough = count >= FEWEST_SESSIONS
    slope = (products - mean * (own * own - own_squares))[enough].sum()
    base = (shared + _twice(members, present, size) - mean * shared)[enough].sum()
    return max(0.0, float(slope / base)) if base > 0.0 else 0.0


def _met(members: Numbers, values: Values, shape: tuple[int, int]) -> Values:
    """Return the sums of the values of i over the sessions with j, for present i and any other j."""
    sums = np.zeros((shape[1], shape[1])) if shape[0] == shape[1] else np.zeros((shape[0] + 1, shape[1]))
    rows = np.minimum(members, len(sums) - 1)
    for one in range(members.shape[1]):
        for other in range(members.shape[1]):
            if one != other:
                sums += added([rows[:, one], members[:, other]], values[:, one], sums.shape)
    return sums[: shape[0]]


def _twice(members: Numbers, present: int, size: int) -> Values:
    """Return for each present entry the sum over its pairs of sessions of s (s - 1), s opponents shared."""
    seats = members.shape[1]
    keys = [
        (members[:, one] * size + members[:, a]) * size + members[:, b]
        for one in range(seats)
        for a in range(seats)
        for b in range(seats)
        if len({one, a, b}) == 3
    ]
    if not keys:
        return np.zeros(present)
    triples, times = np.unique(np.concatenate(keys), return_counts=True)
    found: Values = added([triples // (size * size)], times * (times - 1.0), (size,))[:present]
    return found


@dataclass(frozen=True)
class Form:
    """The variance between the cycles of a league, for entries by number.

    `blocks`: W_i, the effective number (Kish) of cycles of each. `between`: B_ii, the variance of each score
    by its cycles; 0 with too few of them. `pooled`: the variance of form in one cycle, in squared points.
    `ratio`: rho, the variance of the differences by cycles over that by sessions; `freedom`: q of it.
    `protected`: whether enough entries have enough cycles to tell. `autocorrelation`: of one cycle with the
    next, in standard deviations of what chance makes of it.
    """

    blocks: Values
    between: Values
    pooled: float
    ratio: float
    freedom: float
    protected: bool
    autocorrelation: float = 0.0

    @property
    def lasts(self) -> bool:
        """Return whether form is seen to last over several cycles."""
        return self.protected and self.autocorrelation > normal_quantile(1.0 - ALARM)

    def widened(
        self, entries: Sequence[int], variance: float, of_each: Sequence[float], freedom: float
    ) -> tuple[float, float]:
        """Return variance and degrees of freedom of the ± of a score (one entry) or a difference (two).

        `of_each`: the variance of the score of each entry without form, with what the design ratio takes off:
        cycles differ by that, too.
        """
        if not self.protected:
            return variance, freedom
        varies = self.ratio > mean_square_quantile(normal_quantile(1.0 - DOUBT), self.freedom)
        found = variance
        if varies:
            found += self._of_field(entries)
            freedom = 1.0 / (1.0 / self.freedom + 1.0 / freedom)
        for i, own in zip(entries, of_each, strict=True):
            if self.blocks[i] < FEWEST_CYCLES:
                continue
            expected = own + (self._of_field([i]) if varies else 0.0)
            if varies or self._exceeds(i, expected, DOUBT / len(self.blocks)):
                more = float(self.blocks[i]) - 1.0
                found += more / (more + HALF_BELIEVED) * (float(self.between[i]) - expected)
        return max(variance, found), freedom

    def for_verdict(self, entries: Sequence[int], variance: float) -> tuple[float, Doubt]:
        """Return the variance of a difference that verdicts use, and how uncertain it is.

        That is the larger one of what the form of the field and the cycles of these entries say.
        """
        if not self.protected or variance <= 0.0:
            return variance, NO_DOUBT
        form = self._of_field(entries)
        doubt = Doubt(1.0 + form / variance, self.freedom) if form else NO_DOUBT
        return max(variance + form, sum(self._between[i] for i in entries)), doubt

    @cached_property
    def _between(self) -> list[float]:
        found: list[float] = self.between.tolist()
        return found

    def alarms(self, variances: Values) -> Sequence[tuple[int, float]]:
        """Return the entries whose form varies, each with the deviation of its form in points; most first.

        `variances`: of the scores by the jackknife over sessions. If form varies, but of no single entry for
        sure, the one that varies most is named.
        """
        known = [i for i, own in enumerate(self.between) if own > 0.0 and variances[i] > 0.0]
        if not self.protected or not known:
            return ()
        share = ALARM / len(known)
        named = [i for i in known if self._exceeds(i, variances[i], share)]
        if not named and self.ratio > mean_square_quantile(normal_quantile(1.0 - ALARM), self.freedom):
            named = [max(known, key=lambda i: self.between[i] / variances[i])]
        # The form of a cycle moves a score by 1/W of it.
        found = [(i, sqrt(max(0.0, self.blocks[i] * (self.between[i] - variances[i])))) for i in named]
        return sorted(found, key=lambda each: -each[1])

    def _of_field(self, entries: Sequence[int]) -> float:
        """Return the variance that form as in the whole field gives these scores together."""
        return sum(self.pooled / float(self.blocks[i]) for i in entries) if self.pooled else 0.0

    def _exceeds(self, entry: int, base: float, share: float) -> bool:
        """Return whether its variance between cycles lies above `base` as it does by chance in `share`."""
        quantile = mean_square_quantile(normal_quantile(1.0 - share), float(self.blocks[entry]) - 1.0)
        return float(self.between[entry]) > base * quantile


def form_of(moved: Values, sessions: Values, covariance: Values) -> Form:
    """Return the variance between cycles.

    `moved`: for each cycle how far it moved the score of each entry from what it would be without knowing the
    cycle; `sessions`: for each cycle the counted sessions of each entry. `covariance`: of the scores by the
    jackknife over sessions.
    """
    shares = sessions / np.maximum(sessions.sum(axis=0), 1.0)
    blocks = 1.0 / np.maximum((shares * shares).sum(axis=0), 1e-12)
    known = np.nonzero(blocks >= FEWEST_CYCLES)[0]
    between = np.zeros(len(blocks))
    within = covariance[np.ix_(known, known)]
    total = _contrasts(within)
    if len(known) < 2 or total <= 0.0:
        return Form(blocks, between, 0.0, 1.0, 0.0, protected=False)
    raised = np.sqrt(blocks[known] / (blocks[known] - 1.0))
    rows = raised * moved[:, known]
    alike = _Lags(rows)
    rank = _effective_rank(within)
    cycles = float(blocks[known].mean())
    chance = (alike.share(1) + 1.0 / cycles) * sqrt(cycles * rank)
    longer = alike.long_run(cycles) if chance > normal_quantile(1.0 - DOUBT) else 1.0
    between[known] = longer * (rows * rows).sum(axis=0)
    differences = longer * alike.contrast(0)
    # A form of variance 1 in each cycle shows as so much in B_ii: the mean of the cycles takes a part.
    seen = float((raised**2 * _left(shares[:, known])).sum())
    pooled = max(0.0, differences - total) / ((len(known) - 1) * seen)
    freedom = rank * (cycles - 1.0) / longer
    protected = 2 * len(known) >= len(blocks)
    return Form(blocks, between, pooled, differences / total, freedom, protected, chance)


@dataclass(frozen=True)
class _Lags:
    """How alike the moves of cycles are that lie some cycles apart: a row for each cycle."""

    rows: Values

    def contrast(self, lag: int) -> float:
        """Return the sum, over all differences of entries, of the products of moves so many cycles apart."""
        one, other = self.rows[: len(self.rows) - lag], self.rows[lag:]
        products = (one * other).sum()
        return float(self.rows.shape[1] * products - (one.sum(axis=1) * other.sum(axis=1)).sum())

    def share(self, lag: int) -> float:
        """Return the autocorrelation."""
        return self.contrast(lag) / self._squares if self._squares > 0.0 else 0.0

    def long_run(self, cycles: float) -> float:
        """Return the long-run variance over that of single cycles, 1 or more. `cycles`: effective ones."""
        most = min(LONGEST, round(cycles) // 3)
        weights = [1.0 - lag / (most + 1) for lag in range(1, most + 1)]
        # The mean of the cycles is taken off each, which makes every autocorrelation smaller by 1/W.
        return max(1.0, 1.0 + 2.0 * sum(w * (self.share(n) + 1.0 / cycles) for n, w in enumerate(weights, 1)))

    @cached_property
    def _squares(self) -> float:
        return self.contrast(0)


def _left(shares: Values) -> Values:
    """Return the sum of p_w^2 (d_w - mean d)^2 for independent d of variance 1, the mean weighted by p."""
    squares = (shares**2).sum(axis=0)
    found: Values = squares - 2.0 * (shares**3).sum(axis=0) + squares * squares
    return found


def _of(rows: Values, entries: Sequence[int]) -> float:
    """Return the variance of a number, or of the difference of two, with this covariance."""
    if len(entries) == 1:
        return float(rows[entries[0], entries[0]])
    i, j = entries
    return float(rows[i, i] + rows[j, j] - 2.0 * rows[i, j])


def _contrasts(covariance: Values) -> float:
    """Return the sum of the variances of the differences over all pairs."""
    return float(len(covariance) * np.trace(covariance) - covariance.sum())


def _effective_rank(covariance: Values) -> float:
    """Return tr(S)^2 / tr(S^2), S centred: the number of independent differences of equal variance."""
    means = covariance.mean(axis=1)
    rows = covariance - means[:, None] - means[None, :] + means.mean()
    squares, trace = float((rows * rows).sum()), float(np.trace(rows))
    return trace * trace / squares if squares > 0.0 else 0.0
