"""The clock of an open question, which charges no bot for the referee's lateness. Pure: it reads no time.

Whoever waits for an answer tells the clock by how much the deadline was found passed. The clock says whether
that is the bot's time or the referee's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["LATE_LOOP", "LEAST_EXTENSION", "Lateness", "QuestionClock"]

LATE_LOOP: Final = 0.010
"""The seconds by which the referee may find a deadline passed without counting as late itself."""
LEAST_EXTENSION: Final = 0.050
"""The least seconds that a bot gets when the referee was late."""


@dataclass(slots=True)
class Lateness:
    """The number of times that the referee was late in a match, and its worst lateness in seconds."""

    count: int = 0
    worst: float = 0.0

    def add(self, seconds: float) -> None:
        """Note that the referee was late once, by so many seconds."""
        self.count += 1
        self.worst = max(self.worst, seconds)


@dataclass(slots=True)
class QuestionClock:
    """The clock of one question. All times are in seconds.

    `ours`: the part of the time since `started` in which the referee itself was late.
    """

    started: float
    deadline: float
    lateness: Lateness
    ours: float = 0.0
    _moved: bool = False

    def found(self, late: float) -> None:
        """Note that an answer was found `late` seconds after the deadline; below 0 is before it."""
        # The answer may have been there in time while the referee did not look. Nobody can tell, so it
        # stands, and the time since the deadline counts as the referee's.
        if late > LATE_LOOP:
            self.lateness.add(late)
            self.ours += late

    def is_over(self, late: float) -> bool:
        """Return whether the time is over, when nothing was found `late` seconds after the deadline.

        `late` below 0 is before the deadline. If the time is not over, `deadline` may have moved.
        """
        if late < 0:
            return False
        # It moves only once: a referee that is late every time would wait for a silent bot for ever.
        if late <= LATE_LOOP or self._moved:
            return True
        self._moved = True
        self.lateness.add(late)
        self.ours += late
        # `late` leads to this moment, and from here the bot has as much again, but LEAST_EXTENSION at least.
        self.deadline += max(late, LEAST_EXTENSION) + late
        return False
