"""For how many decisions each reviewed one stands, where some were looked at because of what they are.

A rare, costly pattern inside a wide one is looked at far more closely than the rest of it. So a set is split
into strata that were looked at equally closely, and each review stands for its part of its stratum (post-
stratification: Cochran, "Sampling Techniques", 1977, section 5A.9). Within a pattern decisions are drawn at
random, whatever they cost, so this has no bias. This module must not know what a decision cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from arena.review.clusters import at_least

__all__ = ["strata"]

_MORE_CLOSELY: Final = 0.01
"""The p-value from which on a part was looked at more closely, and not by chance."""
_FEWEST: Final = 5
"""So many reviews must stand for the rest, unless it was reviewed as a whole."""


def strata(decisions: int, reviewed: int, others: Iterable[int]) -> list[int]:
    """Return the parts of some decisions that were looked at equally closely. All are sets, as masks.

    `others`: the sets from which decisions were drawn, or may have been. Empty where too few reviews stand
    for a part, so that nothing can be said of the whole.
    """
    parts = []
    rest = decisions
    apart = list(dict.fromkeys(part for other in others if (part := other & decisions)))
    while closest := _closest(rest, reviewed, apart):
        parts.append(closest)
        rest &= ~closest
    left = (rest & reviewed).bit_count()
    if left < min(_FEWEST, rest.bit_count()):
        return []
    return [*parts, rest] if rest else parts


def _closest(rest: int, reviewed: int, others: Sequence[int]) -> int:
    """Return the part that was looked at most closely, if surely more closely than what is without it."""
    best, most = 0, 0.0
    for other in others:
        part, without = rest & other, rest & ~other
        count, seen = part.bit_count(), (part & reviewed).bit_count()
        if not seen or not without or seen / count <= most:
            continue
        usual = (without & reviewed).bit_count() / without.bit_count()
        if seen / count > usual and at_least(seen, count, usual) <= _MORE_CLOSELY:
            best, most = part, seen / count
    return best
