"""What a bot uses while questions are open to it: processor time, and waiting for a core. Knows no question.

A reading of the meters takes as long as several decisions, so none is made for a bot that answers before
anybody has to wait for it. Therefore what went by before the first reading is told beside what was measured.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["NO_METER", "UNKNOWN", "Meter", "TurnMeter", "Used"]


@dataclass(frozen=True, slots=True)
class Used:
    """Microseconds of processor time, and those in which a thread was ready to run and had no core (of
    several such threads the sum); None where it is not known."""

    cpu_us: int | None = None
    queued_us: int | None = None

    def since(self, before: Used) -> Used:
        """What was used from that reading to this one."""
        return Used(_more(self.cpu_us, before.cpu_us), _more(self.queued_us, before.queued_us))


UNKNOWN = Used()
"""Nothing was measured."""


@dataclass(frozen=True, slots=True)
class Meter:
    """The two clocks of a bot, each None where it is not known."""

    cpu_us: Callable[[], int | None]
    queued_us: Callable[[], int | None]

    def read(self) -> Used:
        """What both show now."""
        return Used(self.cpu_us(), self.queued_us())


def _more(now: int | None, before: int | None) -> int | None:
    """A thread that has ended takes what it had queued out of the sum: that counts as nothing."""
    return None if now is None or before is None else max(0, now - before)


NO_METER = Meter(lambda: None, lambda: None)
"""Of a bot of which nothing is known."""


class TurnMeter:
    """Of one process: of the batch that is open, and of its question whose clock runs."""

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._batch_began = 0.0
        self._batch_before: tuple[Used, int] | None = None
        self._before: Used | None = None
        self._last: Used | None = None
        """A reading after which nobody has waited for the bot."""

    def batch_begins(self, now: float) -> None:
        """A batch begins to be written."""
        self._batch_began = now
        self._batch_before = None

    def clock_begins(self) -> None:
        """The clock of one of its questions begins to run."""
        self._before = self._last = None

    def waiting_begins(self, now: float) -> None:
        """The bot is going to be waited for in the event loop, which takes long enough to be measured."""
        self._last = None
        if self._before is None:
            self._before = self._meter.read()
            if self._batch_before is None:
                self._batch_before = self._before, round((now - self._batch_began) * 1e6)

    def of_question(self) -> Used:
        """Return what was used since the question whose clock runs was first waited for."""
        if self._before is None:
            return UNKNOWN
        self._last = self._meter.read()
        return self._last.since(self._before)

    def of_batch(self, now: float) -> tuple[int, int | None, int]:
        """Of the batch, as `Watchdog.turn_ends` is told: microseconds since it was written, the bot's
        processor time, where known, and what had gone by before that was measured."""
        wall_us = round((now - self._batch_began) * 1e6)
        if self._batch_before is None:
            return wall_us, None, 0
        before, unseen_us = self._batch_before
        used = self._last or self._meter.read()  # mostly its last question was closed just now
        return wall_us, used.since(before).cpu_us, unseen_us
