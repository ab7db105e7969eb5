"""Stopping a bot's processes while it has no question, and letting them go on. Ends nothing.

By SIGSTOP, which no program can refuse.
"""

from __future__ import annotations

import signal

from arena.linux.process_tree import signal_member, tree

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
            signal_member(member, signal.SIGSTOP)
            stopped.add(member.key)


def thaw_tree(root: int) -> None:
    """Let them all go on, those that stopped themselves too."""
    for member in tree(root):
        signal_member(member, signal.SIGCONT)
