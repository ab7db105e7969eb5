"""Makes cards, groups of cards and sentences with cards, as markup.

The letter of the suit and the rank are text; the style sheet adds the symbol. Cards come here only under the
names that may be shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup, escape

from arena.papayoo import parse_card
from reports.text import visible


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card on a page: its `name`, "S7", and whether it scores 40.

    ValueError for what is no card: so markup may have the name as it is.
    """

    name: str
    papayoo: bool = False

    def __post_init__(self) -> None:
        """Refuse what is no card."""
        parse_card(self.name)

    @property
    def suit(self) -> str:
        """Return the letter of its suit in lower case, also its class in the style sheet."""
        return self.name[0].lower()


@dataclass(frozen=True, slots=True)
class CardGroup:
    """Cards of one suit. `suit`: its letter in lower case, the class in the style sheet."""

    suit: str
    cards: tuple[CardFace, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence: text, or a card, which stands apart from it."""

    text: str
    card: CardFace | None = None


Sentence = tuple[Part, ...]


def named_faces(names: Iterable[str], papayoo: str) -> tuple[CardGroup, ...]:
    """Return cards by suit, in the order of their names given. `papayoo`: the name of the one that is it."""
    shown = (CardFace(name, papayoo=name == papayoo) for name in names)
    return tuple(CardGroup(suit, tuple(own)) for suit, own in groupby(shown, key=lambda face: face.suit))


def card(face: CardFace) -> Markup:
    """Return a card in a sentence. Its suit is the class: the style sheet adds the symbol."""
    return Markup(f"<i class={face.suit}>{card_name(face)}</i>")  # noqa: S704 - the name of a card


def card_name(face: CardFace) -> Markup:
    """Return the name of a card that stands among others of its suit."""
    return Markup(f"<b>{face.name}</b>" if face.papayoo else face.name)  # noqa: S704 - the name of a card


def told(sentence: Sentence) -> Markup:
    """Return a sentence in which cards stand apart from the text."""
    return Markup().join(card(part.card) if part.card else escape(visible(part.text)) for part in sentence)
