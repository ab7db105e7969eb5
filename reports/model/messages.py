"""What the page of a match's messages shows: what was sent to each seat and what came back, decoded."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["LineKind", "MessagesPage", "RoundTalk", "SeatTalk", "TalkLine"]


class LineKind(StrEnum):
    """What a line of the page is; the value stands before it."""

    TOLD = "told"
    """News for the bot."""
    ASKED = "asked"
    SAID = "said"
    """The bot's answer."""
    FAULT = "fault"
    """In the place of an answer."""
    SENT = "sent"
    """The beginning of what came with a fault."""


@dataclass(frozen=True, slots=True)
class TalkLine:
    """One message as JSON, or words about a fault. `took_us`: the time that an answer took, else None."""

    kind: LineKind
    text: str
    took_us: int | None = None


@dataclass(frozen=True, slots=True)
class RoundTalk:
    """The lines of one round in their order; the first also holds the match's start, the last its end."""

    number: int
    lines: tuple[TalkLine, ...]
    faults: int

    @property
    def messages(self) -> int:
        """How many were sent, either way."""
        return sum(line.kind in (LineKind.TOLD, LineKind.ASKED, LineKind.SAID) for line in self.lines)


@dataclass(frozen=True, slots=True)
class SeatTalk:
    """One seat. `notes`: what is to be known of it beside its lines, a sentence each."""

    seat: int
    bot: str
    notes: tuple[str, ...]
    rounds: tuple[RoundTalk, ...]


@dataclass(frozen=True, slots=True)
class MessagesPage:
    """The page of match `number`; `path` leads back to that of the match."""

    number: int
    path: str
    seats: tuple[SeatTalk, ...]
