"""Whole matches played by choosers, who are asked and told what bots are.

A chooser answers questions and hears news; a process is one, a function drawing lots another.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from random import Random
from typing import Any, Protocol

from arena.match.game import Match, addressed
from arena.match.record import MatchSetup, Terms
from protocol import CardAnswer, CardsAnswer, decode, encode
from tests.bots.programs import BotProcess
from tests.papayoo.setups import shuffled_board

Message = Mapping[str, Any]

MOVE_MS = 30
"""The time for an answer that bots are told of: little, for the sake of those that use it. Not enforced."""


class Chooser(Protocol):
    """Whoever decides for a seat."""

    def tell(self, message: Message) -> None:
        """Hear news."""

    def choose(self, question: Message) -> list[str]:
        """Answer a question with names of cards: one for `play`."""


class Lots:
    """Chooses at random."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def tell(self, message: Message) -> None:
        """Lots need no news."""

    def choose(self, question: Message) -> list[str]:
        cards, count = question.get("legal"), 1
        if cards is None:
            cards, count = question["hand"], question["count"]
        chosen: list[str] = self._chance.sample(cards, count)
        return chosen


class Process:
    """Asks a bot, and keeps what it chose."""

    def __init__(self, bot: BotProcess) -> None:
        self._bot = bot
        self.chosen: list[list[str]] = []

    def tell(self, message: Message) -> None:
        self._bot.tell(message)

    def choose(self, question: Message) -> list[str]:
        answer = self._bot.ask(question)
        if question["type"] == "play":
            assert isinstance(answer, CardAnswer)
            cards = [answer.card]
        else:
            assert isinstance(answer, CardsAnswer)
            cards = list(answer.cards)
            assert len(set(cards)) == len(cards)
        self.chosen.append(cards)
        return cards


class Twins:
    """Asks two bots and demands the same answer from both."""

    def __init__(self, one: Process, other: Process) -> None:
        self._one, self._other = one, other

    def tell(self, message: Message) -> None:
        self._one.tell(message)
        self._other.tell(message)

    def choose(self, question: Message) -> list[str]:
        chosen = self._one.choose(question)
        assert sorted(self._other.choose(question)) == sorted(chosen), question
        return chosen


def play_match(choosers: list[Chooser], rounds: int, chance: Random) -> list[int]:
    """Play a match; `choosers` by seat. Returns the scores by seat."""
    players = len(choosers)
    boards = tuple(shuffled_board(players, chance) for _ in range(rounds))
    seeds = tuple(chance.getrandbits(32) for _ in choosers)
    match = Match(MatchSetup(boards, "SHDC", seeds, Terms(MOVE_MS, 0, 40, 3)), _no_stand_in)
    match.begin()
    for number in count():
        for seat, message in match.take_news():
            choosers[seat].tell(_as_sent(message))
        if match.over:
            break
        question = match.ask(match.next_waiting)
        chosen = choosers[question.seat].choose(_as_sent(question.message, f"{number:012x}"))
        assert match.answer(question.seat, chosen, 0) is None
    return [seat.points for seat in match.result().seats]


def _as_sent(message: Message, question_id: str = "") -> Message:
    return decode(encode(addressed(message, 3, question_id) if question_id else addressed(message, 3)))


def _no_stand_in(*_: object) -> int:
    raise AssertionError("nobody makes a fault")
