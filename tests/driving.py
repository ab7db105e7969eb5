"""Plays matches without processes or clocks, with bots that answer, err, crash and are late by dice.

What a seat does depends only on the conduct's seed, the seat and the question. So a match that is played
twice can differ only in the order in which the answers arrive.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from hypothesis import strategies as st

from arena.deals import Deals, MatchKey
from arena.match.faults import Fault, FaultKind
from arena.match.game import Match, MatchResult, Question, addressed
from arena.match.question_ids import QuestionIds
from arena.match.record import MatchRecord, MatchSetup, SeatRecord, Terms
from arena.match.stand_in import Chooser, from_deals
from arena.papayoo import SUITS
from protocol import encode
from protocol.messages import CARDS
from tests.papayoo.setups import SIZES, shuffled_board

KEY = MatchKey(3, 1, 4)
MISDEEDS = (FaultKind.ILLEGAL, FaultKind.BAD_MESSAGE, FaultKind.TIMEOUT, FaultKind.TIMEOUT)
ENDINGS = (FaultKind.CRASHED, FaultKind.FLOOD, FaultKind.RESOURCE)
QUIET_TERMS = Terms(move_ms=1000, bank_ms=0, fault_points=40, max_faults=3)


@dataclass(frozen=True)
class Conduct:
    """The conduct of the bots of a match.

    `trouble`: by seat, the share of questions that its bot fails. `dead`: the seats whose bot never starts.
    """

    seed: int
    trouble: tuple[float, ...]
    dead: frozenset[int] = frozenset()

    def dice(self, question: Question) -> Random:
        """Return the dice for what the seat does at this question."""
        return Random(f"{self.seed}|{question.seat}|{question.round}|{question.number}")


@dataclass
class Told:
    """The messages, answers and faults of one seat, in order."""

    messages: list[dict[str, object]] = field(default_factory=list)
    lines: list[bytes] = field(default_factory=list)
    misdeeds: list[FaultKind | None] = field(default_factory=list)
    """For each question the fault, or None for an answer that was accepted."""
    late_before: list[int] = field(default_factory=list)
    """For each question the number of late answers that came before it was settled."""


@dataclass(frozen=True)
class Played:
    """A match that was played to its end."""

    setup: MatchSetup
    result: MatchResult
    told: list[Told]
    record: MatchRecord


def chooser() -> Chooser:
    """Return the stand-in of all matches of this module."""
    return from_deals(Deals(bytes(32)), KEY)


def make_setup(players: int, rounds: int, seed: int = 0, terms: Terms = QUIET_TERMS) -> MatchSetup:
    """Return a setup with random boards and random letters of the suits."""
    rng = Random(f"{seed}|{players}|{rounds}")
    boards = tuple(shuffled_board(players, rng) for _ in range(rounds))
    suits = "".join(rng.sample(SUITS[:4], 4))
    return MatchSetup(boards, suits, tuple(rng.getrandbits(32) for _ in range(players)), terms)


def faultless(players: int, seed: int = 0) -> Conduct:
    """Return the conduct of bots that always answer legally."""
    return Conduct(seed, (0.0,) * players)


class _Driver:
    def __init__(self, setup: MatchSetup, conduct: Conduct, arrival: Random | None) -> None:
        self.match = Match(setup, chooser())
        self.told = [Told() for _ in range(setup.players)]
        self.keys = [f"{conduct.seed:08x}{seat:02x}" for seat in range(setup.players)]
        self._ids = [QuestionIds(key) for key in self.keys]
        self._open_ids = [""] * len(self.keys)
        self._setup = setup
        self._conduct = conduct
        self._arrival = arrival
        self._bank_us = [setup.terms.bank_ms * 1000] * setup.players
        self._unanswered: list[list[Question]] = [[] for _ in range(setup.players)]

    def play(self) -> None:
        match = self.match
        for seat in sorted(self._conduct.dead):
            match.fault(Fault(seat, FaultKind.START_FAILED, "not ready"))
        match.begin()
        while not match.over:
            self._tell_news()
            waiting = match.waiting()
            assert waiting, "a match that is not over waits for somebody"
            if self._arrival is None:
                self._settle(self._ask(waiting[0]))
            else:
                self._arrival.shuffle(waiting)
                questions = [self._ask(seat) for seat in waiting]
                assert match.waiting() == []
                self._arrival.shuffle(questions)
                for question in questions:
                    self._settle(question)
        self._tell_news()

    def _tell_news(self) -> None:
        for seat, message in self.match.take_news():
            self._sent(seat, addressed(message, seat + 7))

    def _sent(self, seat: int, message: dict[str, object]) -> None:
        self.told[seat].messages.append(message)
        self.told[seat].lines.append(encode(message))

    def _ask(self, seat: int) -> Question:
        question = self.match.ask(seat)
        assert question.limit_us == self._setup.terms.move_ms * 1000 + self._bank_us[seat]
        assert question.message["bank_ms"] == self._bank_us[seat] // 1000
        self._open_ids[seat] = next(self._ids[seat])
        self._sent(seat, addressed(question.message, seat + 7, self._open_ids[seat]))
        return question

    def _settle(self, question: Question) -> None:
        seat = question.seat
        dice = self._conduct.dice(question)
        self._late_answers(seat, dice)
        misdeed = None
        if dice.random() < self._conduct.trouble[seat]:
            misdeed = dice.choice(ENDINGS if dice.random() < 0.05 else MISDEEDS)
        self.told[seat].misdeeds.append(misdeed)
        took_us = dice.randrange(question.limit_us)
        if misdeed is FaultKind.TIMEOUT:
            took_us = question.limit_us + dice.randrange(3000)
            self._unanswered[seat].append(question)
        self._charge(seat, took_us)
        if by_us := extension(question):
            self.match.extended(seat, by_us)
        if misdeed is None:
            self._answer(question, dice, took_us)
        else:
            self._misdeed(question, misdeed, dice, took_us)

    def _late_answers(self, seat: int, dice: Random) -> None:
        came = [question for question in self._unanswered[seat] if dice.random() < 0.5]
        self.told[seat].late_before.append(len(came))
        for question in came:
            self._unanswered[seat].remove(question)
            self.match.late_answer(seat)
            self.match.explain_late(question, 12_345)

    def _charge(self, seat: int, took_us: int) -> None:
        overrun = max(0, took_us - self._setup.terms.move_ms * 1000)
        self._bank_us[seat] = max(0, self._bank_us[seat] - overrun)

    def _answer(self, question: Question, dice: Random, took_us: int) -> None:
        message = question.message
        if question.is_pass:
            cards = dice.sample(message["hand"], message["count"])
            ordered = sorted(cards, key=CARDS.index)
            answer = {"type": "cards", "id": self._open_ids[question.seat], "cards": ordered}
        else:
            cards = [dice.choice(message["legal"])]
            answer = {"type": "card", "id": self._open_ids[question.seat], "card": cards[0]}
        self.told[question.seat].lines.append(encode(answer))
        assert self.match.answer(question.seat, cards, took_us) is None

    def _misdeed(self, question: Question, kind: FaultKind, dice: Random, took_us: int) -> None:
        reason = "as the dice fell"
        sent = ""
        if kind is FaultKind.ILLEGAL:
            cards = illegal_cards(question, dice)
            refusal = self.match.answer(question.seat, cards, took_us)
            assert refusal is not None
            reason, sent = refusal, " ".join(cards)
        number, place = question.round, question.number
        self.match.fault(Fault(question.seat, kind, reason, number, place, sent, took_us))


def extension(question: Question) -> int:
    """Return by how much the deadline of a question is said to have moved: mostly by nothing."""
    return 0 if (question.number + question.round) % 7 else 1000 * (question.seat + 1)


def illegal_cards(question: Question, dice: Random) -> list[str]:
    """Return an answer to this question that the rules forbid, in a random way."""
    message = question.message
    hand: list[str] = message["hand"]
    strange = [card for card in CARDS if card not in hand]
    if not question.is_pass:
        return [dice.choice([card for card in CARDS if card not in message["legal"]])]
    count: int = message["count"]
    right = dice.sample(hand, count)
    ways = [right[1:], [], [right[0], *right[:-1]], [*right[1:], dice.choice(strange)]]
    return dice.choice([*ways, dice.sample(hand, count + 1)])


def play(setup: MatchSetup, conduct: Conduct, arrival: Random | None = None) -> Played:
    """Play a match to its end. With `arrival`, all waiting seats are asked at once and answer at random."""
    driver = _Driver(setup, conduct, arrival)
    driver.play()
    result = driver.match.result()
    seats = tuple(
        SeatRecord(
            f"bot{seat}",
            ended.points,
            ended.charge,
            ended.place,
            ended.faults,
            ended.hand_over,
            ended.hand_over_at,
            ended.late,
            id_key=driver.keys[seat],
            table=seat + 7,
        )
        for seat, ended in enumerate(result.seats)
    )
    record = MatchRecord(KEY, setup, seats, result.rounds, result.faults, 0, 1)
    return Played(setup, result, driver.told, record)


TERMS = st.builds(
    Terms,
    move_ms=st.sampled_from((1, 1000)),
    bank_ms=st.sampled_from((0, 2, 7, 30_000)),
    fault_points=st.sampled_from((0, 1, 40)),
    max_faults=st.integers(1, 6),
)


@st.composite
def setups(draw: st.DrawFn) -> MatchSetup:
    """Draw a setup of any size, of one to four rounds."""
    players = draw(st.sampled_from(SIZES))
    return make_setup(players, draw(st.integers(1, 4)), draw(st.integers(0, 2**32)), draw(TERMS))


@st.composite
def matches(draw: st.DrawFn) -> tuple[MatchSetup, Conduct]:
    """Draw a setup, and bots that fail never, now and then, often or always."""
    setup = draw(setups())
    share = st.sampled_from((0.0, 0.0, 0.03, 0.2, 1.0))
    trouble = tuple(draw(share) for _ in range(setup.players))
    dead = draw(st.just(frozenset()) | st.frozensets(st.integers(0, setup.players - 1)))
    return setup, Conduct(draw(st.integers(0, 2**32 - 1)), trouble, dead)
