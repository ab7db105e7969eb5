"""The schedule of a duel: two bots that share all seats of a table, in a pattern and its complement.

It knows nothing of larger fields: no line-ups are to be chosen and no neighbours to be evened out.
"""

from __future__ import annotations

from arena.schedule.seating import duel_pattern

SESSIONS_PER_CYCLE = 2
"""One of alternating bots and one of pairs."""


class DuelPlanner:
    """Gives the seats of the first match of each session; every cycle is the same."""

    def __init__(self, seats: int) -> None:
        self._seats = seats

    def next_cycle(self) -> list[tuple[int, ...]]:
        """The patterns of a cycle, in the order in which they are played."""
        return [duel_pattern(self._seats, index) for index in range(SESSIONS_PER_CYCLE)]
