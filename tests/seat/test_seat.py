"""A person's seat: its view agrees with the rules, hides what is hidden, and refuses slips."""

from __future__ import annotations

from dataclasses import asdict, replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.faults import Fault, FaultKind
from arena.match.game import Match, addressed
from arena.match.question_ids import QuestionIds
from arena.match.relabel import Relabelling
from arena.papayoo import Phase, Round, dealer_of, left_of
from arena.seat.seat import Refused, Seat
from arena.seat.view import Fallen, Stage, View
from protocol import encode
from protocol.messages import CARDS, CardsAnswer, Ready, read_answer
from tests.driving import QUIET_TERMS, chooser, make_setup
from tests.examples import examples
from tests.papayoo.setups import SIZES


class Table:
    """A match whose seats are all people, and beside it the round by the rules alone."""

    def __init__(self, players: int, rounds: int, seed: int) -> None:
        self.setup = make_setup(players, rounds, seed, replace(QUIET_TERMS, max_faults=9))
        self.match = Match(self.setup, chooser())
        self.names = Relabelling(self.setup.suits)
        self.seats = [Seat() for _ in range(players)]
        self.dice = Random(seed)
        self.scores = [0] * players
        self._ids = QuestionIds("0123456789")
        self._number = 0
        self._deal()
        self.match.begin()
        self.tell()

    def _deal(self) -> None:
        players = self.setup.players
        self.truth = Round.deal(self.setup.boards[self._number], dealer_of(self._number, players))
        self.dealt = list(self.truth.hands)
        self.fallen = 0

    def tell(self) -> None:
        for seat, message in self.match.take_news():
            self.hear(seat, encode(addressed(message, 0)))

    def hear(self, seat: int, line: bytes) -> None:
        self.seats[seat].heard(line)
        self.check_secrets()

    def ask(self) -> View:
        """Put the next question, and return what its seat sees then."""
        self.question = self.match.ask(self.match.waiting()[0])
        self.asked_as = next(self._ids)
        asked = addressed(self.question.message, 0, self.asked_as)
        self.hear(self.question.seat, encode(asked))
        return self.seats[self.question.seat].view

    def choose(self) -> tuple[str, ...]:
        view = self.seats[self.question.seat].view
        return tuple(self.dice.sample(view.legal, view.count))

    def answer(self, cards: tuple[str, ...]) -> None:
        """Let the asked seat answer, and the rules follow."""
        seat = self.question.seat
        answer = read_answer(self.seats[seat].answer(cards))
        assert not isinstance(answer, Ready)
        assert answer.id == self.asked_as
        assert isinstance(answer, CardsAnswer) == self.question.is_pass
        assert self.match.answer(seat, answer.cards, 0) is None
        self._follow(seat, cards)
        self.check_secrets()

    def _follow(self, seat: int, cards: tuple[str, ...]) -> None:
        chosen = self.names.cards(cards)
        assert chosen is not None
        if self.question.is_pass:
            self.truth.choose_pass(seat, chosen)
            return
        self.fallen |= chosen
        self.truth.play(chosen.bit_length() - 1)

    def next_round(self) -> None:
        """Note that the round is over, tell of it, and deal the next one."""
        self.scores = [a + b for a, b in zip(self.scores, self.truth.points, strict=True)]
        self._number += 1
        self.tell()
        if not self.match.over:
            self._deal()

    def shown(self, cards: int) -> tuple[str, ...]:
        return tuple(self.names.names(cards))

    def check_secrets(self) -> None:
        """No view holds a card that its seat may not know: dealt to it, received, or on the table."""
        for seat, of in enumerate(self.seats):
            if of.view.stage not in (Stage.PASSING, Stage.PLAYING):
                continue  # all the cards of a round that is over have been on the table
            known = self.dealt[seat] | self.fallen
            if self.truth.phase is Phase.PLAY:
                known |= self.truth.received[seat]
            assert cards_in(asdict(of.view)) <= set(self.shown(known))


def cards_in(value: object) -> set[str]:
    """Every card that is named anywhere in a value, but the Papayoo of the die, which all see."""
    if isinstance(value, dict):
        return set().union(*(cards_in(one) for key, one in value.items() if key != "papayoo"))
    if isinstance(value, (list, tuple)):
        return set().union(*map(cards_in, value))
    return {value} & set(CARDS) if isinstance(value, str) else set()


def check_question(table: Table, view: View) -> None:
    truth, seat = table.truth, table.question.seat
    assert (view.seat, view.dealer, view.round) == (seat, truth.dealer, table.question.round)
    assert (view.left, view.right) == (left_of(seat, len(table.seats)), (seat - 1) % len(table.seats))
    assert view.hand == table.shown(truth.hands[seat])
    assert view.points == tuple(truth.points)
    assert view.scores == tuple(table.scores)
    assert view.turn == seat
    if truth.phase is Phase.PASS:
        assert (view.stage, view.legal, view.count) == (Stage.PASSING, view.hand, truth.pass_count)
        assert view.tricks == view.trick == view.passed == view.received == ()
        return
    assert (view.stage, view.legal, view.count) == (Stage.PLAYING, table.shown(truth.legal()), 1)
    assert [one.card for one in view.trick] == [table.names.card_names[card] for card in truth.trick]
    assert [one.seat for one in view.trick] == [
        (truth.leader + place) % len(table.seats) for place in range(len(truth.trick))
    ]
    assert view.passed == table.shown(truth.passed[seat])
    assert view.received == table.shown(truth.received[seat])
    assert view.trick_number == truth.trick_number
    check_tricks(table, view)


