"""Which choices differ at all. It must not know how good a choice is."""

from __future__ import annotations

from arena.papayoo import CARD_POINTS, SUIT_MASKS, cards_of
from arena.papayoo.cards import SUIT_OF

__all__ = ["alike"]


def alike(legal: int, between: int, papayoo_suit: int) -> list[int]:
    """Return the legal cards in groups of equal effect, as masks, ascending by their lowest card.

    Plain cards of a suit that score nothing have the same effect when no card between them is in another hand
    or wins the trick in progress: `between` is the set of all these cards.
    """
    points = CARD_POINTS[papayoo_suit]
    groups: list[int] = []
    for card in cards_of(legal):
        lower = legal & SUIT_MASKS[SUIT_OF[card]] & ((1 << card) - 1)
        neighbour = lower.bit_length() - 1
        gap = (1 << card) - (2 << neighbour) if lower else 0
        if lower and not points[card] and not points[neighbour] and not between & gap:
            groups[-1] |= 1 << card
        else:
            groups.append(1 << card)
    return groups
