"""What everybody sees of a table: every card as it falls, who is thinking, and nothing that is hidden."""

from __future__ import annotations

from dataclasses import asdict
from random import Random

import pytest

from arena.match.faults import Fault, FaultKind
from arena.match.game import Match, Question, addressed
from arena.match.question_ids import QuestionIds
from arena.papayoo import POINTS_PER_ROUND
from arena.seat.onlooker import Onlooker, TableSeen
from protocol import decode, encode
from protocol.messages import CARDS, answer_line
from tests.driving import chooser, make_setup
from tests.papayoo.setups import SIZES


class Watched:
    """A match of so many players, and somebody who hears every line. `faults`: seats that are always late."""

    def __init__(self, players: int, rounds: int = 2, seed: int = 0, faults: tuple[int, ...] = ()) -> None:
        self.match = Match(make_setup(players, rounds, seed), chooser())
        self.onlooker = Onlooker(players)
        self.players = players
        self.fallen: list[list[str]] = [[] for _ in range(rounds)]
        self.chosen: set[str] = set()
        self._faults = faults
        self._dice = Random(seed)
        self._ids = [QuestionIds(f"{seat:010x}") for seat in range(players)]
        self._waiting: list[list[bytes]] = [[] for _ in range(players)]
        self.match.begin()

    @property
    def seen(self) -> TableSeen:
        return self.onlooker.seen

    def _hear(self, seat: int, line: bytes, *, from_bot: bool = False) -> None:
        self.onlooker.heard(seat, from_bot, line)

    def news(self) -> None:
        for seat, message in self.match.take_news():
            self._waiting[seat].append(encode(addressed(message, 0)))
            if self.match.over:
                self._flush(seat)

    def _flush(self, seat: int) -> None:
        for line in self._waiting[seat]:
            self._hear(seat, line)
        self._waiting[seat].clear()

    def ask_all(self) -> list[tuple[Question, bytes, str]]:
        """Put all questions that can be put now, in any order."""
        self.news()
        asked = []
        for seat in self._dice.sample(waiting := self.match.waiting(), len(waiting)):
            question, its_id = self.match.ask(seat), next(self._ids[seat])
            line = encode(addressed(question.message, 0, its_id))
            self._flush(seat)
            self._hear(seat, line)
            asked.append((question, line, its_id))
        return asked

    def settle(self, question: Question, line: bytes, its_id: str) -> None:
        seat, message = question.seat, decode(line)
        if seat in self._faults:
            late = Fault(seat, FaultKind.TIMEOUT, "late", question.round, question.number)
            self.match.fault(late)
            if self.match.handed_over(seat):
                self.onlooker.out(seat)
        else:
            count = message.get("count", 1)
            assert isinstance(count, int)
            cards = self._dice.sample(message["hand" if question.is_pass else "legal"], count)
            self._hear(seat, answer_line(its_id, cards if question.is_pass else cards[0]), from_bot=True)
            assert self.match.answer(seat, cards, 0) is None
            if not question.is_pass:
                self.fallen[question.round] += cards
        self.news()

    def play(self) -> None:
        while not self.match.over:
            for question in self.ask_all():
                self.settle(*question)
        self.news()


@pytest.mark.parametrize("players", SIZES)
def test_every_card_is_seen_as_soon_as_the_next_seat_is_asked(players: int) -> None:
    watched = Watched(players, seed=players)
    while not watched.match.over:
        asked = watched.ask_all()
        assert watched.seen.thinking == {question.seat for question, _, _ in asked}
        for question, line, its_id in asked:
            now = watched.seen.rounds[question.round]
            played = [one.card for trick in now.tricks for one in trick.cards]
            played += [one.card for one in now.trick]
            assert played == watched.fallen[question.round]
            if not question.is_pass:
                assert (now.leader + len(now.trick)) % players == question.seat
            watched.settle(question, line, its_id)
            assert question.seat not in watched.seen.thinking
    watched.news()
    assert sorted(watched.seen.places)[0] == 1
    assert watched.seen.thinking == frozenset()
    for number, now in enumerate(watched.seen.rounds):
        assert (now.number, now.dealer, now.trick) == (number, number, ())
        assert sum(trick.points for trick in now.tricks) == POINTS_PER_ROUND
        assert [one.card for trick in now.tricks for one in trick.cards] == watched.fallen[number]
        assert [one.cards[0].seat for one in now.tricks[1:]] == [one.taker for one in now.tricks[:-1]]
        assert now.stood_in == frozenset()


@pytest.mark.parametrize("faults", [(1,), (0, 2), (0, 1, 2, 3)])
def test_nothing_hidden_is_seen_and_cards_of_the_stand_in_are_marked(faults: tuple[int, ...]) -> None:
    watched = Watched(4, seed=5, faults=faults)
    while not watched.match.over:
        for question in watched.ask_all():
            rounds = asdict(watched.seen)["rounds"]
            shown = {word for word in str(rounds).replace("'", " ").split() if word in CARDS}
            allowed = {one.card for now in watched.seen.rounds for trick in now.tricks for one in trick.cards}
            allowed |= {one.card for one in watched.seen.rounds[-1].trick}
            assert shown <= allowed | {now.papayoo for now in watched.seen.rounds}
            watched.settle(*question)
    watched.news()
    if len(faults) == 4:
        return  # nobody is told of anything any more
    for now in watched.seen.rounds[1:]:
        by_faulty = {one.card for trick in now.tricks for one in trick.cards if one.seat in faults}
        assert now.stood_in == by_faulty
