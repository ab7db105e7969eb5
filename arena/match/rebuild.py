"""Plays a recorded match again from its record alone: every line sent to every seat, and the answers.

Decoded messages, a replay against a bot and `arena verify` rest on it. It starts no process.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from arena.match.faults import Fault, FaultKind
from arena.match.game import Match, MatchResult, Question, addressed
from arena.match.messages import Message
from arena.match.question_ids import QuestionIds
from arena.match.record import MatchRecord
from arena.match.relabel import Relabelling
from arena.match.stand_in import STAND_IN, Chooser, from_records


class Contradiction(ValueError):  # noqa: N818  (it names what was found)
    """A decision in a record that cannot have been made; `round` and `question` count from 0.

    ValueError
    └── Contradiction
    """

    def __init__(self, text: str, round_: int, question: int) -> None:
        super().__init__(f"round {round_}, {text}")
        self.text, self.round, self.question = text, round_, question


@dataclass(frozen=True, slots=True)
class Line:
    """A message of a match, to a seat or from it (`from_bot`). Encoded, it is the line on the wire.

    A bot's answer is given in its canonical form. An answer that was a fault is left out, because the record
    keeps only its beginning.
    """

    seat: int
    message: Message
    from_bot: bool = False


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """All lines in an order in which they can have been sent, and the result of the match."""

    lines: tuple[Line, ...]
    result: MatchResult


def rebuild(record: MatchRecord, chooser: Chooser | None = None) -> Rebuilt:
    """Play the record again, and return its lines and its result.

    `chooser` decides for the stand-in instead of the record: with the key of the deals, the stand-in's
    choices can be checked too. Raises Contradiction where a bot's decision is illegal, and ValueError,
    IllegalMove or LookupError when the record contradicts the rules in another way.
    """
    player = _Player(record, chooser or from_records(record.rounds))
    lines = tuple(player.lines())
    return Rebuilt(lines, player.match.result())


class _Player:
    def __init__(self, record: MatchRecord, chooser: Chooser) -> None:
        absent = [seat for seat, taken in enumerate(record.seats) if taken.bot == STAND_IN]
        self.match = Match(record.setup, chooser, absent)
        self._record = record
        self._names = Relabelling(record.setup.suits)
        self._ids = [QuestionIds(seat.id_key) for seat in record.seats]
        self._faults = {(f.seat, f.round, f.question): f for f in record.faults}
        self._late = [seat.late for seat in record.seats]  # answers still to be told of
        self._timed_out = [False] * len(record.seats)  # at the seat's last question

    def lines(self) -> Iterator[Line]:
        for seat in range(len(self._record.seats)):
            if (seat, None, None) in self._faults:
                self.match.fault(self._faults[seat, None, None])
        self.match.begin()
        while True:
            for seat, message in self.match.take_news():
                yield Line(seat, addressed(message, self._record.seats[seat].table))
            if self.match.over:
                break
            yield from self._decision(self.match.ask(self.match.waiting()[0]))
        # The record only counts late answers and does not say when they came, so those that no fault needed
        # are told at the end.
        for seat, late in enumerate(self._late):
            for _ in range(late):
                self.match.late_answer(seat)

    def _decision(self, question: Question) -> Iterator[Line]:
        seat = question.seat
        question_id = next(self._ids[seat])
        yield Line(seat, addressed(question.message, self._record.seats[seat].table, question_id))
        self._extend(question)
        fault = self._faults.get((seat, question.round, question.number))
        if fault is not None:
            self._repeat(fault)
            return
        self._timed_out[seat] = False
        names, took_us = self._answer(question)
        if question.is_pass:
            yield Line(seat, {"type": "cards", "id": question_id, "cards": names}, from_bot=True)
        else:
            yield Line(seat, {"type": "card", "id": question_id, "card": names[0]}, from_bot=True)
        refusal = self.match.answer(seat, names, took_us)
        if refusal is not None:
            text = f"seat {seat}, question {question.number}: {refusal}"
            raise Contradiction(text, question.round, question.number)

    def _extend(self, question: Question) -> None:
        played = self._record.rounds[question.round]
        if played.extended:
            place = self._record.setup.players + self.match.plays_so_far
            by_us = dict(played.extended).get(question.seat if question.is_pass else place)
            if by_us is not None:
                self.match.extended(question.seat, by_us)

    def _repeat(self, fault: Fault) -> None:
        seat = fault.seat
        timed_out = fault.kind is FaultKind.TIMEOUT
        given_up = self._record.seats[seat].hand_over_at == (fault.round, fault.question)
        if timed_out and self._timed_out[seat] and not given_up:
            # A second timeout in a row that did not end the bot's match: a late answer came between.
            self._late[seat] -= 1
            self.match.late_answer(seat)
        self._timed_out[seat] = timed_out
        self.match.fault(fault)

    def _answer(self, question: Question) -> tuple[list[str], int]:
        played = self._record.rounds[question.round]
        if question.is_pass:
            return self._names.names(played.passes[question.seat]), played.took_us[question.seat]
        place = self.match.plays_so_far
        card = self._names.card_names[played.plays[place]]
        return [card], played.took_us[self._record.setup.players + place]
