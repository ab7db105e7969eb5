"""The schedule "all": every line-up once a cycle, each in the order that evens out who sits next to
whom.

Lexicographic orders alone leave a spread of 40 between the ordered neighbours after one cycle of 8
bots on 5 seats; the greedy choice made here leaves 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

from arena.schedule.seating import neighbour_links
from arena.schedule.swaps import swap_scan

SEARCH_ALL_UP_TO = 5
"""Seats up to which every order of a line-up is tried: 24 orders for 5 seats, but 5,040 for 8."""


class CompletePlanner:
    """Gives the orders of one cycle after another and keeps the neighbour counts of all of them."""

    def __init__(self, bots: int, seats: int) -> None:
        self._bots = bots
        self._seats = seats
        self._left = [[0] * bots for _ in range(bots)]
        self._links = neighbour_links(seats)

    def next_cycle(self) -> list[tuple[int, ...]]:
        """The order of every line-up, line-ups lexicographic by bot numbers."""
        return [self._place(line_up) for line_up in combinations(range(self._bots), self._seats)]

    def _place(self, line_up: tuple[int, ...]) -> tuple[int, ...]:
        """The line-up's best order, counted."""
        order = self._best_order(line_up)
        for i, j, times in self._links:
            self._left[order[i]][order[j]] += times
        return order

    def _best_order(self, line_up: tuple[int, ...]) -> tuple[int, ...]:
        """The order with the least sum of squared ordered-neighbour counts.

        Up to 5 seats the first member is fixed (turning an order gives the same rows) and the first
        minimum among the permutations of the others, lexicographic, is taken; beyond, the swap scan
        from ascending order.
        """
        if self._seats > SEARCH_ALL_UP_TO:
            return swap_scan(line_up, self._cost)[0]
        first, *others = line_up
        return min(((first, *rest) for rest in permutations(others)), key=self._cost)

    def _cost(self, order: Sequence[int]) -> int:
        """The sum of count * times over the ordered pairs of a line-up.

        The sum of (count + times)^2 is twice this plus the sums of count^2 and of times^2, which are
        the same for every order of a line-up: so both are least at the same orders, ties included.
        """
        left = self._left
        return sum(left[order[i]][order[j]] * times for i, j, times in self._links)
