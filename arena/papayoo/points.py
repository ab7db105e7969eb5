"""What cards score once the die has named the Papayoo, and the places scores make. Fewest points wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.papayoo.cards import CARDS, PAYOO, SUIT_MASKS, SUIT_OF, cards_of, rank_of
from arena.papayoo.table import PAPAYOO_POINTS

PLAIN_SUITS: Final = range(PAYOO)
"""The suits that the die can show: 0..3."""

PAPAYOOS: Final[tuple[int, ...]] = tuple(suit * 10 + 6 for suit in PLAIN_SUITS)
"""By rolled suit 0..3, the card that is then the Papayoo: its 7."""


def _points_by_card(papayoo_suit: int) -> tuple[int, ...]:
    scores = [rank_of(card) if SUIT_OF[card] == PAYOO else 0 for card in range(CARDS)]
    scores[PAPAYOOS[papayoo_suit]] = PAPAYOO_POINTS
    return tuple(scores)


CARD_POINTS: Final[tuple[tuple[int, ...], ...]] = tuple(_points_by_card(suit) for suit in PLAIN_SUITS)
"""`CARD_POINTS[papayoo_suit][card]`: 40 for the Papayoo, its rank for a Payoo, otherwise 0."""


def points_of(mask: int, papayoo_suit: int) -> int:
    """The points in a set of cards when the die shows `papayoo_suit` (0..3)."""
    points = CARD_POINTS[papayoo_suit]
    scoring = mask & (SUIT_MASKS[PAYOO] | 1 << PAPAYOOS[papayoo_suit])
    return sum([points[card] for card in cards_of(scoring)])


def places(scores: Sequence[int]) -> tuple[int, ...]:
    """The place of each seat, 1 for the fewest points; equal scores share a place: 60, 60, 130 -> 1, 1, 3."""
    return tuple(1 + sum(other < score for other in scores) for score in scores)
