"""What threads have used of the processor, and how long they waited for it. Decides nothing.

Everything is read from /proc, as in `process_tree`. A reading takes one or two small files a thread.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

from arena.linux.process_tree import read_file, threads

__all__ = ["ThreadTimes", "Threads", "read_threads", "ticks_ago"]

_SLEPT: Final = re.compile(rb"^voluntary_ctxt_switches:\s*(\d+)", re.MULTILINE)
_READY: Final = re.compile(rb"^State:\s*R", re.MULTILINE)
_TICKS: Final = os.sysconf("SC_CLK_TCK")


class ThreadTimes(NamedTuple):
    """What one thread has used since it began; times are in microseconds.

    `ran_us`: its processor time, which may lack the last tick of the kernel. `queued_us`: how long it was
    ready to run and had no core, without the wait of this moment, for the kernel adds a wait when it ends.
    `slept`: how often it has given up its core by itself. `ready`: whether it runs or waits for a core now.
    """

    ran_us: int
    queued_us: int
    slept: int
    ready: bool


Threads: TypeAlias = Mapping[int, ThreadTimes]
"""Threads by their numbers."""


def read_threads(pids: Iterable[int], *, states: bool = True) -> Threads:
    """Return the living threads of these processes; none where the kernel does not tell.

    The times are the first two numbers of /proc/PID/task/TID/schedstat, in nanoseconds
    (Documentation/scheduler/sched-stats.rst of Linux); the rest is from `status` beside it
    (proc_pid_status(5)). `states`: whether that is wanted. It takes twice as long as the times, and without
    it no thread is said to be ready.
    """
    found: dict[int, ThreadTimes] = {}
    for pid in pids:
        for thread in threads(pid):
            times = read_file(f"/proc/{pid}/task/{thread}/schedstat").split()
            if len(times) > 1:
                slept, ready = _state(f"/proc/{pid}/task/{thread}/status") if states else (0, False)
                found[thread] = ThreadTimes(int(times[0]) // 1000, int(times[1]) // 1000, slept, ready)
    return found


def _state(path: str) -> tuple[int, bool]:
    status = read_file(path)
    slept = _SLEPT.search(status)
    return (0, False) if slept is None else (int(slept[1]), _READY.search(status) is not None)


def ticks_ago(seconds: float) -> int:
    """Return the moment so many seconds ago as `Member.started` tells moments."""
    return int((time.clock_gettime(time.CLOCK_BOOTTIME) - seconds) * _TICKS)
