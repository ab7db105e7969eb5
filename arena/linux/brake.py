"""Stops all processes of one bot, and lets them go on. Does not decide when. Linux only.

A control group stops and frees them at once. Without one they are signalled one after another.
"""

from __future__ import annotations

import signal
from collections.abc import Sequence

from arena.linux.cgroups import BotGroup
from arena.linux.process_tree import Member, signal_member, stop_below

__all__ = ["Brake"]


class Brake:
    """The brake of all below `first`, the first process of a family. `on`: whether that is stopped."""

    def __init__(self, first: int, group: BotGroup | None) -> None:
        self.on = False
        self._first = first
        self._group = group
        self._stopped: Sequence[Member] = ()

    def freeze(self, at_rest: Sequence[Member] | None = None) -> None:
        """Stop the bot now. `at_rest`: all its processes, where it is known that none has begun another."""
        self.on = True
        if not self._by_group(True):
            self._stopped = stop_below(self._first) if at_rest is None else at_rest
            for member in at_rest or ():
                signal_member(member, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let the bot go on now, if it was stopped, also what has stopped itself before."""
        if self.on:
            self.on = False
            if not self._by_group(False):
                # Stopped processes start no others, so these are all.
                for member in self._stopped:
                    signal_member(member, signal.SIGCONT)

    def _by_group(self, stop: bool) -> bool:
        return self._group is not None and self._group.freeze(stop)
