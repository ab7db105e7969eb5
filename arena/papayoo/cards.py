"""The sixty cards as small integers, and sets of cards as bitmasks.

A card is an int 0..59: S1-S10 are 0-9, H 10-19, D 20-29, C 30-39, P1-P20 (Payoo) 40-59. Cards are listed
in ascending order of these ints everywhere: S, H, D, C, P, each by rank. A suit is an int 0..4, the
index of its letter in `SUITS`. A set of cards is an int with bit number `card` set for each card in it;
union, difference and intersection are `|`, `& ~` and `&`, and `mask.bit_count()` is a set's size.

This module knows cards only. It must not know who holds them, what they score, or which of them a table
plays with.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

SUITS: Final = "SHDCP"
"""The letters of the suits in the order of the suit numbers 0..4: spades, hearts, diamonds, clubs, Payoo."""

PAYOO: Final = 4
"""The suit number of Payoo, whose ranks go to 20. The four plain suits are 0..3; their ranks go to 10."""

CARDS: Final = 60
"""The number of cards. Every card is an int below it."""

_FIRST_CARDS: Final = (0, 10, 20, 30, 40, CARDS)  # of each suit, and one past the end

CARD_NAMES: Final[tuple[str, ...]] = tuple(
    f"{letter}{card - first + 1}"
    for letter, (first, end) in zip(SUITS, pairwise(_FIRST_CARDS), strict=True)
    for card in range(first, end)
)
"""The name of each card: its suit's letter and its rank in decimal, "S7", "P20"."""

SUIT_MASKS: Final[tuple[int, ...]] = tuple((1 << end) - (1 << first) for first, end in pairwise(_FIRST_CARDS))
"""All cards of each suit as a set, by suit number."""

WHOLE_DECK: Final = (1 << CARDS) - 1
"""The set of all sixty cards. The cards that a table really plays with are `table.deck(players)`."""

SUIT_OF: Final[tuple[int, ...]] = tuple(SUITS.index(name[0]) for name in CARD_NAMES)
"""The suit number of each card. Inner loops read it instead of `suit_of`, to save the check."""

_CARD_BY_NAME: Final = {name: card for card, name in enumerate(CARD_NAMES)}
# A mask is unpacked ten cards at a time, one plain suit or half of Payoo, by looking up tables of all sets
# of ten cards. That is faster than a loop over the bits, and one table for all sixty cards is out of reach.
_CHUNK: Final = 1 << 10


def _unpacked_chunk(first: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each set of the ten cards from `first` on, the cards in the set, ascending."""
    chunks: list[tuple[int, ...]] = [()]
    for card in range(first, first + 10):
        chunks += [(*cards, card) for cards in chunks]
    return tuple(chunks)


_S, _H, _D, _C, _P_LOW, _P_HIGH = (_unpacked_chunk(first) for first in range(0, CARDS, 10))


def card_name(card: int) -> str:
    """Return the name of a card, such as "S7". Raises ValueError unless 0 <= card <= 59."""
    return CARD_NAMES[_checked(card)]


def parse_card(text: str) -> int:
    """Return the card of exactly this name.

    Raises ValueError for anything else ("s7", "S07", "S11", "P21", " S7").
    """
    card = _CARD_BY_NAME.get(text)
    if card is None:
        raise ValueError(f"{text[:20]!r} is not a card: expected S, H, D, C with 1 to 10, or P with 1 to 20")
    return card


def suit_of(card: int) -> int:
    """Return the suit number 0..4 of a card. Raises ValueError unless 0 <= card <= 59."""
    return SUIT_OF[_checked(card)]


def rank_of(card: int) -> int:
    """Return the rank of a card: 1..10 in a plain suit, 1..20 in Payoo.

    Raises ValueError unless 0 <= card <= 59.
    """
    return _checked(card) - _FIRST_CARDS[SUIT_OF[card]] + 1


def mask_of(cards: Iterable[int]) -> int:
    """Return the set of these cards. A card given twice counts once.

    Raises ValueError unless each is 0..59.
    """
    mask = 0
    for card in cards:
        mask |= 1 << _checked(card)
    return mask


def cards_of(mask: int) -> list[int]:
    """Return the cards of a set, ascending.

    The mask must hold cards only (bits 0..59); this is not checked.
    """
    return [
        *_S[mask % _CHUNK],
        *_H[(mask >> 10) % _CHUNK],
        *_D[(mask >> 20) % _CHUNK],
        *_C[(mask >> 30) % _CHUNK],
        *_P_LOW[(mask >> 40) % _CHUNK],
        *_P_HIGH[(mask >> 50) % _CHUNK],
    ]


def card_at(mask: int, index: int) -> int:
    """Return `cards_of(mask)[index]` without building the list.

    `index` must be at least 0 and below mask.bit_count(); this is not checked. It is the cheapest way to draw
    a random card of a set: `card_at(mask, int(random() * mask.bit_count()))`.
    """
    while index:
        mask &= mask - 1  # drops the lowest card
        index -= 1
    return (mask & -mask).bit_length() - 1


def names_of(mask: int) -> list[str]:
    """Return the names of the cards of a set, in the order of the cards.

    The mask is not checked, as in `cards_of`.
    """
    return [CARD_NAMES[card] for card in cards_of(mask)]


def _checked(card: int) -> int:
    if not 0 <= card < CARDS:
        raise ValueError(f"{card} is not a card: cards are 0 to {CARDS - 1}")
    return card
