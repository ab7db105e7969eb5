"""Stops all processes of one bot, and lets them go on. Does not decide when. Linux only.

A control group stops and frees them at once. Without one there are two ways. Where nothing of the bot may run
a moment longer, or is needed now, the arena signals one process after another. Where that has time, the
keeper does it, which costs the arena a tenth.
"""

from __future__ import annotations

from arena.linux.cgroups import BotGroup
from arena.linux.keeper import go_on, rest
from arena.linux.scheduling import freeze_below, thaw_below

__all__ = ["Brake"]


class Brake:
    """The brake of all that a keeper keeps. `on`: whether that is stopped, or will be in a moment."""

    def __init__(self, keeper: int, group: BotGroup | None) -> None:
        self.on = False
        self._keeper = keeper
        self._group = group
        self._rests = False
        """Whether the keeper was told to stop the bot, and not yet to let it go on."""
        self._may_go_on_late = False
        """Whether the keeper may not have heard yet that it is to let the bot go on."""

    def freeze(self) -> None:
        """Stop the bot now."""
        self.on = True
        if not self._by_group(True):
            freeze_below(self._keeper)

    def thaw(self) -> None:
        """Let the bot go on now, if it was stopped."""
        if self.on:
            self.on = False
            if not self._by_group(False):
                thaw_below(self._keeper)
                # A keeper that did not get a core may still be about to stop the bot.
                if self._rests:
                    self._go_on()

    def rest(self) -> None:
        """Stop the bot soon, if it runs."""
        if not self.on:
            self.on = True
            if not self._by_group(True):
                self._rests = True
                rest(self._keeper)

    def wake(self) -> None:
        """Let the bot go on soon, if it was stopped."""
        if self.on:
            self.on = False
            if not self._by_group(False):
                self._go_on()

    def hold(self) -> None:
        """Stop the bot again if its keeper may have let it go on after the last `freeze`.

        On a busy machine a keeper hears of a `wake` late.
        """
        if self._may_go_on_late and self.on:
            self._may_go_on_late = False
            self.freeze()

    def _by_group(self, stop: bool) -> bool:
        return self._group is not None and self._group.freeze(stop)

    def _go_on(self) -> None:
        self._rests, self._may_go_on_late = False, True
        go_on(self._keeper)
