"""One match as a state machine: it hands out questions and news, is told answers and faults, and ends.

It has no input or output, no clock and no chance: the same setup, answers, times and faults give the same
messages and the same record, in whatever order the answers of one moment arrive. Question ids and
table numbers belong to the sender of the messages (`addressed`). Cards inside are canonical; suits are
relabelled only where messages are built and read.

    match = Match(setup, chooser)
    match.begin()
    while not match.over:
        for seat, message in match.take_news(): ...send, nobody answers
        for seat in match.waiting():
            question = match.ask(seat)  # once; then exactly one of
            match.answer(seat, cards, took_us)  # None, or why it is illegal (then tell `fault`)
            match.fault(Fault(...))             # the stand-in decides instead
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, final

from arena.match.fault_wording import FaultSentence
from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.messages import Phrases
from arena.match.packed import ROOM, PackedMessage, pack_question
from arena.match.record import (
    NO_CLOCK_BANK_MS,
    NO_LIMIT_US,
    MatchSetup,
    RoundRecord,
    Terms,
)
from arena.match.relabel import Relabelling
from arena.match.stand_in import Chooser
from arena.papayoo import Illegal, Phase, Round, dealer_of, places

# Python 3.11 takes 0.1 us to look a member up in its Enum, too long for every decision.
_PASS: Final = Phase.PASS
_PLAY: Final = Phase.PLAY

_ENDS_AT_ONCE: Final = {
    FaultKind.CRASHED: HandOver.CRASHED,
    FaultKind.START_FAILED: HandOver.START_FAILED,
    FaultKind.FLOOD: HandOver.FLOOD,
    FaultKind.RESOURCE: HandOver.RESOURCE,
}
_SILENT_AFTER: Final = 2
"""Timeouts in a row, without any answer between, after which the stand-in plays the rest of the match."""


@final
class Question:
    """A question to one seat. `number` 0 is the pass, t + 1 the play to trick t of round `round`.

    `limit_us` is the time for it in microseconds: the time for a move and what is left in the bank, or
    NO_LIMIT_US for a seat without a clock. `pieces` are the packed pieces of the message, with room for id
    and table; the other attributes must not be changed. A plain class because there is one for each decision:
    a frozen dataclass takes three times as long to make.
    """

    __slots__ = ("limit_us", "number", "pieces", "round", "seat")

    def __init__(self, seat: int, round_: int, number: int, limit_us: int, pieces: list[bytes]) -> None:
        self.seat = seat
        self.round = round_
        self.number = number
        self.limit_us = limit_us
        self.pieces = pieces

    @property
    def message(self) -> PackedMessage:
        """Return the question as a message, whose id and table are still to be filled in."""
        return PackedMessage(self.pieces[0], "", self.pieces[1 + len(ROOM) :])

    def packed_for(self, table: int, question_id: str) -> bytes:
        """Return the bytes of `message` with this table and this id filled in."""
        return pack_question(self.pieces, question_id, table)

    @property
    def is_pass(self) -> bool:
        """Return whether cards to pass are asked for, rather than one card to play."""
        return self.number == 0


class SeatResult(NamedTuple):
    """How one seat ended. The fields mean the same as in `SeatRecord`.

    A NamedTuple because it is cheap to create.
    """

    points: int
    charge: int
    place: int
    faults: int
    hand_over: HandOver | None
    hand_over_at: tuple[int, int] | None
    late: int


@dataclass(frozen=True, slots=True)
class MatchResult:
    """What a finished match leaves: the rounds, the seats, and the faults in the order of the decisions.

    Decisions have the order of `RoundRecord`: faults at the passes of a round stand by seat, whichever fault
    was found first.
    """

    rounds: tuple[RoundRecord, ...]
    seats: tuple[SeatResult, ...]
    faults: tuple[Fault, ...]


@final
class _SeatState:
    """What a match keeps of one seat: its faults, its bank of time, and whether its bot still decides.

    A plain class because every decision writes to it, as `Question` is one.

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


