"""What is read of a schedule of either kind: a closed season's `Plan` or an open season's `OpenPlan`.

It names methods and plans nothing.
"""

from __future__ import annotations

from typing import Protocol, Self

from arena.schedule.seating import Session

__all__ = ["Schedule"]


class Schedule(Protocol):
    """The sessions of a season, cycle by cycle. Cycles, sessions of a cycle and seat orders count from 0."""

    @property
    def matches_per_session(self) -> int:
        """Return the number of matches of every session."""
        ...

    def cycle(self, number: int) -> tuple[Session, ...]:
        """Return the sessions of a cycle, in the order in which they are to be played."""
        ...

    def present(self, cycle: int) -> tuple[int, ...]:
        """Return the numbers of those in the field in a cycle, ascending."""
        ...

    def sessions_in(self, cycle: int) -> int:
        """Return the number of sessions of a cycle; 0 where nothing can be played."""
        ...

    def sessions_before(self, cycles: int) -> int:
        """Return the number of sessions of the first `cycles` cycles."""
        ...

    def first_match(self, cycle: int) -> int:
        """Return the number of the first match of a cycle, from 1."""
        ...

    def match_number(self, cycle: int, index: int, order: int) -> int:
        """Return the number, from 1, of seat order `order` of session `index` of `cycle`.

        Raises ValueError for a place that the schedule does not have.
        """
        ...

    def first_difference(self, other: Self) -> int | None:
        """Return the first cycle that another schedule of the season plays otherwise, None without one."""
        ...
