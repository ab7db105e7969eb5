"""A schedule: the sessions of a season, cycle by cycle, and the numbers of their matches.

It is a closed season's `Plan` or an open season's `OpenPlan`. What is here plans nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self

from arena.schedule.seating import Session


class Schedule(ABC):
    """The sessions of a season, cycle by cycle. Cycles, sessions of a cycle and seat orders count from 0."""

    @property
    @abstractmethod
    def matches_per_session(self) -> int:
        """Return the number of matches of every session."""

    @abstractmethod
    def cycle(self, number: int) -> tuple[Session, ...]:
        """Return the sessions of a cycle, in the order in which they are to be played.

        Raises ValueError for a negative number.
        """

    @abstractmethod
    def present(self, cycle: int) -> tuple[int, ...]:
        """Return the numbers of those in the field in a cycle, ascending."""

    @abstractmethod
    def sessions_in(self, cycle: int) -> int:
        """Return the number of sessions of a cycle; 0 where nothing can be played."""

    @abstractmethod
    def sessions_before(self, cycles: int) -> int:
        """Return the number of sessions of the first `cycles` cycles."""

    @abstractmethod
    def first_difference(self, other: Self) -> int | None:
        """Return the first cycle that another schedule of the season plays otherwise, None without one."""

    def first_match(self, cycle: int) -> int:
        """Return the number of the first match of a cycle, from 1, through the season."""
        return 1 + self.sessions_before(cycle) * self.matches_per_session

    def match_number(self, cycle: int, index: int, order: int) -> int:
        """Return the number, from 1, of seat order `order` of session `index` of `cycle`.

        It follows from the schedule alone, so a match has its number before it is played, in whatever order
        matches are stored. Raises ValueError for a place that the schedule does not have.
        """
        sessions, matches = self.sessions_in(cycle) if cycle >= 0 else 0, self.matches_per_session
        if not 0 <= index < sessions or not 0 <= order < matches:
            raise ValueError(
                f"no match at cycle {cycle}, session {index}, seat order {order}: expected a session below "
                f"{sessions} and a seat order below {matches}, all from 0"
            )
        return self.first_match(cycle) + index * matches + order
