"""The schedule of a gauntlet: every candidate in turn takes the same seat against the same opponents.

It only chooses which opponents sit together and in which order; whoever wins is not its matter.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.deals.draws import Draws

LEAST_SESSIONS = 8
"""Sessions of a cycle, at least: looks come after whole cycles, and referees wait for each other there."""


class GauntletPlanner:
    """Makes the orders of one cycle after another: the candidates first, then the opponents.

    Each opponent sits in equally many sessions of a cycle. Beyond that line-ups and orders are drawn
    anew in each cycle: whom they meet is the same for every candidate, and so cancels out of what
    is asked. `text` is how the text of each draw begins.
    """

    def __init__(self, candidates: Sequence[int], opponents: Sequence[int], seats: int, text: str) -> None:
        self._candidates = tuple(candidates)
        self._opponents = tuple(opponents)
        self._seats = seats
        self._text = text
        self._cycle = 0

    def next_cycle(self) -> list[tuple[int, ...]]:
        """Circles of all opponents, each drawn anew; every k - 1 that stand beside one another are a session.

        Where there are just k - 1 opponents, each circle gives one session.
        """
        draws = Draws(f"{self._text}|gauntlet|{self._cycle}")
        self._cycle += 1
        turns, size = turns_of(len(self._opponents), self._seats), self._seats - 1
        orders: list[tuple[int, ...]] = []
        while len(orders) < sessions_per_cycle(len(self._opponents), self._seats):
            circle = draws.shuffled(self._opponents)
            twice = circle + circle
            orders += [(*self._candidates, *twice[place : place + size]) for place in range(turns)]
        return orders


def turns_of(opponents: int, seats: int) -> int:
    """Sessions that one circle of opponents gives."""
    return 1 if opponents == seats - 1 else opponents


def sessions_per_cycle(opponents: int, seats: int) -> int:
    """The fewest whole circles that make 8 sessions."""
    turns = turns_of(opponents, seats)
    return -(-LEAST_SESSIONS // turns) * turns
