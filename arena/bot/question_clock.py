"""The clock of an open question, and what becomes of it when the referee itself was late. Pure.

Whoever waits for an answer tells it by how much the deadline was found passed; it says whether that is
the bot's or ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["LATE_LOOP", "LEAST_EXTENSION", "Lateness", "QuestionClock"]

LATE_LOOP: Final = 0.010
"""Seconds by which the referee may find a deadline passed before it counts as late itself."""
LEAST_EXTENSION: Final = 0.050
"""Seconds that a bot gets at least when the referee was late."""


@dataclass(slots=True)
class Lateness:
    """How often deadlines were moved because the referee was late, and its worst lateness in seconds."""

    count: int = 0
    worst: float = 0.0

    def add(self, seconds: float) -> None:
        """Note one moved deadline."""
        self.count += 1
        self.worst = max(self.worst, seconds)


@dataclass(slots=True)
class QuestionClock:
    """Times in seconds. `ours`: how much of the time since `started` the referee itself was late."""

    started: float
    deadline: float
    lateness: Lateness
    ours: float = 0.0
    _moved: bool = False

    def found(self, late: float) -> None:
        """An answer was found that much after the deadline (below 0: before it)."""
        if late > LATE_LOOP:
            self.lateness.add(late)  # it may have been there in time: the last look decides
            self.ours += late

    def is_over(self, late: float) -> bool:
        """Nothing was found. Whether the time is over; if not, `deadline` may have moved."""
        if late < 0:
            return False
        if late <= LATE_LOOP or self._moved:
            return True
        self._moved = True
        self.lateness.add(late)
        self.ours += late
        self.deadline += max(late, LEAST_EXTENSION) + late
        return False
