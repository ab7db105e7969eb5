"""The time that counts for a build: without that in which other programs had its core. Pure: reads nothing.

Builds give way to matches, so on a busy machine a build may get a tenth of a core or less. That is not its
doing: while others have its core, only its own processor time counts. A build that nobody can get a core for
must end too, so its time is also over after `MOST_TIMES` times as long by the clock on the wall.
"""

from __future__ import annotations

from arena.bot.core_wait import Reading, waited_us
from arena.bot.question_clock import WAITED_SHARE

__all__ = ["MOST_TIMES", "BuildClock"]

MOST_TIMES = 10
"""The longest time of a build by the clock on the wall, as a multiple of the time that it may take."""


class BuildClock:
    """The clock of one build, which may take `seconds` and began at `began`, in seconds of any clock."""

    def __init__(self, seconds: float, began: float) -> None:
        self._seconds = seconds
        self._began = began
        self._before = Reading(began, 0, {})
        self._spent = 0.0

    def take(self, reading: Reading) -> None:
        """Add what has gone by since the reading before."""
        before, self._before = self._before, reading
        wall = reading.at - before.at
        waited, used_us = waited_us(before, reading), reading.cpu_since(before)
        # As for a question: a short wait for a core is part of every program's life.
        if waited is None or used_us is None or waited <= WAITED_SHARE * wall * 1e6:
            self._spent += wall
        else:
            self._spent += min(wall, used_us / 1e6)

    def left(self, now: float) -> float:
        """Return after how many seconds the time can be over at the earliest; 0 if it is over."""
        counted = self._seconds - self._spent - (now - self._before.at)
        most = MOST_TIMES * self._seconds - (now - self._began)
        return max(0.0, min(counted, most))

    @property
    def is_over(self) -> bool:
        """Return whether the time was over at the last reading."""
        return self._spent >= self._seconds or self._before.at - self._began >= MOST_TIMES * self._seconds

    @property
    def why(self) -> str:
        """Return in words that the build was not done in its time."""
        if self._spent >= self._seconds:
            return f"not done within {self._seconds:g} s"
        most = f"{MOST_TIMES * self._seconds:g} s"
        return f"not done within {most}, {MOST_TIMES} times its time, for other programs had its core"
