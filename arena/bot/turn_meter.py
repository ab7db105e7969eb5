"""Measures what a bot uses while it has questions: processor time, and waits for a core. Knows no question.

A reading of the meters takes as long as several decisions. So none is made for a bot that answers before
anybody has to wait for it. For the same reason the time before the first reading is told beside what was
measured.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["NO_METER", "UNKNOWN", "Meter", "TurnMeter", "Used"]


@dataclass(frozen=True, slots=True)
class Used:
    """What a bot has used, in microseconds. A value is None where it is not known.

    `cpu_us`: processor time. `queued_us`: the time in which a thread was ready to run and had no core, summed
    over such threads.
    """

    cpu_us: int | None = None
    queued_us: int | None = None

    def since(self, before: Used) -> Used:
        """Return what was used from the reading `before` to this one."""
        return Used(_more(self.cpu_us, before.cpu_us), _more(self.queued_us, before.queued_us))


UNKNOWN = Used()
"""Nothing was measured."""


@dataclass(frozen=True, slots=True)
class Meter:
    """The two clocks of a bot. Each returns None where it is not known."""

    cpu_us: Callable[[], int | None]
    queued_us: Callable[[], int | None]

    def read(self) -> Used:
        """Return what both clocks show now."""
        return Used(self.cpu_us(), self.queued_us())


def _more(now: int | None, before: int | None) -> int | None:
    """Return by how much a clock has grown, or None where that is not known.

    A thread that has ended takes what it had queued out of the sum, which is then smaller than before. That
    counts as 0.
    """
    return None if now is None or before is None else max(0, now - before)


NO_METER = Meter(lambda: None, lambda: None)
"""The meter of a bot of which nothing is known."""


class TurnMeter:
    """The meter of one process: for the open batch, and for that question of it for which the clock runs."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._batch_began = 0.0
        self._batch_before: tuple[Used, int] | None = None
        self._before: Used | None = None
        self._last: Used | None = None
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
            self._before = self._meter.read()
            if self._batch_before is None:
                self._batch_before = self._before, round((now - self._batch_began) * 1e6)

    def of_question(self) -> Used:
        """Return what was used since the question for which the clock runs was first waited for."""
        if self._before is None:
            return UNKNOWN
        self._last = self._meter.read()
        return self._last.since(self._before)

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
        used = self._last or self._meter.read()
        return wall_us, used.since(before).cpu_us, unseen_us
