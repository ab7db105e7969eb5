"""Puts decisions of a match into words and cards, as its page shows them. It reads nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from reports.pages.rounds import CardFace
from reports.text import points


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Cards of one suit. `suit`: its letter in lower case, the class in the style sheet."""

    suit: str
    cards: tuple[CardFace, ...]


def plus_minus(value: float, error: float | None, digits: int = 1) -> str:
    """Return a number with its standard error: "4.2 ± 0.6"; without one, the number."""
    return points(value, digits) + ("" if error is None else f" ± {points(error, digits)}")


def decision_words(round_: int, question: int) -> str:
    """Return which decision of a match it is: "round 1, pass", "round 1, trick 3"."""
    return f"round {round_}, trick {question - 1}" if question else f"round {round_}, pass"


def named_faces(names: Iterable[str], papayoo: str) -> tuple[CardGroup, ...]:
    """Return cards by suit, in the order of their names given. `papayoo`: the name of the one that is it."""
    shown = (CardFace(name, papayoo=name == papayoo) for name in names)
    return tuple(CardGroup(suit, tuple(own)) for suit, own in groupby(shown, key=lambda face: face.suit))
