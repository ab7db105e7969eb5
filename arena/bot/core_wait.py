"""How long a bot was ready to run and got no core, from two readings of its threads. Pure: it reads nothing.

The kernel counts for each thread how long it was ready and waited. The sum over threads says nothing: 64
threads that share a core wait 63 seconds in each second in which they have the core all the time. Of what
a thread has waited, all is taken off in which another thread of the bot can have been running: the
processor time of the others. What is left of the thread with the most is what the bot waited for others.

While thread i waits behind its own kind, one of them runs, so that takes no longer than the processor time of
all others, C - c(i). It waited q(i), so it waited at least q(i) - (C - c(i)) behind strangers. As q(i) + c(i)
is at most the time W that has gone by, this is at most W - C. On several cores the threads need not stand in
one another's way, and the result is too small, never too large.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.linux.run_queue import Threads, ThreadTimes

__all__ = ["Reading", "waited_us"]

_NONE = ThreadTimes(0, 0, 0, ready=False)


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
    both = [(before.threads.get(thread), now) for thread, now in after.threads.items()]
    grown = [(_ran(was, now), was, now) for was, now in both]
    # The clock of a process also has threads that have ended, those of the threads may lack a tick.
    cpu_us = max(used_us, sum(ran_us for ran_us, _, _ in grown))
    most_us = max(_waited(was, now, wall_us - ran_us) + ran_us for ran_us, was, now in grown)
    return max(0, min(most_us, wall_us) - cpu_us)


def _ran(was: ThreadTimes | None, now: ThreadTimes) -> int:
    return now.ran_us - (was or _NONE).ran_us


def _waited(was: ThreadTimes | None, now: ThreadTimes, rest_us: int) -> int:
    """Return how long a thread waited, also in a wait that has not ended. `rest_us`: when it did not run."""
    # It was ready at both ends and never gave up its core by itself, so it waited whenever it did not run.
    if was is not None and was.ready and now.ready and now.slept == was.slept:
        return rest_us
    return now.queued_us - (was or _NONE).queued_us
