"""Builds the page of a match's messages: the lines sent to each seat and its answers, decoded.

The match is played again from its record, each line as text; `secrecy` decides what may be shown. The
record does not hold a line in which the bot was at fault, only its beginning, as evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from arena.match.faults import Fault
from arena.match.rebuild import Line, rebuild
from arena.match.record import MatchRecord
from arena.store.views import MatchView, SeatView
from arena.wording import counted
from protocol.refusal import readable
from reports.pages.match import KIND_WORDS, taken_over, talking_seats
from reports.secrecy import Secrecy


class LineKind(StrEnum):
    """The kind of a line of the page; the value stands before the line, put through `_`."""

    TOLD = "told"
    """News for the bot."""
    ASKED = "asked"
    SAID = "said"
    """The bot's answer."""
    FAULT = "fault"
    """In place of an answer."""
    SENT = "sent"
    """The beginning of what the bot sent with a fault."""


@dataclass(frozen=True, slots=True)
class TalkLine:
    """One message as JSON, or words about a fault. `took_us`: the time of an answer, else None.

    `reason`: of a fault, as it is stored, where it may be shown; its `text` is the kind of fault then.
    """

    kind: LineKind
    text: str
    took_us: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RoundTalk:
    """The lines of one round in order; the first round also has the match's start, the last its end."""

    number: int
    lines: tuple[TalkLine, ...]
    faults: int

    @property
    def messages(self) -> int:
        """Return how many were sent, either way."""
        return sum(line.kind in (LineKind.TOLD, LineKind.ASKED, LineKind.SAID) for line in self.lines)


@dataclass(frozen=True, slots=True)
class SeatTalk:
    """One seat. `unasked`: its faults outside any question.

    `notes`: what else to know of it besides its lines, a sentence each.
    """

    seat: int
    bot: str
    unasked: tuple[TalkLine, ...]
    notes: tuple[str, ...]
    rounds: tuple[RoundTalk, ...]


@dataclass(frozen=True, slots=True)
class MessagesPage:
    """The page of match `number`."""

    number: int
    seats: tuple[SeatTalk, ...]


def messages_page(match: MatchView, record: MatchRecord, secrecy: Secrecy) -> MessagesPage:
    """Build the page of the messages of a finished match and its `record`.

    ValueError, LookupError or IllegalMove if the record breaks the rules.
    """
    lines = rebuild(record).lines
    seats = (
        _SeatTalk(record, seat, lines, secrecy.evidence_hidden(match, seat.bot)).talk()
        for seat in talking_seats(match, secrecy)
    )
    return MessagesPage(match.number, tuple(seats))


class _SeatTalk:
    """Builds the lines of one seat. `hidden`: why its faults are not explained; empty if they are."""

    def __init__(self, record: MatchRecord, seat: SeatView, lines: Sequence[Line], hidden: str) -> None:
        self._record = record
        self._seat = seat
        self._lines = [line for line in lines if line.seat == seat.seat]
        self._faults = [fault for fault in record.faults if fault.seat == seat.seat]
        self._hidden = hidden
        self._took_us: int | None = None  # for the answer to the last question

    def talk(self) -> SeatTalk:
        """Return what the page shows of the seat."""
        unasked = tuple(self._fault(fault) for fault in self._faults if fault.round is None)
        seat = self._seat
        return SeatTalk(seat.seat, seat.name, unasked, tuple(self._notes()), tuple(self._rounds()))

    def _notes(self) -> Iterator[str]:
        over = taken_over(self._seat)
        if over:
            since = f"{over[:1].upper()}{over[1:]}"
            yield f"{since}; nothing was sent to the bot after that."
        late = self._record.seats[self._seat.seat].late
        if late:
            yield f"Dropped because too late: {counted(late, 'answer')}."
        if not self._lines:
            yield "Nothing was sent to this seat."

    def _rounds(self) -> Iterator[RoundTalk]:
        rounds: list[list[TalkLine]] = [[] for _round in self._record.rounds]
        number = 0
        for line in self._lines:
            number = line.message.get("round", number)
            rounds[number] += self._told(line, number)
        for number, lines in enumerate(rounds):
            if lines:
                faults = sum(line.kind is LineKind.FAULT for line in lines)
                yield RoundTalk(number, tuple(lines), faults)

    def _told(self, line: Line, number: int) -> Iterator[TalkLine]:
        """Yield the line itself and, if a fault came in place of an answer, the fault."""
        text = readable(dict(line.message))
        if line.from_bot:
            yield TalkLine(LineKind.SAID, text, self._took_us)
            return
        question, decision = _asked(line)
        yield TalkLine(LineKind.TOLD if question is None else LineKind.ASKED, text)
        if question is None:
            return
        self._took_us = self._record.rounds[number].took_us[decision]
        for fault in self._faults:
            if (fault.round, fault.question) == (number, question):
                yield self._fault(fault)
                if fault.sent and not self._hidden:
                    yield TalkLine(LineKind.SENT, fault.sent)

    def _fault(self, fault: Fault) -> TalkLine:
        if self._hidden:
            return TalkLine(LineKind.FAULT, self._hidden, fault.wall_us)
        return TalkLine(LineKind.FAULT, KIND_WORDS[fault.kind], fault.wall_us, fault.reason)


def _asked(line: Line) -> tuple[int | None, int]:
    """Return the number of the question in its round, None for news; and which decision it asks for."""
    message = line.message
    if message["type"] == "pass":
        return 0, line.seat
    if message["type"] == "play":
        trick = message["trick_number"]
        players = len(message["scores"])
        return trick + 1, players * (trick + 1) + len(message["trick"])
    return None, 0
