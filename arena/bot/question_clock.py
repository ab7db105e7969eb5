"""The clock of an open question, which charges no bot for a late referee or a busy core.

Whoever waits for an answer tells the clock by how much the deadline was found passed, and how long the bot
had no core. The clock says whose time that is. Pure: it reads no time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["LATE_LOOP", "LEAST_EXTENSION", "LEAST_WAIT", "WAITED_SHARE", "Lateness", "QuestionClock"]

LATE_LOOP: Final = 0.010
"""The seconds by which the referee may find a deadline passed without counting as late itself."""
LEAST_EXTENSION: Final = 0.050
"""The least seconds that a bot gets when the referee was late."""
WAITED_SHARE: Final = 0.10
"""The share of its question's time that a bot may wait for a core without getting more time."""
LEAST_WAIT: Final = 0.010
"""The seconds that count as no wait at all: the kernel adds up some of its times only every so often."""


@dataclass(slots=True)
class Lateness:
    """The number of times that the referee was late in a match, and its worst lateness in seconds.

    `grace`: the most seconds by which a deadline of the match moves for a bot that had no core.
    """

    count: int = 0
    worst: float = 0.0
    grace: float = 0.0

    def add(self, seconds: float) -> None:
        """Note that the referee was late once, by so many seconds."""
        self.count += 1
        self.worst = max(self.worst, seconds)


@dataclass(slots=True)
class QuestionClock:
    """The clock of one question. All times are in seconds.

    `ours`: the part of the time since `started` in which the referee itself was late. `extended`: by how much
    the deadline moved because the bot had no core.
    """

    started: float
    deadline: float
    lateness: Lateness
    ours: float = 0.0
    extended: float = 0.0
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

    @property
    def may_extend(self) -> bool:
        """Return whether the deadline may still move because the bot had no core."""
        return not self.extended and self.lateness.grace > 0

    def extend(self, waited: float, now: float) -> bool:
        """Move the deadline, which has come at the time `now`, if the bot had no core for too long.

        `waited`: for how many seconds it was ready and others had its core. Returns whether it moved. It
        moves by as much, but by no more than `grace`, and only once.
        """
        if waited <= max(LEAST_WAIT, WAITED_SHARE * (now - self.started)):
            return False
        # The bot gets all of it from now on, however late the deadline was found passed.
        self.ours += now - self.deadline
        self.extended = min(waited, self.lateness.grace)
        self.deadline = now + self.extended
        return True
