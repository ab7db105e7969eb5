"""The schedule "balanced": N sessions a cycle, the translations of one line-up on the circle of N residues.

Every bot plays equally often in each cycle by construction; how often two bots meet depends only on
the difference of their residues, so evening out N - 1 numbers evens out all pairs (a cyclic difference
design). The differences are directed, because folding d with N - d counts N/2 wrongly when N is even.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations
from math import comb

from arena.deals.draws import Draws
from arena.schedule.seating import neighbour_links
from arena.schedule.swaps import swap_scan

TRY_ALL_UP_TO = 800
"""Base line-ups up to which all are candidates."""

DRAWN_CANDIDATES = 400
"""Candidates drawn where there are more."""

STARTS = 30
STARTS_OF_MANY = 4
MANY_BOTS = 12
"""The search for an order starts 30 times; with more than 12 bots 4 times, which are then enough."""


class CyclicPlanner:
    """Makes the orders of one cycle after another and keeps the difference counts of all of them.

    `text` is how the text of each draw begins. Which bot holds which residue is drawn once for the
    whole league: drawing it anew in each cycle would undo the balance between cycles.
    """

    def __init__(self, bots: int, seats: int, text: str) -> None:
        self._bots = bots
        self._seats = seats
        self._text = text
        self._links = neighbour_links(seats)
        self._holders = Draws(f"{text}|residues").shuffled(range(bots))
        self._meetings = [0] * bots
        self._left = [0] * bots
        self._used: Counter[tuple[int, ...]] = Counter()
        self._cycle = 0

    def next_cycle(self) -> list[tuple[int, ...]]:
        """The orders of the N translations of the cycle's base line-up, by ascending translation."""
        block = self._next_block()
        _add(self._meetings, self._met(block))
        self._used[self._translation_class(block)] += 1
        order = self._best_order(block)
        _add(self._left, self._neighbours(order))
        self._cycle += 1
        bots = self._bots
        return [tuple(self._holders[(residue + s) % bots] for residue in order) for s in range(bots)]

    def _next_block(self) -> tuple[int, ...]:
        """The candidate that evens out the meetings best.

        That is: the least sum of squared meeting counts over the differences; among these the line-up
        least used so far, translations being the same line-up; among these one draw, in the
        candidates' order.
        """
        draws = Draws(f"{self._text}|block|{self._cycle}")
        candidates = self._candidates(draws)
        costs = [_rise(self._meetings, self._met(block)) for block in candidates]
        least = min(costs)
        best = [block for block, cost in zip(candidates, costs, strict=True) if cost == least]
        uses = [self._used[self._translation_class(block)] for block in best]
        fewest = min(uses)
        ties = [block for block, count in zip(best, uses, strict=True) if count == fewest]
        return ties[draws.below(len(ties))]

    def _candidates(self, draws: Draws) -> list[tuple[int, ...]]:
        """Residue 0 with k-1 others, ascending: all such, or where these are over 800, 400 drawn.

        The 400 are drawn independently of each other, so that one may come twice.
        """
        others, size = range(1, self._bots), self._seats - 1
        if comb(len(others), size) <= TRY_ALL_UP_TO:
            return [(0, *rest) for rest in combinations(others, size)]
        return [(0, *sorted(draws.sample(others, size))) for _ in range(DRAWN_CANDIDATES)]

    def _best_order(self, block: tuple[int, ...]) -> tuple[int, ...]:
        """The order with the least sum of squared ordered-neighbour counts over the differences.

        Each start shuffles the ascending line-up afresh and goes on by swaps; the first best wins.
        """
        draws = Draws(f"{self._text}|order|{self._cycle}")
        starts = STARTS_OF_MANY if self._bots > MANY_BOTS else STARTS
        found = [swap_scan(draws.shuffled(block), self._order_cost) for _ in range(starts)]
        return min(found, key=lambda order_and_cost: order_and_cost[1])[0]

    def _order_cost(self, order: Sequence[int]) -> int:
        return _rise(self._left, self._neighbours(order))

    def _met(self, block: Iterable[int]) -> Counter[int]:
        """How often each difference occurs between two of a line-up, in both directions."""
        return Counter((b - a) % self._bots for a, b in permutations(block, 2))

    def _neighbours(self, order: Sequence[int]) -> dict[int, int]:
        """How often, over all rows of an order, a bot has the one that difference further on at its left."""
        times: dict[int, int] = {}
        for i, j, count in self._links:
            difference = (order[j] - order[i]) % self._bots
            times[difference] = times.get(difference, 0) + count
        return times

    def _translation_class(self, block: Sequence[int]) -> tuple[int, ...]:
        """The same for all translations of a line-up: the first of them that hold residue 0."""
        return min(tuple(sorted((b - a) % self._bots for b in block)) for a in block)


def _rise(counts: Sequence[int], added: dict[int, int]) -> int:
    """By how much the sum of squared counts would grow: (c + n)^2 - c^2 = n (2c + n)."""
    return sum(n * (2 * counts[difference] + n) for difference, n in added.items())


def _add(counts: list[int], added: dict[int, int]) -> None:
    for difference, n in added.items():
        counts[difference] += n
