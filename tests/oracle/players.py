"""The bots of the recorded leagues: what each answers follows from the question alone.

The recorder starts this very file as a bot; the tests call `answer` in their own process. It needs nothing
but the standard library and, as a bot, the SDK beside it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from zlib import crc32

Question = Mapping[str, Any]
Answer = dict[str, Any] | bytes | None
"""A message without its `id`, a line as it is sent, or None for a bot that ends without a word."""


_DECK = [f"{suit}{rank}" for suit in "SHDC" for rank in range(2, 11)] + [f"P{rank}" for rank in range(1, 21)]


def _value(card: str) -> tuple[int, str]:
    return int(card[1:]), card


def _cards(cards: Iterable[str]) -> Answer:
    return {"type": "cards", "cards": list(cards)}


def _card(card: str) -> Answer:
    return {"type": "card", "card": card}


def _by_rank(pick: int) -> Callable[[Question], Answer]:
    """A player that knows nothing but ranks: it plays the lowest legal card, the highest or one between."""

    def choose(question: Question) -> Answer:
        if question["type"] == "pass":
            hand = sorted(question["hand"], key=_value, reverse=pick < 2)
            return _cards(hand[: question["count"]])
        legal = sorted(question["legal"], key=_value)
        return _card(legal[pick * len(legal) // 4])

    return choose


def _duck(question: Question) -> Answer:
    """Keep below the trick, and throw away what is dear. It passes high plain cards, and must have some."""
    if question["type"] == "pass":
        plain = [card for card in question["hand"] if card[0] != "P"]
        return _cards(sorted(plain, key=_value)[-question["count"] :])
    papayoo, trick = question["papayoo_suit"] + "7", question["trick"]

    def cost(card: str) -> int:
        return 40 if card == papayoo else int(card[1:]) if card[0] == "P" else 0

    legal = sorted(question["legal"], key=_value)
    if not trick:
        return _card(legal[0])
    led = trick[0][0]
    if legal[0][0] != led:
        return _card(max(legal, key=lambda card: (cost(card), *_value(card))))
    highest = max(int(card[1:]) for card in trick if card[0] == led)
    below = [card for card in legal if int(card[1:]) < highest]
    return _card(max(below, key=lambda card: (cost(card), *_value(card))) if below else legal[0])


def _chance(question: Question) -> Answer:
    """Play by a checksum of the whole question but its id and table: any change of it is another card."""
    shown = {key: value for key, value in question.items() if key not in ("id", "table")}
    number = crc32(json.dumps(shown, separators=(",", ":")).encode())
    if question["type"] == "pass":
        hand = question["hand"]
        return _cards(hand[(number + place) % len(hand)] for place in range(question["count"]))
    return _card(question["legal"][number % len(question["legal"])])


def _at(question: Question) -> tuple[int, int]:
    """Return the round, and the trick or -1 for the pass."""
    return question["round"], question.get("trick_number", -1)


def _careless(question: Question) -> Answer:
    """Break the rules of the game: a card twice, a card too few, one that it has not."""
    good = _duck(question)
    hand = question["hand"]
    if _at(question) == (0, -1):
        return _cards([hand[0], *hand[: question["count"] - 1]])
    if _at(question) == (1, -1):
        return _cards(hand[: question["count"] - 1])
    if _at(question) == (1, 2):
        return _card(next(card for card in _DECK if card not in hand))
    return good


def _revoking(question: Question) -> Answer:
    """Do not follow suit in two tricks where that is asked."""
    if question["type"] == "play" and _at(question) in ((0, 1), (2, 3)):
        forbidden = [card for card in question["hand"] if card not in question["legal"]]
        return _card(forbidden[0]) if forbidden else _duck(question)
    return _by_rank(1)(question)


def _babbling(question: Question) -> Answer:
    """Send what is no answer: no message, one of another type, one to a question that was never asked."""
    if _at(question) == (0, 3):
        return b"what?\n"
    if _at(question) == (1, -1):
        return _card(question["hand"][0])
    if _at(question) == (2, 5):
        return {"type": "card", "id": "0" * 12, "card": question["legal"][0]}
    return _by_rank(2)(question)


def _stubborn(question: Question) -> Answer:
    """Play cards that it has not until that ends its match."""
    if _at(question)[0] == 1 and question["type"] == "play":
        return _card(next(card for card in _DECK if card not in question["hand"]))
    return _by_rank(0)(question)


def _crashing(question: Question) -> Answer:
    """End in the middle of the second round."""
    return None if _at(question) == (1, 4) else _duck(question)


def _shaky(question: Question) -> Answer:
    """End in some matches: where it holds two certain cards in the first round."""
    if _at(question) == (0, 0) and {"S2", "S3"} <= {*question["hand"]}:
        return None
    return _duck(question)


PLAYERS: dict[str, Callable[[Question], Answer]] = {
    "low": _by_rank(0),
    "middle": _by_rank(1),
    "upper": _by_rank(2),
    "high": _by_rank(3),
    "duck": _duck,
    "chance": _chance,
    "careless": _careless,
    "revoking": _revoking,
    "babbling": _babbling,
    "stubborn": _stubborn,
    "crashing": _crashing,
    "shaky": _shaky,
}


def answer(player: str, question: Question) -> Answer:
    """Return what a player answers. A message without an `id` has that of the question."""
    found = PLAYERS[player](question)
    return {"type": "", "id": question["id"], **found} if isinstance(found, dict) else found
