"""Computes the ± beside a score: the standard error times Student's t and the root of the design effect.

Where form varies from cycle to cycle (`form`), the ± is wider. It must not touch verdicts.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from arena.standings.design import DesignEffect, together
from arena.standings.form import FEWEST_BLOCKS, Form
from arena.standings.quantiles import mean_square_quantile, normal_quantile, t_quantile

CONFIDENCE = 0.95
"""Coverage of the intervals beside the scores, valid for one look at the end."""

DOUBT = 0.2
"""The chance with which form is taken for varying where it does not. Such a mistake costs little; the other
would make the ± too narrow."""


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
        own -= self._repeated * variance
        base = effect.ratio * max(0.0, variance)
        if form is not None and form.blocks >= FEWEST_BLOCKS:
            varies = effect is not self._designed
            if varies or form.exceeds(own, base, DOUBT / self.bots):
                base = form.mixed(base, own)
        return t_quantile(0.5 + CONFIDENCE / 2.0, effect.freedom) * sqrt(base)

    @property
    def _designed(self) -> DesignEffect:
        """Return the design effect, the finer one where there is one, and 1 where there is none."""
        known = self.design or DesignEffect(1.0, self.sessions - 1)
        return known.finer or known

    @property
    def _repeated(self) -> float:
        """Return the share of the jackknife's variance that cycles have too and that is no chance."""
        return 0.0 if self.design is None else self.design.ratio - self._designed.ratio

    @property
    def _effect(self) -> DesignEffect:
        """Return the design effect, or the ratio between cycles where that is clearly more."""
        form, designed = self.form, self._designed
        if form is None or form.blocks < FEWEST_BLOCKS or form.freedom <= 0.0:
            return designed
        limit = mean_square_quantile(normal_quantile(1.0 - DOUBT), form.freedom)
        ratio = form.ratio - self._repeated
        if ratio <= designed.ratio * limit:
            return designed
        return DesignEffect(ratio, together(form.freedom, self.sessions))
