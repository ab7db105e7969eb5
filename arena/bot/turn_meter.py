"""Measures what a bot uses while it has questions: processor time, and waits for a core. Knows no question.

A reading of the meters takes as long as several decisions. So none is made for a bot that answers before
anybody has to wait for it. For the same reason the time before the first reading is told beside what was
measured.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, replace

from arena.bot.core_wait import Reading, waited_us
from arena.linux.run_queue import Threads

__all__ = ["NO_METER", "UNKNOWN", "Meter", "TurnMeter", "Used"]


@dataclass(frozen=True, slots=True)
class Used:
    """What a bot has used, in microseconds. A value is None where it is not known.

    `cpu_us`: processor time. `queued_us`: the time in which it was ready to run and others had its core, see
    `core_wait`.
    """

    cpu_us: int | None = None
    queued_us: int | None = None

    def having_waited(self, queued_us: int) -> Used:
        """Return the same for a bot that is known to have waited for so long at least.

        A wait is measured from below, and the bound may be less after a longer time: then the earlier one
        holds all the same.
        """
        return replace(self, queued_us=queued_us) if (self.queued_us or 0) < queued_us else self


UNKNOWN = Used()
"""Nothing was measured."""


@dataclass(frozen=True, slots=True)
class Meter:
    """The meters of a bot.

    `cpu_us` returns the processor time of all its processes, or None where that is not known. `threads`
    returns its threads, with or without their states: all that are known, or, given numbers of threads and
    seconds, only those of processes that are among these or no older than that. `look` looks for processes
    that are not known yet.
    """

    cpu_us: Callable[[], int | None]
    threads: Callable[[bool, Container[int] | None, float], Threads]
    look: Callable[[], object]

    def read(self, now: float, before: Reading | None = None, *, states: bool = True) -> Reading:
        """Return what the meters show now; beside `before`, without processes that existed then unseen."""
        if before is None:
            return Reading(now, self.cpu_us(), self.threads(states, None, 0.0))
        return Reading(now, self.cpu_us(), self.threads(states, before.threads, now - before.at))


NO_METER = Meter(lambda: None, lambda states, known, seconds: {}, lambda: None)
"""The meter of a bot of which nothing is known."""


class TurnMeter:
    """The meter of one process: for the open batch, and for that question of it for which the clock runs.

    `now` is the time of the caller's clock in seconds.
    """

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._batch_began = 0.0
        self._batch_before: tuple[Reading, int] | None = None
        self._before: Reading | None = None
        self._last: Reading | None = None
        """The last reading, as long as nobody has waited for the bot since."""

    def batch_begins(self, now: float) -> None:
        """Note that a batch begins to be written."""
        self._batch_began = now
        self._batch_before = None

    def clock_begins(self) -> None:
        """Note that the clock begins to run for one of the batch's questions."""
        self._before = self._last = None

    def waiting_begins(self, now: float) -> None:
        """Begin to measure, because the bot is going to be waited for in the event loop.

        That takes long enough to be measured.
        """
        self._last = None
        if self._before is None:
            self._before = self._meter.read(now)
            if self._batch_before is None:
                self._batch_before = self._before, round((now - self._batch_began) * 1e6)

    def of_question(self, now: float) -> Used:
        """Return what was used since the question for which the clock runs was first waited for.

        A wait for a core that has not ended is left out, unless `waited` was called just now.
        """
        before = self._before
        if before is None:
            return UNKNOWN
        self._last = self._last or self._meter.read(now, before, states=False)
        return Used(self._last.cpu_since(before), waited_us(before, self._last))

    def waited(self, now: float) -> float:
        """Return for how many seconds of this question the bot was ready and others had its core.

        All its processes are looked for first, which takes long. It is for the moment when its time is over.
        """
        before = self._before
        if before is None:
            return 0.0
        self._meter.look()
        self._last = self._meter.read(now, before)
        return (waited_us(before, self._last) or 0) / 1e6

    def of_batch(self, now: float) -> tuple[int, int | None, int]:
        """Return what the batch used, as `Watchdog.turn_ends` is told.

        It is (microseconds since the batch was written, the bot's processor time in microseconds, or None
        where that is not known, microseconds that had gone by before that was measured).
        """
        wall_us = round((now - self._batch_began) * 1e6)
        if self._batch_before is None:
            return wall_us, None, 0
        before, unseen_us = self._batch_before
        # Mostly the last question of the batch was closed just now, and its reading still holds.
        cpu_us = self._last.cpu_us if self._last is not None else self._meter.cpu_us()
        return wall_us, Reading(now, cpu_us, {}).cpu_since(before), unseen_us
