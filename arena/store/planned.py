"""Numbers that follow from the schedule of a season. Knows neither SQL nor how the schedule is made."""

from __future__ import annotations

from dataclasses import dataclass

from arena.store.views import MatchSlot

__all__ = ["Sizes"]


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many sessions a cycle has, and how many matches a session, in one season."""

    sessions_per_cycle: int
    matches_per_session: int

    def match_number(self, slot: MatchSlot) -> int:
        """The number of a match, from 1: its place in the schedule, whatever is played first.

        `slot`: (cycle, index, order). ValueError for a place that the season does not have.
        """
        cycle, index, order = slot
        if cycle < 0 or not 0 <= index < self.sessions_per_cycle or not 0 <= order < self.matches_per_session:
            raise ValueError(
                f"there is no match (cycle {cycle}, index {index}, order {order}) where a cycle has "
                f"{self.sessions_per_cycle} sessions of {self.matches_per_session} matches"
            )
        return (cycle * self.sessions_per_cycle + index) * self.matches_per_session + order + 1
