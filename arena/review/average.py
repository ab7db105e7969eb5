"""The mean cost of reviewed decisions, with an error that allows for rounds that go together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import fsum, hypot, sqrt
from typing import Final

from arena.review.clusters import Estimate, Tally, mean
from arena.review.reviewed import Reviewed

__all__ = ["FEWEST_SESSIONS", "average_cost"]

FEWEST_SESSIONS: Final = 8
"""With fewer sessions, boards are taken for independent: else there would be no error to speak of."""

_LEAST_SPREAD: Final = 0.25


def average_cost(costs: Sequence[Reviewed], weights: Sequence[float] | None = None) -> Estimate:
    """Return the mean cost of some decisions, in points. Without any, it is 0 and nothing is known.

    Decisions of a session go together, or those of a board if there are fewer than `FEWEST_SESSIONS`. Costs
    are seldom large, so the spread of a few decisions is too small by chance now and then. The error is at
    least what the reviews themselves say. `weights`: for how many decisions each of these stands, itself
    included, or all for equally many of a number that is not known. Where most decisions were reviewed, their
    spread is no error (the finite population correction: Cochran, "Sampling Techniques", 1977, section 2.6),
    which the largest weight decides; but at least `_LEAST_SPREAD` of its variance counts, since another
    league would have other decisions. Unequal weights leave fewer degrees of freedom: those of as many equal
    ones as have the same variance (Kish, "Survey Sampling", 1965, section 11.7).
    """
    if not costs:
        return Estimate(0.0, None, 0)
    shares = weights or [1.0] * len(costs)
    by_session: dict[tuple[int, ...], Tally] = defaultdict(Tally)
    by_board: dict[tuple[int, ...], Tally] = defaultdict(Tally)
    for each, weight in zip(costs, shares, strict=True):
        by_session[each.match.cycle, each.match.index].add(weight * each.cost, weight)
        by_board[each.match.cycle, each.match.index, each.round].add(weight * each.cost, weight)
    clusters = by_session if len(by_session) >= FEWEST_SESSIONS else by_board
    found = mean(clusters.values())
    if found.error is None:
        return found
    whole = fsum(shares)
    least = hypot(*(weight * each.error for each, weight in zip(costs, shares, strict=True))) / whole
    error = found.error
    if weights:
        error = hypot(error * sqrt(max(_LEAST_SPREAD, 1 - 1 / max(shares))), least)
    equal = whole**2 / fsum(weight * weight for weight in shares)
    return Estimate(found.value, max(error, least), min(found.freedom, max(1, round(equal) - 1)))
