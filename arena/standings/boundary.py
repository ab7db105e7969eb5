"""Computes the boundary of always-valid verdicts: how many standard errors a difference must exceed.

Pure numbers: it must not know bots, sessions or what is claimed with it (that is `verdicts`).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, expm1, inf, log, sqrt

ERROR_RATE = 0.05
"""The chance of any false separation in a season, divided equally among all pairs."""

TUNED_FOR = 300
"""The number of sessions at which the boundary is narrowest."""

TUNED_FOR_PAIRS = 200
"""The same for the clock of a pair in a changing field, which has fewer sessions than a whole league."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """How uncertain a standard error is whose variance was multiplied by an estimated ratio.

    `ratio`: rho, the variance between cycles over what it would be without form; only what it has above 1
    counts. `freedom`: its degrees of freedom.
    """

    ratio: float
    freedom: float

    def later(self, times: float) -> Doubt:
        """Return the doubt when so many times as many cycles have been played."""
        return Doubt(self.ratio, self.freedom * times)


NO_DOUBT = Doubt(1.0, 0.0)


def boundary(sessions: float, error: float, doubt: Doubt = NO_DOUBT, tuned: float = TUNED_FOR) -> float:
    """Return u(t): the standard errors that a difference must exceed at t sessions.

    If two bots are equal, their difference exceeds it at any t with a chance of at most `error`. This is the
    normal-mixture boundary of Robbins (1970), `tuned` to be narrowest near 300 sessions as in Waudby-Smith et
    al., Time-uniform central limit theory and asymptotic confidence sequences: u = sqrt(2 (tr + 1)/(tr)
    ln(sqrt(tr + 1)/a)), a the error, r = (-2 ln a + ln(1 - 2 ln a))/300.

    A ratio above 1 has `doubt`. Then the mixture is that of Student's t (Lai, "On confidence sequences",
    1976) with nu = q (rho/(rho - 1))^2 degrees of freedom: g = 1 + tr, K = (sqrt(g)/a)^(2/(nu + 1)) and
    u^2 = nu (K - 1)/(1 - K/g). It is infinite where K >= g: then nothing can be claimed yet.
    """
    rate = (-2.0 * log(error) + log(1.0 - 2.0 * log(error))) / tuned
    weight = sessions * rate
    evidence = log(sqrt(weight + 1.0) / error)
    if doubt.ratio <= 1.0:
        return sqrt(2.0 * (weight + 1.0) / weight * evidence)
    freedom = doubt.freedom * (doubt.ratio / (doubt.ratio - 1.0)) ** 2
    power = 2.0 * evidence / (freedom + 1.0)
    below = 1.0 - exp(power) / (weight + 1.0) if power < log(weight + 1.0) else 0.0
    return sqrt(freedom * expm1(power) / below) if below > 0.0 else inf


def error_of_pair(ranked: int) -> float:
    """Return the share of the error rate of each pair of so many bots."""
    # Bonferroni: the chances of error of all pairs add up to at most ERROR_RATE, however pairs depend on
    # each other.
    return ERROR_RATE / (ranked * (ranked - 1) / 2)
