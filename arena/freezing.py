"""Stopping a bot's processes while it has no question, and letting them go on. Ends nothing.

By SIGSTOP, which no program can refuse. Signals go through pidfds, checked after they were opened, so
that no stranger who got the number of an ended process is ever stopped.
"""

from __future__ import annotations

import contextlib
import os
import signal

from arena.process_tree import Member, look_up, tree

__all__ = ["freeze_tree", "thaw_tree"]

_ROUNDS = 8
"""How often to look for children that were begotten while their parents were being stopped."""


def freeze_tree(root: int) -> None:
    """Stop the process and all that belongs to it, as `process_tree.tree` finds it."""
    stopped: set[tuple[int, int]] = set()
    for _ in range(_ROUNDS):
        new = [member for member in tree(root) if member.key not in stopped]
        if not new:
            return
        for member in new:
            _signal(member, signal.SIGSTOP)
            stopped.add(member.key)


def thaw_tree(root: int) -> None:
    """Let them all go on, those that stopped themselves too."""
    for member in tree(root):
        _signal(member, signal.SIGCONT)


def _signal(member: Member, number: signal.Signals) -> None:
    with contextlib.suppress(OSError):
        pidfd = os.pidfd_open(member.pid)
        try:
            now = look_up(member.pid)
            if now is not None and now.key == member.key:
                signal.pidfd_send_signal(pidfd, number)
        finally:
            os.close(pidfd)
