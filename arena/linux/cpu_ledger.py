"""The processor time of all processes of a bot, in a sum that only grows. It ends nothing.

A process that has ended is in nobody's sum unless its parent waited for it. So the members are
remembered from look to look: what a process had used when it was last seen stays counted, and what its
parent then reports of it counts only as far as it is more.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from arena.linux.process_tree import Member

_WHOLE_PROCESS: Final = 2
"""Linux's clock number for the processor time of all threads of a process (clock_getcpuclockid(3))."""


@dataclass(slots=True)
class _Seen:
    """A member at the last look: its clock's number, its own time and that of its ended children."""

    clock: int
    own_us: int
    waited_us: int


class CpuLedger:
    """The microseconds of processor time that all processes of a bot have used since each of them began.

    Two things are not seen: a child that both begins and ends between two looks while its parent has the
    kernel throw its time away (SIGCHLD ignored), and what such a child used after the last look.
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[int, int], _Seen] = {}
        self._total_us = 0
        self._unreported_us = 0
        self._calm = False
        """True when the last two looks saw the same members and none of them ran between the looks."""

    def enter(self, members: Iterable[Member]) -> None:
        """Take in the members of the tree as they are now. A member that is missing has ended."""
        before, self._seen = self._seen, {}
        reported = 0
        self._calm = True
        for member in members:
            clock = process_clock(member.pid)
            # The clock counts in nanoseconds; /proc counts in hundredths of a second only.
            own_us = _read(clock)
            seen = _Seen(clock, member.own_us if own_us is None else own_us, member.waited_us)
            last = before.pop(member.key, None)
            self._calm = self._calm and last is not None and seen.own_us == last.own_us
            if last is None:
                # A member that is new here brings all its time, that of its ended children too.
                self._total_us += seen.own_us + seen.waited_us
            else:
                self._total_us += max(0, seen.own_us - last.own_us)
                reported += seen.waited_us - last.waited_us
            self._seen[member.key] = seen
        self._calm = self._calm and not before
        counted = sum(last.own_us + last.waited_us for last in before.values())
        # The end of a child and its parent's report of it may fall to either side of a look.
        more = reported - counted - self._unreported_us
        self._total_us += max(0, more)
        self._unreported_us = min(counted, max(0, -more))

    def now_us(self) -> int:
        """Return the sum now: what was entered, and what these members have used since."""
        total = self._total_us
        for seen in self._seen.values():
            own_us = _read(seen.clock)
            if own_us is not None and own_us > seen.own_us:
                total += own_us - seen.own_us
        return total

    def at_rest(self) -> bool:
        """Return whether none of the members has run since they were entered, and so have begun no process.

        They must not have run between the two last looks either. Otherwise a process that was begun after the
        list was read and before the clocks were read would be seen by nobody until its parent runs again.
        This says nothing of a process that no list has shown. Clocks are compared to the microsecond, which
        is less than it takes a process to wake up. Returns False where a clock cannot be read.
        """
        if not self._calm or not self._seen:
            return False
        return all(_read(seen.clock) == seen.own_us for seen in self._seen.values())


def process_clock(pid: int) -> int:
    """Return the number of the processor clock of a process, as the kernel builds it from the id."""
    return (~pid << 3) | _WHOLE_PROCESS


def _read(clock: int) -> int | None:
    try:
        return time.clock_gettime_ns(clock) // 1000
    except OSError:
        return None
