"""The points of cards once the die has shown a suit, and the places that points make. Fewest points wins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.papayoo.cards import CARDS, PAYOO, SUIT_MASKS, SUIT_OF, cards_of, rank_of
from arena.papayoo.table import PAPAYOO_POINTS

PLAIN_SUITS: Final = range(PAYOO)
"""The suits that the die can show: 0..3."""

PAPAYOOS: Final[tuple[int, ...]] = tuple(suit * 10 + 6 for suit in PLAIN_SUITS)
"""The card that is the Papayoo, by the suit 0..3 that the die shows: the 7 of that suit."""


def _points_by_card(papayoo_suit: int) -> tuple[int, ...]:
    scores = [rank_of(card) if SUIT_OF[card] == PAYOO else 0 for card in range(CARDS)]
    scores[PAPAYOOS[papayoo_suit]] = PAPAYOO_POINTS
    return tuple(scores)


CARD_POINTS: Final[tuple[tuple[int, ...], ...]] = tuple(_points_by_card(suit) for suit in PLAIN_SUITS)
"""The points of each card: `CARD_POINTS[papayoo_suit][card]` is 40 for the Papayoo, the rank for a Payoo,
otherwise 0.
"""


def points_of(mask: int, papayoo_suit: int) -> int:
    """Return the points in a set of cards when the die shows `papayoo_suit`.

    Raises ValueError unless the suit is 0..3 and every card 0..59.
    """
    if papayoo_suit not in PLAIN_SUITS:
        raise ValueError(f"the die shows a plain suit, 0 to 3, not {papayoo_suit}")
    if not 0 <= mask < 1 << CARDS:
        raise ValueError(f"{mask} is not a set of cards: cards are 0 to {CARDS - 1}, each a bit of the mask")
    points = CARD_POINTS[papayoo_suit]
    # Most cards score nothing, so the mask drops them before it is unpacked.
    scoring = mask & (SUIT_MASKS[PAYOO] | 1 << PAPAYOOS[papayoo_suit])
    return sum([points[card] for card in cards_of(scoring)])


def places(scores: Sequence[int]) -> tuple[int, ...]:
    """Return the place of each seat, 1 for the fewest points.

    Equal scores share a place, and the next place is left out: 60, 60, 130 -> 1, 1, 3.
    """
    return tuple(1 + sum(other < score for other in scores) for score in scores)
