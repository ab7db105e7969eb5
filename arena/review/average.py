"""The mean cost of reviewed decisions, with an error that allows for rounds that go together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import hypot, sqrt
from typing import Final

from arena.review.clusters import Estimate, Tally, mean
from arena.review.reviewed import Reviewed

__all__ = ["FEWEST_SESSIONS", "average_cost"]

FEWEST_SESSIONS: Final = 8
"""With fewer sessions, boards are taken for independent: else there would be no error to speak of."""

_LEAST_SPREAD: Final = 0.25


def average_cost(costs: Sequence[Reviewed], out_of: int | None = None) -> Estimate:
    """Return the mean cost of some decisions, in points. Without any, it is 0 and nothing is known.

    Decisions of a session go together, or those of a board if there are fewer than `FEWEST_SESSIONS`. Costs
    are seldom large, so the spread of a few decisions is too small by chance now and then. The error is at
    least what the reviews themselves say. `out_of`: how many decisions these were drawn from. Where most of
    them were reviewed, their spread is no error (the finite population correction: Cochran, "Sampling
    Techniques", 1977, section 2.6); but at least `_LEAST_SPREAD` of its variance counts, since another league
    would have other decisions.
    """
    if not costs:
        return Estimate(0.0, None, 0)
    by_session: dict[tuple[int, ...], Tally] = defaultdict(Tally)
    by_board: dict[tuple[int, ...], Tally] = defaultdict(Tally)
    for each in costs:
        by_session[each.match.cycle, each.match.index].add(each.cost)
        by_board[each.match.cycle, each.match.index, each.round].add(each.cost)
    clusters = by_session if len(by_session) >= FEWEST_SESSIONS else by_board
    found = mean(clusters.values())
    least = hypot(*(each.error for each in costs)) / len(costs)
    if found.error is None:
        return found
    error = found.error
    if out_of:
        error = hypot(error * sqrt(max(_LEAST_SPREAD, 1 - len(costs) / out_of)), least)
    return Estimate(found.value, max(error, least), found.freedom)
