"""Chooses the line-ups of a cycle and their orders: a planner for each kind of schedule.

All line-ups (`CompletePlanner`), as many as bots (`CyclicPlanner`), the two of a duel (`DuelPlanner`),
candidates in turn (`GauntletPlanner`). They give the orders of one cycle after another, and know neither
the secret of the deals nor what has been played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from functools import lru_cache
from itertools import combinations, permutations
from math import comb

from arena.deals.draws import Draws
from arena.schedule.seating import duel_pattern, neighbour_links

SEARCH_ALL_UP_TO = 5
"""The seats up to which every order of a line-up is tried: 24 orders for 5 seats, but 5,040 for 8."""

TRY_ALL_UP_TO = 800
"""The number of base line-ups up to which all are candidates."""

DRAWN_CANDIDATES = 400
"""The number of candidates drawn where there are more."""

STARTS = 30
STARTS_OF_MANY = 4
MANY_BOTS = 12
"""The search for an order starts 30 times. With more than 12 bots it starts 4 times, which is enough then."""

DUEL_SESSIONS = 2
"""The sessions of a cycle of a duel: one of alternating bots and one of pairs."""

Counts = tuple[tuple[int, int], ...]
"""Differences of residues, each with how often it occurs."""

LEAST_SESSIONS = 8
"""The fewest sessions of a cycle. Looks come after whole cycles, and there referees wait for each other."""


class EvenOrders:
    """Gives each line-up the order that evens out who sits next to whom, and counts it.

    It keeps the neighbour counts of all line-ups that it was given; bots are numbered 0, 1, ... below `bots`.
    """

    def __init__(self, bots: int, seats: int) -> None:
        self._seats = seats
        self._left = [[0] * bots for _ in range(bots)]
        self._links = neighbour_links(seats)

    def place(self, line_up: Sequence[int]) -> tuple[int, ...]:
        """Return the line-up's best order, and count it."""
        order = self._best_order(line_up)
        for i, j, times in self._links:
            self._left[order[i]][order[j]] += times
        return order

    def _best_order(self, line_up: Sequence[int]) -> tuple[int, ...]:
        """Return the order with the least sum of squared ordered-neighbour counts.

        Up to 5 seats the first member stays first (turning an order gives the same rows), and the first
        minimum among the permutations of the others is taken, lexicographic by their places in `line_up`.
        With more seats it is the swap scan from `line_up`.
        """
        if self._seats > SEARCH_ALL_UP_TO:
            return swap_scan(line_up, self._cost)[0]
        first, *others = line_up
        return min(((first, *rest) for rest in permutations(others)), key=self._cost)

    def _cost(self, order: Sequence[int]) -> int:
        """Return the sum of count * times over the ordered pairs of a line-up.

        The sum of (count + times)^2 is twice this plus the sums of count^2 and of times^2, which are the
        same for every order of a line-up. So both are least at the same orders, ties included.
        """
        left = self._left
        return sum(left[order[i]][order[j]] * times for i, j, times in self._links)


class CompletePlanner:
    """Plans "all": every line-up once a cycle, each in the order that evens out who sits next to whom.

    The neighbour counts go on from cycle to cycle. Lexicographic orders alone leave a spread of 40 between
    the ordered neighbours after one cycle of 8 bots on 5 seats; the greedy choice made here leaves 5.
    """

    def __init__(self, bots: int, seats: int) -> None:
        self._bots = bots
        self._seats = seats
        self._orders = EvenOrders(bots, seats)

    def next_cycle(self) -> list[tuple[int, ...]]:
        """Return the order of every line-up, line-ups lexicographic by bot numbers."""
        return [self._orders.place(line_up) for line_up in combinations(range(self._bots), self._seats)]


