"""Ends a blocking read that takes too long, at no cost to a read that does not. Linux, main thread only.

Waiting for the answer of a quick bot with a timeout of its own (poll, select) sets and cancels a timer
each time, and asks the kernel once more than a plain read. Both together take longer than anything else in a
question and its answer. Here a periodic signal does it: its handler makes the descriptor non-blocking, so the
interrupted read is repeated (PEP 475) and finds nothing. Nothing that was read can be lost that way. A
signal that comes a moment too early or too late costs one look or one more period.

`run` starts an event loop whose tasks may use the alarm. This module must not know bots.
"""

from __future__ import annotations

import atexit
import os
import signal
import threading
import time
from collections.abc import Awaitable, Callable
from types import FrameType
from typing import Final, TypeVar, TypeVarTuple

import trio

PERIOD_MS: Final = 4
"""Milliseconds from one signal to the next. A read blocks for two periods at most."""

_read: Final = os.read  # bound once, as in `channel`

_UNHEARD: Final = 5
"""Periods in a row without a read after which the alarm falls silent."""


class Alarm:
    """The alarm of this process, `alarm`.

    It rings from the first `read` until nothing has been read for a while.
    """

    def __init__(self) -> None:
        self._reading = -1
        self._rings = False
        self._unheard = 0
        atexit.register(self._end)

    def read(self, descriptor: int, size: int) -> bytes:
        """Read from a blocking descriptor, which only this process reads.

        Raises BlockingIOError when nothing has come for a while. The descriptor is non-blocking then.
        """
        if not self._rings:
            self._begin()
        self._reading = descriptor
        try:
            return _read(descriptor, size)
        finally:
            self._reading = -1

    @property
    def here(self) -> bool:
        """True where the alarm can ring for the calling thread.

        Python runs signal handlers in the main thread only.
        """
        return threading.current_thread() is threading.main_thread()

    def _begin(self) -> None:
        self._rings = True
        signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, PERIOD_MS / 1000, PERIOD_MS / 1000)

    def _ring(self, _number: int, _frame: FrameType | None) -> None:
        if self._reading >= 0:
            self._unheard = 0
            # Raising an exception here could lose bytes that the read has already taken.
            os.set_blocking(self._reading, False)
            return
        self._unheard += 1
        # A signal that nobody needs would only wake the process.
        if self._unheard >= _UNHEARD:
            self._unheard = 0
            self.rest()

    def rest(self) -> None:
        """Stop ringing until the next `read`."""
        if self._rings:
            self._rings = False
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _end(self) -> None:
        """Stop for good while the interpreter ends.

        Nobody handles the signal then, and unhandled it ends the process. So it is ignored, but only now: an
        ignored signal stays ignored in every process that is started.
        """
        if self._rings:
            self.rest()
            signal.signal(signal.SIGALRM, signal.SIG_IGN)


alarm: Final = Alarm()
"""The only alarm: a process has one such timer."""


T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class _Clock(trio.abc.Clock):
    """The clock of the event loop: like trio's own, but the counter itself.

    Every decision asks for the time twice, and a Python function that adds a number to the counter takes
    several times as long.
    """

    current_time = staticmethod(time.perf_counter)

    def start_clock(self) -> None:
        """Do nothing: the counter runs already."""

    def deadline_to_sleep_time(self, deadline: float) -> float:
        """Return the seconds until `deadline`."""
        return deadline - time.perf_counter()


async def then_be_silent(work: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> T:
    """Do the whole `work` of an event loop, and silence the alarm before the loop ends.

    The loop would complain on standard error about a signal that comes while it closes its wakeup descriptor.
    """
    try:
        return await work(*args)
    finally:
        alarm.rest()


def run(work: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> T:
    """Run `work` in an event loop, as `trio.run` does, with the alarm and a clock that is cheap to read."""
    return trio.run(then_be_silent, work, *args, clock=_Clock())
