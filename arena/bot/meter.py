"""What a bot's processes use while they are waited for: processor time, and time in the queue for a core.

Only the difference between two readings says anything. A wall time that was not used up by the two was
spent asleep. Knows no process: it is handed the two clocks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["NO_METER", "UNKNOWN", "Meter", "Used"]


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
