"""What a bot uses while questions are open to it: processor time, and waiting for a core. Knows no question.

A reading of the meters takes as long as several decisions, so none is made for a bot that answers before
anybody has to wait for it. Therefore what went by before the first reading is told beside what was measured.
"""

from __future__ import annotations

from arena.bot.watchdog import UNKNOWN, Meter, Used

__all__ = ["TurnMeter"]


class TurnMeter:
    """Of one process: of the batch that is open, and of its question whose clock runs."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._batch_began = 0.0
        self._batch_before: tuple[Used, int] | None = None
        self._began = 0.0
        self._before: tuple[Used, int] | None = None
        self._last: Used | None = None
        """A reading after which nobody has waited for the bot."""

    def batch_begins(self, now: float) -> None:
        """A batch begins to be written."""
        self._batch_began = now
        self._batch_before = None

    def clock_begins(self, now: float) -> None:
        """The clock of one of its questions begins to run."""
        self._began = now
        self._before = self._last = None

    def waiting_begins(self, now: float) -> None:
        """The bot is going to be waited for in the event loop, which takes long enough to be measured."""
        self._last = None
        if self._before is None:
            used = self._meter.read()
            self._before = used, round((now - self._began) * 1e6)
            if self._batch_before is None:
                self._batch_before = used, round((now - self._batch_began) * 1e6)

    def of_question(self) -> tuple[Used, int]:
        """Of the question whose clock runs, until now: what was used since it was first waited for, and the
        microseconds until then."""
        if self._before is None:
            return UNKNOWN, 0
        before, unseen_us = self._before
        self._last = self._meter.read()
        return self._last.since(before), unseen_us

    def of_batch(self, now: float) -> tuple[int, int | None, int]:
        """Of the batch, as `Watchdog.turn_ends` is told: microseconds since it was written, the bot's
        processor time, where known, and what had gone by before that was measured."""
        wall_us = round((now - self._batch_began) * 1e6)
        if self._batch_before is None:
            return wall_us, None, 0
        before, unseen_us = self._batch_before
        used = self._last or self._meter.read()  # mostly its last question was closed just now
        return wall_us, used.since(before).cpu_us, unseen_us
