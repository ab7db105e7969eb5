"""What a decision cost: the points expected of what was chosen, minus those of the best option.

Points are those of the seat in the whole round. They are expected over deals of the hidden cards that fit all
that the seat could know (`worlds`), so a cost says nothing about luck. "Best" means the best of the options
that are compared (`options`), under the policy by which all seats play on. `estimate` says how it is found
without a bias.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import hypot
from random import Random
from typing import Final

from arena.match.record import MatchRecord
from arena.reviews.decisions import Decision, Place, decision_at
from arena.reviews.estimate import estimate
from arena.reviews.means import Clustered, Estimate, mean, p_above, survive
from arena.reviews.options import options_of
from arena.reviews.worlds import Worlds

LEAST_BLUNDER: Final = 1.0
"""The points that a decision must cost before it is called a blunder."""
_FEWEST_SESSIONS: Final = 8
"""With fewer sessions, boards are taken for independent: else there would be no error to speak of."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One decision and what it cost, in points; more is worse.

    best: the best option as a set of cards; what was chosen if nothing was better.
    cost: what was chosen minus the best option, expected over what the seat could not know. Not biased
    upwards; it may be slightly negative. error: its standard error; 0 where it was clearly the best, or the
    only option.
    true_cost: what was chosen minus `best` once more, played on once with the true hands and die: luck.
    worlds: in how many deals it was tried.
    """

    decision: Decision
    best: int
    cost: float
    error: float
    true_cost: int
    worlds: int


def review_decision(record: MatchRecord, place: Place, seed: str, worlds: int) -> Reviewed:
    """Return what a decision of this match cost: the same in any process and in any order.

    Raises ValueError for a place that the match does not have, and for cards that do not fit the rules.
    """
    match, *where = place
    named = "/".join(map(str, (match.cycle, match.index, match.order, match.attempt, *where)))
    return cost_of(decision_at(record, place), worlds, Random(f"{seed}/{named}"))  # noqa: S311 - not a secret


def cost_of(decision: Decision, worlds: int, chance: Random) -> Reviewed:
    """Return what a decision cost, from so many worlds, half of them for each half of the estimate.

    The same decision, number and chance give the same cost. Raises ValueError for fewer than four worlds.
    """
    drawn = Worlds(decision, chance)
    half = worlds // 2
    first, second = ([drawn.draw() for _ in range(half)] for _ in range(2))
    found = estimate(options_of(decision), first, second)
    true = drawn.true()
    true_cost = true(decision.chosen) - true(found.best)
    return Reviewed(decision, found.best, found.cost, found.error, true_cost, 2 * half)


def clustered(values: Iterable[tuple[Place, float]]) -> Clustered:
    """Return numbers about decisions or rounds with their clusters: sessions, or boards if these are few."""
    listed = list(values)
    sessions = {(match.cycle, match.index) for (match, *_), _ in listed}
    if len(sessions) >= _FEWEST_SESSIONS:
        return [((match.cycle, match.index), value) for (match, *_), value in listed]
    return [((match.cycle, match.index, round_), value) for (match, round_, *_), value in listed]


def average_cost(reviewed: Sequence[Reviewed]) -> Estimate:
    """Return the mean cost of some decisions, in points. Raises ValueError without any.

    Costs are seldom large, so the spread of a few decisions is too small by chance now and then: the error is
    at least what the reviews themselves say.
    """
    found = mean(clustered((each.decision.place, each.cost) for each in reviewed))
    if found.error is None:
        return found
    least = hypot(*(each.error for each in reviewed)) / len(reviewed)
    return Estimate(found.value, max(found.error, least), found.degrees_of_freedom)


def blunders(reviewed: Sequence[Reviewed]) -> list[Reviewed]:
    """Return the decisions that are surely costly and cost at least `LEAST_BLUNDER`, the costliest first.

    "Surely" is corrected for all reviewed decisions, so pass all of them, not a selection. Each of the two
    halves of the worlds takes a degree of freedom.
    """
    p_values = [p_above(Estimate(each.cost, each.error, max(1, each.worlds - 2))) for each in reviewed]
    sure = (each for each, kept in zip(reviewed, survive(p_values), strict=True) if kept)
    return sorted((each for each in sure if each.cost >= LEAST_BLUNDER), key=lambda each: -each.cost)
