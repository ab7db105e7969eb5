"""What a process gets of the processor: its priority and its cores. It stops and ends nothing.

- Priority: bots give way to their referee. Where the kernel groups sessions (autogroup), the nice value of a
  process counts only within its session, and the group's own value decides between sessions. A sandbox and
  a bot may both begin sessions of their own.
- Placement: the cores a process and its children may run on. Others choose which.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.linux.process_tree import Member

RETRY_SECONDS = 0.11
"""The time after which to try again when the kernel refuses a nice value for an autogroup.

An ordinary user may set the nice value of only one autogroup every 0.1 s, on the whole machine.
"""


class Priority:
    """The priority of one bot's processes. `nice` is as in nice(1); 0 changes nothing."""

    def __init__(self, nice: int) -> None:
        self._nice = nice
        self._lowered: set[int] = set()
        self._given_way: set[tuple[int, int]] = set()

    def lower(self, members: Collection[Member]) -> bool:
        """Lower the processes and sessions that are new. Say whether no session is left to be tried again."""
        if self._nice <= 0:
            return True
        # A process that was just made is in our own session, which must not give way, until it begins one.
        # It is tried again like one that was refused.
        refused, ours = set[int](), os.getsid(0)
        for member in members:
            if member.key not in self._given_way:
                self._give_way(member.pid)
            if member.session in self._lowered or member.session in refused:
                continue
            if member.session != ours and self._lower_group(member.pid):
                self._lowered.add(member.session)
            else:
                refused.add(member.session)
        self._given_way = {member.key for member in members}
        return not refused

    def _give_way(self, pid: int) -> None:
        with contextlib.suppress(OSError):
            own = os.getpriority(os.PRIO_PROCESS, pid)
            # A process may have given way further by itself, and only root may take that back.
            os.setpriority(os.PRIO_PROCESS, pid, max(self._nice, own))

    def _lower_group(self, pid: int) -> bool:
        try:
            Path(f"/proc/{pid}/autogroup").write_text(str(self._nice), encoding="ascii")
        # The kernel refuses a second value within 0.1 s; see RETRY_SECONDS.
        except BlockingIOError:
            return False
        except OSError:  # there are no autogroups here
            return True
        return True


LOWEST = 19
"""The nice value of what has no haste at all."""


def give_way() -> None:
    """Let the other programs of this session go first, from now on."""
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, LOWEST)


@contextmanager
def placed(cores: Collection[int]) -> Iterator[None]:
    """Run this thread, and what it starts meanwhile, on these cores only. Without cores nothing changes."""
    before = os.sched_getaffinity(0)
    if cores:
        os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        if cores:
            os.sched_setaffinity(0, before)


def let_others_go_on() -> None:
    """Make this thread wait for its turn instead of interrupting the program that runs on its core.

    A bot that answers several questions is then not interrupted for its first answer, and all answers are
    found together. A turn lasts a few milliseconds at most.
    """
    if os.sched_getscheduler(0) == os.SCHED_OTHER:
        _schedule_as(os.SCHED_BATCH)


@contextmanager
def interrupting() -> Iterator[None]:
    """While the context lasts, start processes that may interrupt others even if this thread may not."""
    # A process inherits the policy of the thread that starts it.
    patient = os.sched_getscheduler(0) == os.SCHED_BATCH
    if patient:
        _schedule_as(os.SCHED_OTHER)
    try:
        yield
    finally:
        if patient:
            _schedule_as(os.SCHED_BATCH)


def _schedule_as(policy: int) -> None:
    with suppress(OSError):  # where a container forbids it: it only costs time
        os.sched_setscheduler(0, policy, os.sched_param(0))
