"""How long a bot waited for a core that others had, and what else it used meanwhile: the one account of it.

The kernel tells of each thread how long it ran, and how long it was ready and waited (`read_threads`). From
two such readings follows how long the bot waited for others (`waited_us`). A link has a `TurnMeter`, which
reads them when the bot is first waited for in the event loop, when its deadline has come, and when it has
answered. So an answer that comes at once costs no reading, which takes as long as several decisions.

The sum of the waits of all threads says nothing: 64 threads that share a core wait 63 seconds in each second
in which they have the core all the time. Of what a thread has waited, all is taken off in which another
thread of the bot can have been running: the processor time of the others. What is left of the thread with the
most is what the bot waited for others. While thread i waits behind its own kind, one of them runs, so that
takes no longer than the processor time of all others, C - c(i). It waited q(i), so it waited at least
q(i) - (C - c(i)) behind strangers. As q(i) + c(i) is at most the time W that has gone by, this is at most
W - C. On several cores the threads need not stand in one another's way, and the result is too small, never
too large.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, TypeAlias

from arena.linux.process_tree import read_file, threads

WAITED_SHARE: Final = 0.10
"""The share of its time for which a bot, or a build, may wait for a core without getting more time."""
LEAST_WAIT: Final = 0.010
"""The seconds that count as no wait at all: the kernel adds up some of its times only every so often."""
_HARDLY: Final = 0.1
"""The share of the time up to which a bot is said to have waited for something else than the processor."""
_SLEPT: Final = re.compile(rb"^voluntary_ctxt_switches:\s*(\d+)", re.MULTILINE)
_READY: Final = re.compile(rb"^State:\s*R", re.MULTILINE)
_TICKS: Final = os.sysconf("SC_CLK_TCK")


# What the kernel tells of threads


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
_NONE: Final = ThreadTimes(0, 0, 0, ready=False)


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
            if len(times) < 2:
                continue
            status = read_file(f"/proc/{pid}/task/{thread}/status") if states else b""
            slept = _SLEPT.search(status)
            found[thread] = ThreadTimes(
                int(times[0]) // 1000,
                int(times[1]) // 1000,
                0 if slept is None else int(slept[1]),
                slept is not None and _READY.search(status) is not None,
            )
    return found


def ticks_ago(seconds: float) -> int:
    """Return the moment so many seconds ago as `Member.started` tells moments."""
    return int((time.clock_gettime(time.CLOCK_BOOTTIME) - seconds) * _TICKS)


# What follows from two readings


@dataclass(frozen=True, slots=True)
class Reading:
    """What a bot has used until the moment `at`, in seconds of any clock.

    `cpu_us`: the processor time of all its processes in microseconds; None where that is not known.
    `threads`: those that live; none where the kernel does not tell.
    """

    at: float
    cpu_us: int | None
    threads: Threads

    def cpu_since(self, before: Reading) -> int | None:
        """Return the processor time from the reading `before` to this one; None where it is not known."""
        if self.cpu_us is None or before.cpu_us is None:
            return None
        return max(0, self.cpu_us - before.cpu_us)


def waited_us(before: Reading, after: Reading) -> int | None:
    """Return the microseconds between two readings in which the bot waited for a core that others had.

    A thread that `before` does not have must have begun in between. Returns None where nothing is known.
    """
    used_us = after.cpu_since(before)
    if used_us is None or not after.threads:
        return None
    wall_us = round((after.at - before.at) * 1e6)
    most_us = ran_us = 0
    for thread, now in after.threads.items():
        was = before.threads.get(thread, _NONE)
        ran = now.ran_us - was.ran_us
        # It was ready at both ends and never gave up its core by itself, so it waited whenever it did not
        # run, also where that wait has not ended.
        never_slept = thread in before.threads and was.ready and now.ready and now.slept == was.slept
        waited = wall_us - ran if never_slept else now.queued_us - was.queued_us
        most_us = max(most_us, waited + ran)
        ran_us += ran
    # The clock of a process also has threads that have ended, those of the threads may lack a tick.
    return max(0, min(most_us, wall_us) - max(used_us, ran_us))


# What a bot uses while it has questions


@dataclass(frozen=True, slots=True)
class Used:
    """What a bot has used, in microseconds. A value is None where it is not known.

    `cpu_us`: processor time. `queued_us`: the time in which it was ready to run and others had its core.
    """

    cpu_us: int | None = None
    queued_us: int | None = None

    def having_waited(self, queued_us: int) -> Used:
        """Return the same for a bot that is known to have waited for so long at least.

        A wait is measured from below, and the bound may be less after a longer time: then the earlier one
        holds all the same.
        """
        return replace(self, queued_us=queued_us) if (self.queued_us or 0) < queued_us else self

    def at_rest(self, seconds: float) -> bool:
        """Return whether it hardly wanted the processor in so many seconds, as far as that is known."""
        wanted = ((self.cpu_us or 0) + (self.queued_us or 0)) / 1e6
        return self.cpu_us is not None and wanted <= _HARDLY * seconds


UNKNOWN: Final = Used()
"""Nothing was measured."""


@dataclass(frozen=True, slots=True)
class Meter:
    """The meters of a bot.

    `cpu_us` returns the processor time of all its processes, or None where that is not known. `threads`
    returns its threads, with or without their states: all that are known, or, given numbers of threads and
    seconds, only those of processes that are among these or no older than that. `look` looks for processes
    that are not known yet.
    """

    cpu_us: Callable[[], int | None]
    threads: Callable[[bool, Container[int] | None, float], Threads]
    look: Callable[[], object]

    def read(self, now: float, before: Reading | None = None, *, states: bool = True) -> Reading:
        """Return what the meters show now; beside `before`, without processes that existed then unseen."""
        if before is None:
            return Reading(now, self.cpu_us(), self.threads(states, None, 0.0))
        return Reading(now, self.cpu_us(), self.threads(states, before.threads, now - before.at))


NO_METER: Final = Meter(lambda: None, lambda states, known, seconds: {}, lambda: None)
"""The meter of a bot of which nothing is known."""


class TurnMeter:
    """The meter of one process: for the open batch, and for that question of it for which the clock runs.

    `now` is the time of the caller's clock in seconds.
    """

    def __init__(self, meter: Meter) -> None:
        self._meter = meter
        self._batch_began = 0.0
        self._batch_before: tuple[Reading, int] | None = None
        """The first reading of the batch, and the microseconds that had gone by before it."""
        self._before: Reading | None = None
        self._last: Reading | None = None
        """The last reading, as long as nobody has waited for the bot since."""

    def batch_begins(self, now: float) -> None:
        """Note that a batch begins to be written."""
        self._batch_began = now
        self._batch_before = None

    def clock_begins(self) -> None:
        """Note that the clock begins to run for one of the batch's questions."""
        self._before = self._last = None

    def waiting_begins(self, now: float) -> None:
        """Begin to measure, because the bot is going to be waited for in the event loop.

        That takes long enough to be measured.
        """
        self._last = None
        if self._before is None:
            self._before = self._meter.read(now)
            if self._batch_before is None:
                self._batch_before = self._before, round((now - self._batch_began) * 1e6)

    def of_question(self, now: float) -> Used:
        """Return what was used since the question for which the clock runs was first waited for.

        A wait for a core that has not ended is left out, unless `waited` was called just now.
        """
        before = self._before
        if before is None:
            return UNKNOWN
        self._last = self._last or self._meter.read(now, before, states=False)
        return Used(self._last.cpu_since(before), waited_us(before, self._last))

    def waited(self, now: float) -> float:
        """Return for how many seconds of this question the bot was ready and others had its core.

        All its processes are looked for first, which takes long. It is for the moment when its time is over.
        """
        before = self._before
        if before is None:
            return 0.0
        self._meter.look()
        self._last = self._meter.read(now, before)
        return (waited_us(before, self._last) or 0) / 1e6

    def of_batch(self, now: float) -> tuple[int, int | None, int]:
        """Return what the batch used, as `Watchdog.turn_ends` is told.

        It is (microseconds since the batch was written, the bot's processor time in microseconds, or None
        where that is not known, microseconds that had gone by before that was measured).
        """
        wall_us = round((now - self._batch_began) * 1e6)
        if self._batch_before is None:
            return wall_us, None, 0
        before, unseen_us = self._batch_before
        # Mostly the last question of the batch was closed just now, and its reading still holds.
        cpu_us = self._last.cpu_us if self._last is not None else self._meter.cpu_us()
        return wall_us, Reading(now, cpu_us, {}).cpu_since(before), unseen_us
