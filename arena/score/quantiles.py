"""Quantiles of the distributions that intervals and tests need. Pure numbers: knows no bots and no claims."""

from __future__ import annotations

from functools import lru_cache
from math import atan2, cos, exp, inf, lgamma, log, log1p, pi, sin, sqrt, tan
from statistics import NormalDist

_NORMAL = NormalDist()


def normal_quantile(p: float) -> float:
    """Return the z with P(Z <= z) = p, 0 < p < 1, for a standard normal Z."""
    return _NORMAL.inv_cdf(p)


def mean_square_quantile(z: float, freedom: float) -> float:
    """Return about the value that a chi-square, divided by its `freedom` > 0, exceeds as seldom as a normal
    exceeds `z`.

    The formula is the cube of Wilson and Hilferty ("The distribution of chi-square", 1931).
    """
    part = 2.0 / (9.0 * freedom)
    return (1.0 - part + z * sqrt(part)) ** 3


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