def check_tricks(table: Table, view: View) -> None:
    for taken, trick in zip(view.tricks, table.truth.tricks, strict=True):
        assert [table.names.card_names[card] for card in trick.cards] == [one.card for one in taken.cards]
        assert (taken.cards[0].seat, taken.taker) == (trick.leader, trick.taker)
    points = [0] * view.players
    for taken in view.tricks:
        points[taken.taker] += taken.points
    assert tuple(points) == view.points


def check_after(table: Table, view: View, cards: tuple[str, ...]) -> None:
    """What a seat sees when it has just answered: its own card is on the table, and whose turn it is."""
    truth = table.truth
    assert (view.question, view.legal, view.count) == ("", (), 0)
    if table.question.is_pass:
        assert (view.turn, set(view.passed)) == (None, set(cards))
        assert not set(view.hand) & set(cards)
        return
    assert view.trick[-1] == Fallen(view.seat, cards[0])
    assert view.turn == (None if truth.over else truth.turn)
    assert view.hand == table.shown(truth.hands[view.seat])


@examples(20)
@given(st.sampled_from(SIZES), st.integers(1, 3), st.integers(0, 2**32))
def test_at_every_step_the_view_agrees_with_the_rules(players: int, rounds: int, seed: int) -> None:
    table = Table(players, rounds, seed)
    assert {seat.view.stage for seat in table.seats} == {Stage.BEFORE}
    while not table.match.over:
        check_question(table, table.ask())
        cards = table.choose()
        table.answer(cards)
        check_after(table, table.seats[table.question.seat].view, cards)
        if table.truth.over:
            table.next_round()
            if not table.match.over:
                assert {seat.view.stage for seat in table.seats} == {Stage.ROUND_OVER}
    result = table.match.result()
    for seat in table.seats:
        assert seat.view.stage is Stage.MATCH_OVER
        assert seat.view.totals == tuple(ended.points for ended in result.seats)
        assert seat.view.places == tuple(ended.place for ended in result.seats)
        check_tricks(table, seat.view)
        assert len(seat.view.tricks) == len(table.truth.tricks)


def test_a_bye_ends_what_is_asked() -> None:
    table = Table(3, 1, 1)
    table.ask()
    seat = table.seats[0]
    seat.heard(encode({"type": "bye", "reason": "the stand-in has taken over: flood"}))
    assert (seat.view.bye, seat.view.question) == ("the stand-in has taken over: flood", "")
    with pytest.raises(Refused, match="The match is over for you"):
        seat.answer(seat.view.hand[:5])


def refusal(seat: Seat, *cards: str, question: str | None = None) -> str:
    before = seat.view
    with pytest.raises(Refused) as refused:
        seat.answer(cards, question)
    assert seat.view is before
    return refused.value.sentence


def test_a_wrong_pass_is_refused_in_a_sentence_and_costs_nothing() -> None:
    table = Table(3, 1, 2)
    view = table.ask()
    seat, mine = table.seats[0], view.hand
    foreign = next(card for card in CARDS if card not in mine)
    assert refusal(seat) == "Pass 5 cards, not none."
    assert refusal(seat, *mine[:4]) == "Pass 5 cards, not 4."
    assert refusal(seat, *mine[:6]) == "Pass 5 cards, not 6."
    assert refusal(seat, *mine[:4], foreign) == f"You do not hold {foreign}."
    assert refusal(seat, *mine[:4], mine[0]) == f"{mine[0]} is there twice, and you hold it once."
    assert refusal(seat, "S11") == "S11 is no card: S, H, D and C go from 1 to 10, and P from 1 to 20."
    table.answer(mine[:5])


def test_a_card_that_does_not_follow_suit_is_refused_with_those_that_do() -> None:
    table = Table(4, 1, 3)
    while True:
        view = table.ask()
        if view.stage is Stage.PLAYING and len(view.legal) < len(view.hand):
            break
        table.answer(table.choose())
    seat = table.seats[view.seat]
    other = next(card for card in view.hand if card not in view.legal)
    word = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", "P": "Payoo"}[view.legal[0][0]]
    held = " ".join(view.legal)
    assert refusal(seat, other) == f"{other} does not follow suit: {word} led, and you hold {held}."
    assert refusal(seat, *view.hand[:2]) == "Play one card, not 2."
    table.answer(view.legal[:1])
    assert refusal(seat, view.legal[0]) == "You have answered already; now it is for the others to choose."


def test_a_second_answer_to_the_same_question_is_refused() -> None:
    table = Table(3, 1, 4)
    view = table.ask()
    seat, cards = table.seats[0], view.hand[:5]
    table.answer(cards)
    said = "You have answered already; now it is for the others to choose."
    assert refusal(seat, *cards, question=view.question) == said
    for _ in range(2):
        table.ask()
        table.answer(table.choose())
    later = table.ask()
    assert later.seat == 0
    said = "That question is answered already; the cards on the table have changed."
    assert refusal(seat, later.legal[0], question=view.question) == said
    table.seats[0].answer(later.legal[:1], later.question)


def test_what_the_stand_in_does_in_ones_place_is_counted() -> None:
    table = Table(3, 1, 6)
    view = table.ask()
    table.match.fault(Fault(0, FaultKind.TIMEOUT, "nothing", 0, 0))
    table.seats[0].answer(view.hand[:5])  # it was too late
    for _ in range(2):
        question = table.match.ask(table.match.waiting()[0])
        cards = question.message["hand"][:5]
        assert table.match.answer(question.seat, cards, 0) is None
    question = table.match.ask(0)
    seen = table.seats[0].heard(encode(addressed(question.message, 0, "id")))
    assert seen.stood_in == 1
    assert seen.passed == tuple(question.message["passed"])
    assert seen.hand == tuple(question.message["hand"])
