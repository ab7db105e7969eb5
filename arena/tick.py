"""A descriptor that becomes readable every two milliseconds: bounds a wait without a timer of its own.

A timeout given to poll(2) is a timer that is armed and taken back again each time, which takes longer
than question and answer together (on a virtual machine about 5 us); this one is armed once. Linux only.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from functools import cache

from arena.errors import InternalError

__all__ = ["TICK_MS", "clear", "tick"]

TICK_MS = 2
"""Milliseconds from one tick to the next."""
_CLOCK_MONOTONIC = 1


class _TimerSpec(ctypes.Structure):
    """`struct itimerspec` of timerfd_settime(2): the period, then the first expiry, in s and ns."""

    _fields_ = (("times", ctypes.c_long * 4),)


@cache
def tick() -> int:
    """The descriptor, one a process and open to its end. Raises InternalError where there is none."""
    libc = ctypes.CDLL(None, use_errno=True)
    # TFD_NONBLOCK and TFD_CLOEXEC are the flags of open(2).
    fd: int = libc.timerfd_create(_CLOCK_MONOTONIC, os.O_NONBLOCK | os.O_CLOEXEC)
    period = TICK_MS * 1_000_000
    spec = _TimerSpec((ctypes.c_long * 4)(0, period, 0, period))
    if fd < 0 or libc.timerfd_settime(fd, 0, ctypes.byref(spec), None) < 0:
        raise InternalError(f"no timer descriptor: {os.strerror(ctypes.get_errno())}")
    return fd


def clear() -> None:
    """Take away a tick that has come; it becomes readable again with the next one."""
    with contextlib.suppress(BlockingIOError):
        os.read(tick(), 8)
