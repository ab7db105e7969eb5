"""Matches played inside one process: no bots, no pipes, no clock. Every seat plays its first legal card.

The probes of single parts work on these matches. The state machine is driven as a table drives it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from arena.deals import MatchKey, PhaseDeals
from arena.match.game import Match, Question, addressed
from arena.match.packed import PackedMessage
from arena.match.question_ids import QuestionIds
from arena.match.record import MatchRecord, MatchSetup, SeatRecord, Terms
from arena.match.stand_in import from_deals
from arena.papayoo import hand_size
from protocol.messages import answer_line

TERMS = Terms(move_ms=1000, bank_ms=0, fault_points=40, max_faults=3)
_DEALS = PhaseDeals(bytes(32))
_ID_KEY = "00" * 16
_TOOK_US = 20
"""The time that every answer is said to have taken: two digits, as with quick bots, so that records have
their usual length."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The messages of one match before they are encoded: those to the bots, and their answers."""

    sent: tuple[PackedMessage, ...]
    ids: tuple[str, ...]
    answers: tuple[list[str], ...]
    """The name of one card for each play, and several names for each pass."""

    def answer_lines(self) -> list[bytes]:
        """Return the answers as lines."""
        return [
            answer_line(name, answer if len(answer) > 1 else answer[0])
            for name, answer in zip(self.ids, self.answers, strict=True)
        ]


def match_keys(seats: int, first_session: int = 0) -> Iterator[MatchKey]:
    """Yield the matches of one session after another, without end."""
    session = first_session
    while True:
        yield from (MatchKey(0, session, order) for order in range(seats))
        session += 1


def setup_of(key: MatchKey, seats: int) -> MatchSetup:
    """Return the setup of a match with one round for each seat."""
    deals = _DEALS.session(key.cycle, key.index)
    boards = tuple(deals.board(r, seats) for r in range(seats))
    seeds = tuple(deals.bot_seed(key, seat) for seat in range(seats))
    return MatchSetup(boards, deals.suits(key), seeds, TERMS)


def decisions(seats: int) -> int:
    """Return the decisions of a match with one round a seat: in each round every seat passes and plays."""
    return seats * seats * (1 + hand_size(seats))


def play_out(key: MatchKey, setup: MatchSetup, answers: Iterable[Sequence[str]]) -> Match:
    """Play a match out with the state machine alone; `answers` are in the order of the questions."""
    match = Match(setup, from_deals(_DEALS.session(key.cycle, key.index), key))
    match.begin()
    for answer in answers:
        match.take_news()
        match.answer(match.ask(match.waiting()[0]).seat, answer, _TOOK_US)
    match.take_news()
    return match


def lines_of(key: MatchKey, setup: MatchSetup) -> Lines:
    """Return the messages of a match."""
    match = Match(setup, from_deals(_DEALS.session(key.cycle, key.index), key))
    ids = QuestionIds(_ID_KEY)
    sent: list[PackedMessage] = []
    given: list[str] = []
    answers: list[list[str]] = []
    match.begin()
    while not match.over:
        sent += [addressed(message, 0) for _, message in match.take_news()]
        question = match.ask(match.waiting()[0])
        given.append(next(ids))
        sent.append(addressed(question.message, 0, given[-1]))
        answers.append(_choice(question))
        match.answer(question.seat, answers[-1], _TOOK_US)
    sent += [addressed(message, 0) for _, message in match.take_news()]
    return Lines(tuple(sent), tuple(given), tuple(answers))


def record_of(key: MatchKey, setup: MatchSetup, match: Match, bots: tuple[str, ...]) -> MatchRecord:
    """Return the record of a match that these bots have played out."""
    result = match.result()
    return MatchRecord(
        key=key,
        setup=setup,
        seats=tuple(
            SeatRecord(
                bot,
                seat.points,
                seat.charge,
                seat.place,
                seat.faults,
                id_key=_ID_KEY,
                cpu_us=decisions(len(bots)) // len(bots) * _TOOK_US,
                off_turn_us=0,
                queued_us=0,
            )
            for bot, seat in zip(bots, result.seats, strict=True)
        ),
        rounds=result.rounds,
        faults=result.faults,
        started_at=0,
        finished_at=1,
    )


def _choice(question: Question) -> list[str]:
    message = question.message
    hand: list[str] = message["hand"]
    legal: list[str] = message.get("legal", hand)
    return legal[: message.get("count", 1)]
