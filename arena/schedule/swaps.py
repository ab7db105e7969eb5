"""The one local search of the schedule: improve an order by swapping two of its members."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations


def swap_scan(start: Sequence[int], cost: Callable[[Sequence[int]], int]) -> tuple[tuple[int, ...], int]:
    """The order reached from `start`, and its cost.

    A scan tries the swaps of places i < j lexicographically and keeps each that makes the cost
    strictly lower, going on from there; scans are repeated until one changes nothing. Whole-number
    costs make this exact, so every implementation reaches the same order.
    """
    order = list(start)
    best = cost(order)
    changed = True
    while changed:
        changed = False
        for i, j in combinations(range(len(order)), 2):
            order[i], order[j] = order[j], order[i]
            found = cost(order)
            if found < best:
                best, changed = found, True
            else:
                order[i], order[j] = order[j], order[i]
    return tuple(order), best
