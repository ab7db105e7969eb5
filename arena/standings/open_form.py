"""Computes how form varies from cycle to cycle where entries have lives of different length.

As `form`: each cycle is one block. A newcomer may have most of its sessions in one cycle, in which its form
says more of its score than that of a veteran. So the variance of a cycle's form is pooled over the field as
an absolute number, and each score has the share of it that its own sessions give it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from arena.standings.boundary import NO_DOUBT, Doubt
from arena.standings.design import together
from arena.standings.form import ALARM, FEWEST_BLOCKS, HALF_BELIEVED
from arena.standings.interval import DOUBT
from arena.standings.linalg import Matrix, Vector, among, contrasts, effective_rank
from arena.standings.quantiles import mean_square_quantile, normal_quantile

PROTECTING = 2.9
"""Effective cycles of an entry that tell of its form: three of about equal length."""


@dataclass(frozen=True, slots=True)
class OpenForm:
    """The variance between the cycles, for entries by number.

    `blocks`: W_i, the effective number (Kish) of cycles of each. `between`: B_ii, the variance of each score
    by its cycles; 0 with too few of them. `pooled`: the variance of form in one cycle, in squared points.
    `ratio`: rho, the variance of the differences by cycles over that by sessions; `freedom`: q of it.
    `protected`: whether enough entries have enough cycles to tell.
    """

    blocks: Sequence[float]
    between: Sequence[float]
    pooled: float
    ratio: float
    freedom: float
    protected: bool

    def for_interval(self, entries: Sequence[int], variance: float, sessions: int) -> tuple[float, int]:
        """Return variance and degrees of freedom of a score (one entry) or a difference (two).

        `variance`: by the jackknife over sessions; `sessions`: of the entry, or the fewer of the two.
        """
        base, freedom = max(0.0, variance), max(1, sessions - 1)
        if not self.protected:
            return base, freedom
        varies = self.ratio > mean_square_quantile(normal_quantile(1.0 - DOUBT), self.freedom)
        if varies:
            base += self._of_field(entries)
            freedom = together(self.freedom, freedom + 1)
        own = fsum(self.between[i] for i in entries)
        if varies or self._exceeds(entries, own, base, DOUBT / len(self.blocks)):
            base += fsum(self._believed(i) for i in entries) * max(0.0, own - base) / len(entries)
        return base, freedom

    def for_verdict(self, i: int, j: int, variance: float) -> float:
        """Return the variance of a difference that verdicts use."""
        if not self.protected:
            return variance
        base = variance + self._of_field((i, j))
        own = self.between[i] + self.between[j]
        return base + (self._believed(i) + self._believed(j)) / 2.0 * max(0.0, own - base)

    def doubt(self, i: int, j: int, variance: float) -> Doubt:
        """Return how uncertain the variance of a verdict is."""
        if not self.protected or not self.pooled or variance <= 0.0:
            return NO_DOUBT
        return Doubt(1.0 + self._of_field((i, j)) / variance, self.freedom)

    def alarms(self, variances: Sequence[float]) -> Sequence[tuple[int, float]]:
        """Return the entries whose form varies, each with the deviation of its form in points; most first.

        `variances`: of the scores by the jackknife over sessions.
        """
        known = [i for i, own in enumerate(self.between) if own > 0.0 < variances[i]]
        if not self.protected or not known:
            return ()
        share = ALARM / len(known)
        named = [i for i in known if self._exceeds([i], self.between[i], variances[i], share)]
        if not named and self.ratio > mean_square_quantile(normal_quantile(1.0 - ALARM), self.freedom):
            named = [max(known, key=lambda i: self.between[i] / variances[i])]
        found = [(i, sqrt(max(0.0, self.blocks[i] * (self.between[i] - variances[i])))) for i in named]
        return sorted(found, key=lambda each: -each[1])

    def _of_field(self, entries: Sequence[int]) -> float:
        """Return the variance that form as in the whole field gives these scores together."""
        return fsum(self.pooled / self.blocks[i] for i in entries)

    def _believed(self, i: int) -> float:
        """Return how far the variance of an entry's own cycles is believed, from 0 to 1."""
        return (self.blocks[i] - 1.0) / (self.blocks[i] - 1.0 + HALF_BELIEVED)

    def _exceeds(self, entries: Sequence[int], own: float, base: float, share: float) -> bool:
        """Return whether a variance between cycles lies above `base` as it does by chance in `share`."""
        freedom = min(self.blocks[i] for i in entries) - 1.0
        if freedom < FEWEST_BLOCKS - 1.0:
            return False
        return own > base * mean_square_quantile(normal_quantile(1.0 - share), freedom)


def form_of_entries(moved: Sequence[Vector], sessions: Sequence[Vector], covariance: Matrix) -> OpenForm:
    """Return the variance between cycles.

    `moved`: for each cycle how far it moved the score of each entry; `sessions`: for each cycle the counted
    sessions of each entry. `covariance`: of the scores by the jackknife over sessions.
    """
    shares = [[count / fsum(own) for count in own] for own in zip(*sessions, strict=True)]
    blocks = [1.0 / fsum(share * share for share in own) for own in shares]
    known = [i for i, count in enumerate(blocks) if count >= FEWEST_BLOCKS]
    between = [0.0] * len(blocks)
    total = contrasts(among(covariance, known))
    if len(known) < 2 or total <= 0.0:
        return OpenForm(blocks, between, 0.0, 1.0, 0.0, protected=False)
    raised = {i: sqrt(blocks[i] / (blocks[i] - 1.0)) for i in known}
    rows = [[raised[i] * one[i] for i in known] for one in moved]
    for place, i in enumerate(known):
        between[i] = fsum(row[place] * row[place] for row in rows)
    # The sum of the variances of all differences.
    differences = len(known) * fsum(between) - fsum(fsum(row) ** 2 for row in rows)
    # A form of variance 1 in each cycle shows as so much in B_ii: the mean of the cycles takes a part.
    seen = fsum(raised[i] ** 2 * _left(shares[i]) for i in known)
    pooled = max(0.0, differences - total) / ((len(known) - 1) * seen)
    rank = effective_rank(among(covariance, known))
    freedom = rank * fsum(blocks[i] - 1.0 for i in known) / len(known)
    firm = sum(count >= PROTECTING for count in blocks)
    protected = firm >= 2 and 2 * firm >= len(blocks)
    return OpenForm(blocks, between, pooled, differences / total, freedom, protected)


def _left(shares: Sequence[float]) -> float:
    """Return the sum of p_w^2 (d_w - mean d)^2 for independent d of variance 1, the mean weighted by p."""
    squares = fsum(p * p for p in shares)
    return squares - 2.0 * fsum(p**3 for p in shares) + squares * squares
