"""Corrects the ± of a changing field for effects of pairs: who met whom how often, and how often it should.

A bot takes some points more from one opponent than its strength says, and fewer from another. Over all
line-ups of the present field that is part of its score. What it met more or less often than that, departed
entries above all, moves its score; a jackknife over sessions sees instead that every session has other
opponents, and takes that for chance. So it errs to the one side where the field is balanced, and to the other
where entries that came and went had effects of their own. It must not fit strengths: `field_sums` does.
"""

from __future__ import annotations

import numpy as np

from arena.standings.arrays import Numbers, Values, added

__all__ = ["correction", "variance_of_pairs"]

_FEWEST = 8
"""Sessions from which the residuals of an entry tell of effects of pairs."""


def correction(members: Numbers, residuals: Values, present: int, size: int) -> Values:
    """Return what to add to the covariance of the jackknife, a row for each of the `present` entries.

    `members`: the numbers of the entries of each session, below `size`, the present ones first; `residuals`:
    what the fit leaves of their points a round. With v the variance of the effect of one opponent, n_i the
    sessions of i, p_ij the share of them with j, and d_ij = p_ij - (k-1)/(n-1) for a present j, p_ij for a
    departed one: the jackknife holds (k-1) v / n_i for the opponents of i, and the error by them is
    v sum d_ij^2. Effects are antisymmetric: i and j share -v d_ij d_ji, in the jackknife -v n_ij/(n_i n_j).
    """
    seats = members.shape[1]
    met = _met(members, np.ones(members.shape), (present, size))
    count = np.maximum(np.bincount(members.ravel(), minlength=size)[:present], 1).astype(np.float64)
    wanted = np.zeros((present, size))
    wanted[:, :present] = (seats - 1) / (present - 1)
    wanted[range(present), range(present)] = 0.0
    above = met / count[:, None] - wanted
    here, between = above[:, :present], met[:, :present] / (count[:, None] * count)
    found: Values = between - here * here.T
    found[range(present), range(present)] = (above * above).sum(axis=1) - (seats - 1) / count
    corrected: Values = variance_of_pairs(members, residuals, present, size) * found
    return corrected


def variance_of_pairs(members: Numbers, residuals: Values, present: int, size: int) -> float:
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
    enough = count >= _FEWEST
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
    triples, times = np.unique(np.concatenate(keys), return_counts=True)
    found: Values = added([triples // (size * size)], times * (times - 1.0), (size,))[:present]
    return found