def _when(fault: Fault) -> tuple[int, int, int]:
    """Return a sort key that orders faults by decision; faults outside any question come first.

    The plays of one trick are decided one after another. Their faults keep the order in which they were told,
    because sorts are stable.
    """
    if fault.round is None or fault.question is None:
        return -1, 0, fault.seat
    return fault.round, fault.question, 0 if fault.question else fault.seat


def addressed(message: PackedMessage, table: int, question_id: str | None = None) -> PackedMessage:
    """Fill in what only the sender knows, and return the message: the table and, in a question, the id."""
    message.address(table, question_id)
    return message


class Match:
    """A match between `setup.players` seats. The module's docstring shows how to drive it.

    `absent`: seats without a bot. The stand-in plays them from the first card on, and nobody is charged.
    """

    def __init__(self, setup: MatchSetup, chooser: Chooser, absent: Collection[int] = ()) -> None:
        self.setup = setup
        self.players = setup.players
        self.over = False
        self._terms = setup.terms
        self._move_us = setup.terms.move_ms * 1000
        self._chooser = chooser
        self._labels = Relabelling.of(setup.suits)
        self._phrases = Phrases(setup, self._labels)
        self._seats = self._seats_of(setup, absent)
        self.news: list[tuple[int, PackedMessage]] = []
        """The messages that `take_news` would give."""
        self._faults: list[Fault] = []
        self._rounds: list[RoundRecord] = []
        self._scores = [0] * self.players
        # While every seat has its bot, nothing is ever due to the stand-in, and answers skip the look for it.
        self._any_without_bot = bool(absent)
        self._deal_round()

    @staticmethod
    def _seats_of(setup: MatchSetup, absent: Collection[int]) -> list[_SeatState]:
        clockless = setup.no_clock or ()
        return [
            _SeatState(
                (NO_CLOCK_BANK_MS if seat in clockless else setup.terms.bank_ms) * 1000,
                absent=seat in absent,
                no_clock=seat in clockless,
            )
            for seat in range(setup.players)
        ]

    # What goes out

    def begin(self) -> None:
        """Announce the match to every seat whose bot plays."""
        self.news += [(seat, self._phrases.start(seat)) for seat in self._by_bots()]
        self._advance()

    def take_news(self) -> list[tuple[int, PackedMessage]]:
        """Return the messages that need no answer, as (seat, message), oldest first, and empty the list."""
        news, self.news = self.news, []
        return news

    def waiting(self) -> list[int]:
        """Return the seats that have a decision to make and have not been asked, in seat order.

        During the pass these are all seats that have not chosen; they may be asked together or one by one.
        """
        current = self._round
        if current.phase is _PLAY:
            return [] if self._seats[current.turn].asked else [current.turn]
        if self.over:
            return []
        return [s for s, seat in enumerate(self._seats) if not current.passed[s] and not seat.asked]

    @property
    def next_waiting(self) -> int:
        """Return the first of the seats in `waiting`. There must be one."""
        current = self._round
        return current.turn if current.phase is _PLAY else self.waiting()[0]

    def ask(self, seat: int) -> Question:
        """Return the question that `seat` waits for.

        Call it only once for each decision: the question takes the seat's untold events along.
        """
        state = self._seats[seat]
        state.asked = True
        current = self._round
        number = len(self._rounds)
        limit_us = NO_LIMIT_US if state.no_clock else self._move_us + state.bank_us
        if current.phase is _PASS:
            pieces = self._phrases.ask_pass(current, seat, state.bank_us)
            return Question(seat, number, 0, limit_us, pieces)
        pieces = self._phrases.ask_play(current, seat, state.bank_us)
        return Question(seat, number, current.trick_number + 1, limit_us, pieces)

    # What comes in

    def answer(self, seat: int, cards: Sequence[str], took_us: int) -> str | None:
        """Take in a seat's answer in wire names. Return None when it stands, else why the rules forbid it.

        The reason is a sentence. Nothing has changed then, and the caller must tell `fault`.
        """
        self._seats[seat].silent = 0
        chosen = self._labels.cards(cards)
        if chosen is None:
            return FaultSentence.TWICE.say(sent=" ".join(cards))
        current = self._round
        if current.phase is _PASS:
            illegal = current.why_illegal_pass(seat, chosen)
            if illegal is not None:
                return self._explain(illegal, seat, cards)
        # Nearly all plays are legal, so one bit test comes first; the reason is looked for only when it
        # fails.
        elif chosen & ~current.legal() or not chosen:
            # The answer to a play holds one card, so the highest card of the set is the card itself. An empty
            # set gives -1, which is in no hand.
            illegal = current.why_illegal_play(chosen.bit_length() - 1)
            assert illegal is not None, "the quick test and the reasons disagree"
            return self._explain(illegal, seat, cards)
        self._decide(seat, chosen, took_us, by_bot=True)
        if self._any_without_bot:
            self._advance()
        return None

    def fault(self, fault: Fault) -> None:
        """Count a fault. End the bot's match when the fault was one too many.

        If the seat had been asked, the stand-in makes that decision. Raises ValueError for a `timeout` of a
        seat without a clock.
        """
        seat = self._seats[fault.seat]
        if fault.kind is FaultKind.TIMEOUT and seat.no_clock:
            raise ValueError(f"seat {fault.seat} has no clock, and cannot be late")
        self._faults.append(fault)
        if seat.count(fault, self._terms.max_faults):
            self._any_without_bot = True
        if seat.asked:
            self._stand_in(fault.seat, fault.wall_us)
        if self._any_without_bot:
            self._advance()

    def late_answer(self, seat: int) -> None:
        """Count a first answer that came after its question was closed. The bot is not silent then."""
        self._seats[seat].late += 1
        self._seats[seat].silent = 0

    def explain_late(self, question: Question, late_us: int) -> None:
        """Tell the author by how much the answer to a timed-out question came late.

        It replaces the reason of that question's `timeout` fault.
        """
        for place, fault in enumerate(self._faults):
            if (fault.seat, fault.round, fault.question) == (question.seat, question.round, question.number):
                if fault.kind is FaultKind.TIMEOUT:
                    reason = FaultSentence.LATE.say(milliseconds=f"{late_us / 1000:.0f}")
                    self._faults[place] = replace(fault, reason=reason)
                return

    def extended(self, seat: int, by_us: int) -> None:
        """Note that the deadline of the seat's open question moved by so many microseconds.

        It must be told before what the question came to. Raises ValueError for a seat without a clock.
        """
        if self._seats[seat].no_clock:
            raise ValueError(f"seat {seat} has no clock, and no deadline that could move")
        decision = seat if self._round.phase is _PASS else len(self._took_us)
        self._extended[decision] = by_us

    def handed_over(self, seat: int) -> HandOver | None:
        """Return why the stand-in plays the rest of the match for this seat, or None while the bot plays."""
        return self._seats[seat].hand_over

    @property
    def plays_so_far(self) -> int:
        """Return the number of cards played in the current round."""
        return len(self._took_us) - self.players

    def result(self) -> MatchResult:
        """Return what is kept of the match. Raises ValueError before its end."""
        if not self.over:
            raise ValueError("the match is not over")
        charges = self._charges()
        ranks = self._places()
        seats = (
            SeatResult(points, charge, rank, s.faults, s.hand_over, s.hand_over_at, s.late)
            for s, points, charge, rank in zip(self._seats, self._scores, charges, ranks, strict=True)
        )
        return MatchResult(tuple(self._rounds), tuple(seats), tuple(sorted(self._faults, key=_when)))

    # Counting

    def _charges(self) -> list[int]:
        return [seat.charge(self._terms) for seat in self._seats]

    def _places(self) -> tuple[int, ...]:
        return tuple(places([p + c for p, c in zip(self._scores, self._charges(), strict=True)]))

    def _explain(self, illegal: Illegal, seat: int, cards: Sequence[str]) -> str:
        current = self._round
        phrases = self._phrases
        sent = " ".join(cards) or "no card"
        if illegal is Illegal.WRONG_COUNT:
            return FaultSentence.WRONG_COUNT.say(count=len(cards), sent=sent, wanted=current.pass_count)
        if illegal is Illegal.MUST_FOLLOW:
            led = phrases.suit_name(current.trick[0])
            legal = phrases.hand_text(current.legal())
            return FaultSentence.MUST_FOLLOW.say(sent=sent, led=led, legal=legal)
        assert illegal is Illegal.NOT_IN_HAND, "only a seat that is asked can answer"
        return FaultSentence.NOT_IN_HAND.say(sent=sent, hand=phrases.hand_text(current.hands[seat]))

    # The course of a round

    def _deal_round(self) -> None:
        number = len(self._rounds)
        self._round = Round.deal(self.setup.boards[number], dealer_of(number, self.players))
        self._took_us: list[int] = [0] * self.players
        self._by_stand_in: list[int] = []
        self._extended: dict[int, int] = {}
        self._phrases.begin_round(self._round, number, self._scores)

    def _advance(self) -> None:
        """Let the stand-in make every decision that is due at its seats."""
        while True:
            due = [seat for seat in self.waiting() if not self._seats[seat].by_bot]
            if not due:
                return
            self._stand_in(due[0], 0)

    def _stand_in(self, seat: int, took_us: int) -> None:
        current = self._round
        if current.phase is _PASS:
            question, legal, count = 0, current.hands[seat], current.pass_count
        else:
            question, legal, count = current.trick_number + 1, current.legal(), 1
        chosen = self._chooser(len(self._rounds), seat, question, legal, count)
        self._decide(seat, chosen, took_us, by_bot=False)

    def _decide(self, seat: int, cards: int, took_us: int, *, by_bot: bool) -> None:
        state = self._seats[seat]
        state.asked = False
        # Only the time beyond a move's own draws on the bank.
        if took_us > self._move_us and not state.no_clock:
            state.bank_us = max(0, state.bank_us + self._move_us - took_us)
        current = self._round
        if current.phase is _PASS:
            self._took_us[seat] = took_us
            if not by_bot:
                self._by_stand_in.append(seat)
            self._pass(seat, cards, by_bot=by_bot)
            return
        if not by_bot:
            self._by_stand_in.append(len(self._took_us))
        self._took_us.append(took_us)
        card = cards.bit_length() - 1
        self._phrases.played(seat, card, by_bot=by_bot)
        trick = current.apply(card)
        if trick is not None:
            self._phrases.taken(trick, current)
            if current.over:
                self._round_over()

    def _pass(self, seat: int, cards: int, *, by_bot: bool) -> None:
        current = self._round
        current.choose_pass(seat, cards)
        self._phrases.passed(seat, cards, by_bot=by_bot)
        if current.phase is _PLAY:
            self._phrases.begin_play(current)

    def _round_over(self) -> None:
        current = self._round
        points = tuple(current.points)
        plays = tuple(card for trick in current.tricks for card in trick.cards)
        self._scores = [score + extra for score, extra in zip(self._scores, points, strict=True)]
        record = RoundRecord(
            tuple(current.passed),
            plays,
            points,
            tuple(sorted(self._by_stand_in)),
            tuple(self._took_us),
            tuple(sorted(self._extended.items())),
        )
        self.news += self._phrases.round_over(self._by_bots(), points, self._scores)
        self._rounds.append(record)
        if len(self._rounds) < len(self.setup.boards):
            self._deal_round()
        else:
            self.over = True
            self.news += self._phrases.match_over(self._by_bots(), self._scores, self._places())

    def _by_bots(self) -> list[int]:
        """Return the seats that bots decide for."""
        return [seat for seat, state in enumerate(self._seats) if state.by_bot]
