"""What the store tells of how bots behaved: their faults with the evidence, and the time charged to them.

Plain frozen data, as in `views`, and with its units.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.match.faults import FaultKind
from arena.store.views import SessionState

__all__ = ["BotTimes", "FaultView"]


@dataclass(frozen=True, slots=True)
class FaultView:
    """One fault with its evidence and where it happened; see `arena.match.faults.Fault` for the fields.

    `match`: the match's number; `fault`: its place among the faults of that match, from 0; `at`: when
    the match was finished. `last_words`: the end of what the bot wrote to standard error in that match.
    """

    match: int
    cycle: int
    index: int
    order: int
    attempt: int
    session_state: SessionState
    at: int
    fault: int
    seat: int
    bot: str
    name: str
    kind: FaultKind
    reason: str
    round: int | None
    question: int | None
    sent: str
    wall_us: int
    cpu_us: int | None
    queued_us: int | None
    last_words: str = ""

    @property
    def trick(self) -> int | None:
        """The trick it happened in, counted from 0; None for a pass or outside any question."""
        return self.question - 1 if self.question else None


@dataclass(frozen=True, slots=True)
class BotTimes:
    """The time charged to a bot over all its finished matches."""

    bot: str
    matches: int
    decisions: int
    total_us: int
    max_us: int

    @property
    def mean_us(self) -> float:
        """Microseconds a decision; 0.0 before the first."""
        return self.total_us / self.decisions if self.decisions else 0.0
