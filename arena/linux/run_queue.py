"""What threads have used of the processor, and how long they waited for it. Decides nothing.

Everything is read from /proc, as in `process_tree`. A reading takes two small files for each thread.
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


def read_threads(pids: Iterable[int]) -> Threads:
    """Return the living threads of these processes; none where the kernel does not tell.

    The times are the first two numbers of /proc/PID/task/TID/schedstat, in nanoseconds
    (Documentation/scheduler/sched-stats.rst of Linux); the rest is from `status` beside it
    (proc_pid_status(5)).
    """
    found: dict[int, ThreadTimes] = {}
    for pid in pids:
        for thread in threads(pid):
            times = read_file(f"/proc/{pid}/task/{thread}/schedstat").split()
            status = read_file(f"/proc/{pid}/task/{thread}/status")
            slept = _SLEPT.search(status)
            if len(times) > 1 and slept is not None:
                ran, queued, ready = int(times[0]) // 1000, int(times[1]) // 1000, _READY.search(status)
                found[thread] = ThreadTimes(ran, queued, int(slept[1]), ready is not None)
    return found


def ticks_ago(seconds: float) -> int:
    """Return the moment so many seconds ago as `Member.started` tells moments."""
    return int((time.clock_gettime(time.CLOCK_BOOTTIME) - seconds) * _TICKS)
