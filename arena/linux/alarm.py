"""Ends a blocking read that takes too long, at no cost to one that does not. Linux, main thread only.

Waiting for the answer of a quick bot with a timeout of its own (poll, select) arms and takes back a timer
each time, and asks the kernel once more than a plain read; both together take longer than anything else in a
question and its answer. Here a periodic signal does it: its handler makes the descriptor non-blocking, so the
interrupted read is repeated (PEP 475) and finds nothing. Nothing that was read can be lost that way, and a
signal that comes a moment too early or too late costs a look or one more period.

`run` starts an event loop whose tasks may use the alarm. Knows nothing of bots.
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

__all__ = ["PERIOD_MS", "Alarm", "alarm", "run", "then_be_silent"]

PERIOD_MS: Final = 4
"""Milliseconds from one signal to the next: a read blocks for two of them at most."""

_read: Final = os.read  # bound once, as in `channel`

_UNHEARD: Final = 5
"""Periods in a row without a read after which it falls silent."""


class Alarm:
    """One a process, `alarm`. It rings from the first `read` until nothing has been read for a while."""

    def __init__(self) -> None:
        self._reading = -1
        self._rings = False
        self._unheard = 0
        atexit.register(self._end)

    def read(self, descriptor: int, size: int) -> bytes:
        """Read from a blocking descriptor, which only this process reads.

        BlockingIOError when nothing has come for a while; then the descriptor is non-blocking.
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
        """Whether it can ring for the calling thread."""
        return threading.current_thread() is threading.main_thread()

    def _begin(self) -> None:
        self._rings = True
        signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, PERIOD_MS / 1000, PERIOD_MS / 1000)

    def _ring(self, _number: int, _frame: FrameType | None) -> None:
        if self._reading >= 0:
            self._unheard = 0
            os.set_blocking(self._reading, False)
            return
        self._unheard += 1
        if self._unheard >= _UNHEARD:
            self._unheard = 0
            self.rest()

    def rest(self) -> None:
        """Ring no more until the next `read`."""
        if self._rings:
            self._rings = False
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _end(self) -> None:
        """Nobody handles the signal while the interpreter ends, and unhandled it is deadly. Not before: what
        is ignored stays so in every process that is started."""
        if self._rings:
            self.rest()
            signal.signal(signal.SIGALRM, signal.SIG_IGN)


alarm: Final = Alarm()
"""The one of this process: there is one such timer."""


T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class _Clock(trio.abc.Clock):
    """As trio's own, but the counter itself: every decision asks twice, and a function in Python that
    adds a number to it takes several times as long."""

    current_time = staticmethod(time.perf_counter)

    def start_clock(self) -> None:
        """It runs already."""

    def deadline_to_sleep_time(self, deadline: float) -> float:
        """Seconds until then."""
        return deadline - time.perf_counter()


async def then_be_silent(work: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> T:
    """The whole of a loop's work: it does `work`, and the alarm is silent before the loop ends. A signal
    while the loop closes what it is woken by would be complained about on standard error."""
    try:
        return await work(*args)
    finally:
        alarm.rest()


def run(work: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> T:
    """`trio.run` for what waits for bots."""
    return trio.run(then_be_silent, work, *args, clock=_Clock())
