"""Whole rounds played by choosers, with the messages that the protocol describes for each.

A chooser answers questions and hears news; a process is one, a function drawing lots another. The
rules come from `arena.papayoo`, which raises when an answer is illegal.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Protocol

from arena.papayoo import (
    CARD_NAMES,
    SUITS,
    Board,
    Round,
    Trick,
    cards_of,
    dealer_of,
    deck,
    hand_size,
    mask_of,
    names_of,
    parse_card,
    pass_count,
)
from protocol import CardAnswer, CardsAnswer
from tests.bots.programs import BotProcess

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
    for seat, chooser in enumerate(choosers):
        start = {"type": "start", "table": 3, "players": players, "seat": seat, "rounds": rounds}
        clocks = {"move_ms": MOVE_MS, "bank_ms": 0, "pass_count": pass_count(players)}
        chooser.tell(start | {"seed": chance.getrandbits(32)} | clocks)
    scores = [0] * players
    for number in range(rounds):
        table = _Table(choosers, number, scores, _board(players, chance), chance)
        scores = table.play()
    for chooser in choosers:
        places = [1 + sum(other < score for other in scores) for score in scores]
        chooser.tell({"type": "match_over", "table": 3, "scores": scores, "places": places, "events": []})
    return scores


def _board(players: int, chance: Random) -> Board:
    cards = cards_of(deck(players))
    chance.shuffle(cards)
    size = hand_size(players)
    hands = tuple(mask_of(cards[i * size : (i + 1) * size]) for i in range(players))
    return Board(hands, chance.randrange(4))


class _Table:
    """One round at a table: asks, applies, and gathers what each seat may know."""

    def __init__(
        self, choosers: list[Chooser], number: int, scores: list[int], board: Board, chance: Random
    ) -> None:
        self._choosers = choosers
        self._number = number
        self._scores = scores
        self._round = Round.deal(board, dealer_of(number, len(choosers)))
        self._chance = chance
        self._events: list[list[Message]] = [[] for _ in choosers]

    def play(self) -> list[int]:
        round_ = self._round
        for seat in range(round_.players):
            chosen = self._choosers[seat].choose(self._pass_question(seat))
            round_.choose_pass(seat, mask_of(map(parse_card, chosen)))
        self._tell_of_passing()
        while not round_.over:
            seat = round_.turn
            (card,) = self._choosers[seat].choose(self._play_question(seat))
            trick = round_.play(parse_card(card))
            self._tell_of_play(seat, card, trick)
        scores = [before + now for before, now in zip(self._scores, round_.points, strict=True)]
        for seat, chooser in enumerate(self._choosers):
            over = {"type": "round_over", "table": 3, "round": self._number, "points": round_.points}
            chooser.tell(over | {"scores": scores, "events": self._take_events(seat)})
        return scores

    def _tell_of_passing(self) -> None:
        round_ = self._round
        assert round_.papayoo_suit is not None
        papayoo = SUITS[round_.papayoo_suit] + "7"
        for seat, events in enumerate(self._events):
            passed, received = names_of(round_.passed[seat]), names_of(round_.received[seat])
            events.append({"event": "passed", "seat": seat, "cards": passed, "by": "bot"})
            events.append({"event": "received", "seat": seat, "cards": received})
            events.append({"event": "die", "seat": round_.dealer, "card": papayoo})

    def _tell_of_play(self, seat: int, card: str, trick: Trick | None) -> None:
        played = {"event": "played", "seat": seat, "card": card}
        for other, events in enumerate(self._events):
            events.append(played | {"by": "bot"} if other == seat else played)
            if trick is not None:
                cards = [CARD_NAMES[number] for number in trick.cards]
                events.append({"event": "taken", "seat": trick.taker, "cards": cards})

    def _take_events(self, seat: int) -> list[Message]:
        events, self._events[seat] = self._events[seat], []
        return events

    # The questions are those of the first arena, 0.1.0, which did not say `players`: no bot of ours needs it.
    def _common(self, kind: str) -> dict[str, object]:
        question_id = f"{self._chance.getrandbits(64):x}"
        return {"type": kind, "id": question_id, "table": 3, "round": self._number}

    def _end(self, seat: int) -> dict[str, object]:
        return {"scores": self._scores, "move_ms": MOVE_MS, "bank_ms": 0, "events": self._take_events(seat)}

    def _pass_question(self, seat: int) -> Message:
        round_ = self._round
        hand = {"seat": seat, "hand": names_of(round_.hands[seat]), "count": round_.pass_count}
        return self._common("pass") | {"dealer": round_.dealer} | hand | self._end(seat)

    def _play_question(self, seat: int) -> Message:
        round_ = self._round
        assert round_.papayoo_suit is not None
        who = {"trick_number": round_.trick_number, "dealer": round_.dealer, "leader": round_.leader}
        suit = {"papayoo_suit": SUITS[round_.papayoo_suit], "seat": seat}
        cards = {
            "hand": names_of(round_.hands[seat]),
            "legal": names_of(round_.legal()),
            "trick": [CARD_NAMES[card] for card in round_.trick],
            "received": names_of(round_.received[seat]),
            "passed": names_of(round_.passed[seat]),
        }
        points = {"points": list(round_.points)}
        return self._common("play") | who | suit | cards | points | self._end(seat)
