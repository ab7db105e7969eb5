"""Computes the boundary of always-valid verdicts: how many standard errors a difference must exceed.

Pure numbers: it must not know bots, sessions or what is claimed with it (that is `verdicts`).
"""

from __future__ import annotations

from math import log, sqrt

ERROR_RATE = 0.05
"""The chance of any false separation in a season, divided equally among all pairs."""

TUNED_FOR = 300
"""The number of sessions at which the boundary is narrowest."""


def boundary(sessions: int, error: float) -> float:
    """Return u(t): the standard errors that a difference must exceed at t sessions.

    If two bots are equal, their difference exceeds it at any t with a chance of at most `error`. This is the
    normal-mixture boundary of Robbins (1970), tuned to be narrowest near 300 sessions as in Waudby-Smith et
    al., Time-uniform central limit theory and asymptotic confidence sequences: u = sqrt(2 (tr + 1)/(tr)
    ln(sqrt(tr + 1)/a)), a the error, r = (-2 ln a + ln(1 - 2 ln a))/300.
    """
    rate = (-2.0 * log(error) + log(1.0 - 2.0 * log(error))) / TUNED_FOR
    weight = sessions * rate
    return sqrt(2.0 * (weight + 1.0) / weight * log(sqrt(weight + 1.0) / error))


def error_of_pair(ranked: int) -> float:
    """Return the share of the error rate of each pair of so many bots."""
    # Bonferroni: the chances of error of all pairs add up to at most ERROR_RATE, however pairs depend on
    # each other.
    return ERROR_RATE / (ranked * (ranked - 1) / 2)
