"""What a bot can do wrong, as data. Judges nothing: `match` counts faults, the referee finds them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Fault", "FaultKind", "HandOver"]


class FaultKind(StrEnum):
    """The kinds of fault; the values stand in the database and on the pages."""

    ILLEGAL = "illegal"
    """A well-formed answer that the rules of the game forbid."""
    BAD_MESSAGE = "bad_message"
    """A line that is not a message of the protocol, or answers no open question."""
    TIMEOUT = "timeout"
    """No complete answer before the deadline."""
    CRASHED = "crashed"
    """The process ended, or closed its standard output, during a match."""
    START_FAILED = "start_failed"
    """The process could not be started, or was not `ready` in time."""
    FLOOD = "flood"
    """More output than anybody could have asked for."""
    RESOURCE = "resource"
    """Ended for using more than its share of the machine."""


class HandOver(StrEnum):
    """Why the stand-in took over the rest of a match."""

    MAX_FAULTS = "max_faults"
    """The number of faults reached the limit of the league."""
    SILENT = "silent"
    """Two timeouts in a row without any answer."""
    CRASHED = "crashed"
    START_FAILED = "start_failed"
    FLOOD = "flood"
    RESOURCE = "resource"


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of one seat, with its evidence.

    `round` and `question` say which decision the stand-in made instead: question 0 is the pass,
    question t + 1 the play to trick t. Both are None for a fault outside any question.
    `reason` is the sentence its author reads; `sent` the first bytes of what the bot sent, made
    printable; `wall_us` and `cpu_us` the time from the question to the verdict, in microseconds
    by the clock and of the bot's processor time, `queued_us` how much of it the bot was ready to
    run and had no core (None where they could not be read).
    """

    seat: int
    kind: FaultKind
    reason: str
    round: int | None = None
    question: int | None = None
    sent: str = ""
    wall_us: int = 0
    cpu_us: int | None = None
    queued_us: int | None = None

    @property
    def trick(self) -> int | None:
        """The trick it happened in, counted from 0; None for a pass or outside any question."""
        return self.question - 1 if self.question else None
