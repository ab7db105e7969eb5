"""What a match keeps of one seat: its faults, its bank of time, and whether a bot still decides for it.

Says when faults end a bot's match, and what they cost. Knows no cards and no messages: that is `game`.
"""

from __future__ import annotations

from typing import Final, final

from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.record import Terms

__all__ = ["SeatState"]

_ENDS_AT_ONCE: Final = {
    FaultKind.CRASHED: HandOver.CRASHED,
    FaultKind.START_FAILED: HandOver.START_FAILED,
    FaultKind.FLOOD: HandOver.FLOOD,
    FaultKind.RESOURCE: HandOver.RESOURCE,
}
_SILENT_AFTER: Final = 2
"""Timeouts in a row, without any answer between, after which the stand-in plays the rest of the match."""


@final
class SeatState:
    """The state of one seat. A plain class because every decision writes to it: see `game.Question`.

    `bank_us`: what is left of the match's bank, in microseconds. `no_clock`: its questions have no limit, and
    its bank is never drawn on. `silent`: timeouts in a row. `late`: first answers that came after their
    question was closed.
    """

    __slots__ = (
        "absent", "asked", "bank_us", "faults", "hand_over", "hand_over_at", "late", "no_clock", "silent",
    )  # fmt: skip

    def __init__(self, bank_us: int, *, absent: bool, no_clock: bool = False) -> None:
        self.bank_us = bank_us
        self.absent = absent
        self.no_clock = no_clock
        self.asked = False
        self.faults = 0
        self.silent = 0
        self.late = 0
        self.hand_over: HandOver | None = None
        self.hand_over_at: tuple[int, int] | None = None

    @property
    def by_bot(self) -> bool:
        """True while a bot decides for the seat; otherwise the stand-in does, to the end of the match."""
        return self.hand_over is None and not self.absent

    def count(self, fault: Fault, max_faults: int) -> bool:
        """Count a fault. Return whether it ends the bot's match."""
        self.faults += 1
        # Only timeouts in a row are silence: a fault of any other kind ends the row.
        self.silent = self.silent + 1 if fault.kind is FaultKind.TIMEOUT else 0
        if self.hand_over is not None:
            return False
        self.hand_over = self._why_hand_over(fault.kind, max_faults)
        if self.hand_over is None:
            return False
        self.hand_over_at = (fault.round or 0, fault.question or 0)
        return True

    def _why_hand_over(self, kind: FaultKind, max_faults: int) -> HandOver | None:
        if kind in _ENDS_AT_ONCE:
            return _ENDS_AT_ONCE[kind]
        if self.faults >= max_faults:
            return HandOver.MAX_FAULTS
        return HandOver.SILENT if self.silent >= _SILENT_AFTER else None

    def charge(self, terms: Terms) -> int:
        """Return the fault points of the match so far.

        A bot whose match is over is charged `max_faults` faults in all, however few it committed: giving up
        early must not be cheaper than playing on.
        """
        return (self.faults if self.hand_over is None else terms.max_faults) * terms.fault_points