class CyclicPlanner:
    """Plans "balanced": N sessions a cycle, the translations of one line-up on the circle of N residues.

    Every bot plays equally often in each cycle by construction. How often two bots meet depends only on the
    difference of their residues, so evening out N - 1 numbers evens out all pairs (a cyclic difference
    design). The differences are directed, because folding d with N - d counts N/2 wrongly when N is even.

    `text`: the beginning of the text of each draw. Which bot holds which residue is drawn once for the
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
        """Return the orders of the N translations of the cycle's base line-up, by ascending translation."""
        block = self._next_block()
        _add(self._meetings, _differences(block, self._bots))
        self._used[self._translation_class(block)] += 1
        order = self._best_order(block)
        _add(self._left, self._neighbours(order).items())
        self._cycle += 1
        bots = self._bots
        return [tuple(self._holders[(residue + s) % bots] for residue in order) for s in range(bots)]

    def copy(self) -> CyclicPlanner:
        """Return a planner that goes on with the same counts, apart from this one."""
        other = copy(self)
        other._meetings, other._left, other._used = self._meetings[:], self._left[:], self._used.copy()
        return other

    def _next_block(self) -> tuple[int, ...]:
        """Return the candidate that evens out the meetings best.

        That is the least sum of squared meeting counts over the differences; among these the line-up least
        used so far, translations being the same line-up; among these one draw, in the candidates' order.
        """
        draws = Draws(f"{self._text}|block|{self._cycle}")
        best = self._most_even(draws)
        if self._used:
            uses = [self._used[self._translation_class(block)] for block in best]
            fewest = min(uses)
            best = [block for block, count in zip(best, uses, strict=True) if count == fewest]
        return best[draws.below(len(best))]

    def _most_even(self, draws: Draws) -> list[tuple[int, ...]]:
        """Return the candidates with the least sum of squared meeting counts.

        Candidates are residue 0 with k-1 others, ascending: all such, or where these are over 800, 400 drawn.
        """
        size = self._seats - 1
        if comb(self._bots - 1, size) > TRY_ALL_UP_TO:
            # numpy takes a tenth of a second to load, so only what needs it does.
            from arena.schedule.drawn import most_even_drawn

            return most_even_drawn(draws, DRAWN_CANDIDATES, self._meetings, size)
        candidates = [(0, *rest) for rest in combinations(range(1, self._bots), size)]
        costs = [_rise(self._meetings, _differences(block, self._bots)) for block in candidates]
        least = min(costs)
        return [block for block, cost in zip(candidates, costs, strict=True) if cost == least]

    def _best_order(self, block: tuple[int, ...]) -> tuple[int, ...]:
        """Return the order with the least sum of squared ordered-neighbour counts over the differences.

        Each start shuffles the ascending line-up afresh and improves it by swaps; the first best one wins.
        """
        draws = Draws(f"{self._text}|order|{self._cycle}")
        starts = STARTS_OF_MANY if self._bots > MANY_BOTS else STARTS
        known: dict[tuple[int, ...], int] = {}  # small line-ups have few orders, which the scans meet again

        def cost(order: Sequence[int]) -> int:
            key = tuple(order)
            if key not in known:
                known[key] = _rise(self._left, self._neighbours(order).items())
            return known[key]

        found = [swap_scan(draws.shuffled(block), cost) for _ in range(starts)]
        return min(found, key=lambda order_and_cost: order_and_cost[1])[0]

    def _neighbours(self, order: Sequence[int]) -> dict[int, int]:
        """Count, over all rows of an order, how often the left neighbour of a bot is at each difference."""
        times: dict[int, int] = {}
        for i, j, count in self._links:
            difference = (order[j] - order[i]) % self._bots
            times[difference] = times.get(difference, 0) + count
        return times

    def _translation_class(self, block: Sequence[int]) -> tuple[int, ...]:
        """Return the same tuple for all translations of a line-up: the least of them that holds residue 0."""
        return min(tuple(sorted((b - a) % self._bots for b in block)) for a in block)


@lru_cache(maxsize=4096)  # a field that changes is planned anew, with the same candidates
def _differences(block: tuple[int, ...], bots: int) -> Counts:
    """Count how often each difference occurs between two of a line-up, in both directions."""
    return tuple(Counter((b - a) % bots for a, b in permutations(block, 2)).items())


def _rise(counts: Sequence[int], added: Iterable[tuple[int, int]]) -> int:
    """Return by how much the sum of squared counts would grow: (c + n)^2 - c^2 = n (2c + n)."""
    return sum([n * (2 * counts[difference] + n) for difference, n in added])


def _add(counts: list[int], added: Iterable[tuple[int, int]]) -> None:
    for difference, n in added:
        counts[difference] += n


class DuelPlanner:
    """Plans a duel: two bots share all seats of a table, in a pattern and its complement.

    Every cycle is the same. It gives the seats of the first match of each session.
    """

    def __init__(self, seats: int) -> None:
        self._seats = seats

    def next_cycle(self) -> list[tuple[int, ...]]:
        """Return the patterns of a cycle, in the order in which they are played."""
        return [duel_pattern(self._seats, index) for index in range(DUEL_SESSIONS)]


class GauntletPlanner:
    """Plans a gauntlet: every candidate in turn takes the same seat against the same opponents.

    An order has the candidates first, then the opponents. Each opponent sits in equally many sessions of a
    cycle. Otherwise line-ups and orders are drawn anew in each cycle: every candidate meets the same
    opponents, so these cancel in the comparison. `text`: the beginning of the text of each draw.
    """

    def __init__(self, candidates: Sequence[int], opponents: Sequence[int], seats: int, text: str) -> None:
        self._candidates = tuple(candidates)
        self._opponents = tuple(opponents)
        self._seats = seats
        self._text = text
        self._cycle = 0

    def next_cycle(self) -> list[tuple[int, ...]]:
        """Return the orders of a cycle, from circles of all opponents, each drawn anew.

        Every k - 1 opponents that stand side by side in a circle make a session. If there are just k - 1
        opponents, each circle gives one session.
        """
        draws = Draws(f"{self._text}|gauntlet|{self._cycle}")
        self._cycle += 1
        turns, size = turns_of(len(self._opponents), self._seats), self._seats - 1
        orders: list[tuple[int, ...]] = []
        while len(orders) < gauntlet_sessions(len(self._opponents), self._seats):
            circle = draws.shuffled(self._opponents)
            twice = circle + circle
            orders += [(*self._candidates, *twice[place : place + size]) for place in range(turns)]
        return orders


def turns_of(opponents: int, seats: int) -> int:
    """Return the sessions that one circle of opponents gives."""
    return 1 if opponents == seats - 1 else opponents


def gauntlet_sessions(opponents: int, seats: int) -> int:
    """Return the sessions of the fewest whole circles that make at least 8."""
    turns = turns_of(opponents, seats)
    return -(-LEAST_SESSIONS // turns) * turns


def swap_scan(start: Sequence[int], cost: Callable[[Sequence[int]], int]) -> tuple[tuple[int, ...], int]:
    """Return the order reached from `start`, and its cost.

    A scan tries the swaps of places i < j lexicographically, keeps each that makes the cost strictly lower,
    and continues from there. Scans are repeated until one changes nothing. Whole-number costs make this
    exact, so every implementation reaches the same order.
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
