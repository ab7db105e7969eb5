"""Where a review works: in how many processes, and beside a run only on cores that it leaves free.

It is asked for before anything large is read. It reviews nothing.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from arena.errors import DatabaseBusy
from arena.linux.process_tree import tree
from arena.linux.scheduling import give_way_here, placed

__all__ = ["Room", "RunBy", "room_for", "runner"]

RunBy = Callable[[], str | None]
"""Returns who runs the league just now: a process id, "" if it is not known, None if nobody does."""


@dataclass(frozen=True, slots=True)
class Room:
    """How many processes work, on which cores (none: on any), and whether the league is run beside them.

    `run_by`: who runs the league just now.
    """

    jobs: int
    run_by: RunBy
    cores: frozenset[int] = frozenset()
    beside_a_run: bool = False


@contextmanager
def room_for(jobs: int | None, run_by: RunBy, say: Callable[[str], None]) -> Iterator[Room]:
    """Find room for so many processes (None: one on each core).

    Beside a run this process itself works on them as well, and gives way. Raises DatabaseBusy while the
    league is run, unless a number of processes is given, and where the run leaves no core.
    """
    mine = sorted(os.sched_getaffinity(0))
    holder = run_by()
    if holder is None:
        yield Room(jobs or len(mine), run_by)
        return
    if jobs is None:
        raise DatabaseBusy(
            f"This league is being run by {runner(holder)}: wait for it, or review beside it with --jobs N, "
            "on cores that it leaves free"
        )
    taken = _of_the_run(holder)
    # The last ones, for a run takes the first.
    cores = frozenset([core for core in mine if core not in taken][-jobs:])
    if not cores:
        raise DatabaseBusy(
            f"This league is being run by {runner(holder)}, which leaves no core of this machine free: "
            "wait for it, or run it with fewer --jobs"
        )
    if len(cores) < jobs:
        free = f"{len(cores)} core{'s' if len(cores) > 1 else ''}"
        say(f"the run leaves {free} free, so there are as many processes")
    give_way_here()
    with placed(cores):
        yield Room(len(cores), run_by, cores, beside_a_run=True)


def runner(holder: str) -> str:
    """Return who runs a league, in words."""
    return f"process {holder}" if holder else "another process"


def _of_the_run(holder: str) -> frozenset[int]:
    """Return the cores that a run on this machine uses; none of one on another machine."""
    process, _, host = holder.partition(" on ")
    if not process.isdecimal() or host not in ("", socket.gethostname()):
        return frozenset()
    own, *pinned = [_affinity(member.pid) for member in tree(int(process))] or [frozenset()]
    # A run that pins nothing uses all that it may.
    return frozenset().union(*(cores for cores in pinned if cores < own)) or own


def _affinity(pid: int) -> frozenset[int]:
    try:
        return frozenset(os.sched_getaffinity(pid))
    except OSError:  # it has ended
        return frozenset()
