"""Runs an event loop in which bots may be waited for outside it (`alarm`). Knows nothing of bots."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import TypeVar, TypeVarTuple

import trio

from arena.linux.alarm import alarm

__all__ = ["run", "then_be_silent"]

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
