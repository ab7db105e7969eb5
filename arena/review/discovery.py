"""Many tests at once: which of them say something, and which decisions were blunders.

The procedure: Benjamini and Hochberg, "Controlling the false discovery rate: a practical and powerful
approach to multiple testing", Journal of the Royal Statistical Society B 57 (1995), 289-300. Of what survives
it, the share that is there by chance alone is at most the rate, on average.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.review.clusters import Estimate, p_above
from arena.review.reviewed import Reviewed

__all__ = ["LEAST_BLUNDER", "RATE", "blunders", "p_of_cost", "surviving"]

RATE = 0.05
"""The share of findings that may be there by chance alone."""

LEAST_BLUNDER = 1.0
"""The points that a decision must cost before it is called a blunder."""


def surviving(p_values: Sequence[float], rate: float = RATE) -> list[bool]:
    """Return for each p-value whether its test survives.

    With m tests and p(1) <= ... <= p(m), the first k survive, k the largest number with p(k) <= k rate / m.
    Raises ValueError for a p-value outside 0 to 1.
    """
    outside = [p for p in p_values if not 0.0 <= p <= 1.0]
    if outside:
        raise ValueError(f"{outside[0]} is no p-value: expected 0 to 1")
    ordered = sorted(p_values)
    limits = [p for k, p in enumerate(ordered, start=1) if p <= k * rate / len(ordered)]
    return [bool(limits) and p <= limits[-1] for p in p_values]


def p_of_cost(decision: Reviewed) -> float:
    """Return how likely at least such a cost is where the decision costs nothing.

    Each of the two halves of the worlds takes a degree of freedom.
    """
    return p_above(Estimate(decision.cost, decision.error, max(1, decision.worlds - 2)))


def blunders(reviewed: Iterable[Reviewed], rate: float = RATE) -> list[Reviewed]:
    """Return the decisions that are surely costly and cost at least `LEAST_BLUNDER`, the costliest first.

    "Surely" is corrected for all reviewed decisions, so pass all of them, not a selection.
    """
    tested = list(reviewed)
    sure = surviving([p_of_cost(each) for each in tested], rate)
    found = [each for each, kept in zip(tested, sure, strict=True) if kept and each.cost >= LEAST_BLUNDER]
    return sorted(found, key=lambda each: -each.cost)
