"""Runs an event loop in which bots may be waited for outside it (`alarm`). Knows nothing of bots."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar, TypeVarTuple

import trio

from arena.alarm import alarm

__all__ = ["run"]

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


def run(work: Callable[[*Ts], Awaitable[T]], *args: *Ts) -> T:
    """`trio.run`, and the alarm is silent before the loop ends: a signal while the loop closes what it is
    woken by would be complained about on standard error."""

    async def and_be_silent() -> T:
        try:
            return await work(*args)
        finally:
            alarm.rest()

    return trio.run(and_be_silent)
