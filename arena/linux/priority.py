"""Bots give way to their referee: the nice of every session that belongs to a bot. Starts and ends nothing.

Where the kernel groups sessions (autogroup), the nice of a process counts only within its session, and
that of the session's group is what counts. A sandbox and a bot may both begin sessions of their own.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from arena.linux.process_tree import Member

__all__ = ["RETRY_SECONDS", "Priority"]

RETRY_SECONDS = 0.11
"""An ordinary user may set the nice of one autogroup in 0.1 s, on the whole machine; then try again."""


class Priority:
    """Of one bot. `nice` as in nice(1); 0 changes nothing."""

    def __init__(self, nice: int) -> None:
        self._nice = nice
        self._lowered: set[int] = set()

    def lower(self, members: Iterable[Member]) -> bool:
        """Lower the sessions that are new; whether none is left to be tried again."""
        if self._nice <= 0:
            return True
        refused: set[int] = set()
        for member in members:
            if member.session in self._lowered or member.session in refused:
                continue
            with contextlib.suppress(OSError):
                own = os.getpriority(os.PRIO_PROCESS, member.pid)
                os.setpriority(os.PRIO_PROCESS, member.pid, max(self._nice, own))
            if self._lower_group(member.pid):
                self._lowered.add(member.session)
            else:
                refused.add(member.session)
        return not refused

    def _lower_group(self, pid: int) -> bool:
        try:
            Path(f"/proc/{pid}/autogroup").write_text(str(self._nice), encoding="ascii")
        except BlockingIOError:
            return False
        except OSError:  # there are no autogroups here
            return True
        return True
