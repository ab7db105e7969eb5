"""What a bot can do wrong, as data.

This module judges nothing: the referee finds faults, and the match (`arena.match.game`) counts them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class FaultKind(StrEnum):
    """The kinds of fault. The values stand in the database and on the pages."""

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
    """More output than the limits of the protocol allow."""
    RESOURCE = "resource"
    """The process was ended for using more memory or processor time than allowed."""


class HandOver(StrEnum):
    """The reasons why the stand-in plays the rest of a match.

    CRASHED, START_FAILED, FLOOD and RESOURCE: a fault of that kind ended the bot's match at once.
    """

    MAX_FAULTS = "max_faults"
    """The number of the bot's faults in the match reached the league's `max_faults`."""
    SILENT = "silent"
    """There were two timeouts in a row without any answer between."""
    CRASHED = "crashed"
    START_FAILED = "start_failed"
    FLOOD = "flood"
    RESOURCE = "resource"


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of one seat, with its evidence.

    `round` and `question` name the decision that the stand-in made instead: question 0 is the pass,
    question t + 1 the play to trick t. Both are None for a fault outside any question.
    `reason` is the sentence that the bot's author reads. `sent` holds the first bytes of what the bot sent,
    made printable. `wall_us`, `cpu_us` and `queued_us` cover the time from the question to the verdict, in
    microseconds: by the clock, the bot's processor time, and how long the bot was ready to run and had no
    core. The last two are None where they could not be read.
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
        """Return the trick of the fault, counted from 0; None for a pass or outside any question."""
        return self.question - 1 if self.question else None
