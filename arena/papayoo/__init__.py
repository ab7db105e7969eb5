"""The rules of Papayoo as a library. `arena.papayoo.round` explains how to play a round out.

The rules are pure: this package must not know clocks, processes or messages.
"""

from arena.papayoo.board import DIE, Board
from arena.papayoo.cards import (
    CARD_NAMES,
    CARDS,
    PAYOO,
    SUIT_MASKS,
    SUITS,
    WHOLE_DECK,
    card_at,
    card_name,
    cards_of,
    mask_of,
    names_of,
    parse_card,
    rank_of,
    suit_of,
)
from arena.papayoo.illegal import Illegal, IllegalMove
from arena.papayoo.round import Phase, Position, Round, Trick
from arena.papayoo.table import (
    CARD_POINTS,
    MAX_PLAYERS,
    MIN_PLAYERS,
    PAPAYOO_POINTS,
    PAPAYOOS,
    PLAIN_SUITS,
    POINTS_PER_ROUND,
    dealer_of,
    deck,
    hand_size,
    left_of,
    pass_count,
    places,
    points_of,
)

__all__ = [
    "CARDS",
    "CARD_NAMES",
    "CARD_POINTS",
    "DIE",
    "MAX_PLAYERS",
    "MIN_PLAYERS",
    "PAPAYOOS",
    "PAPAYOO_POINTS",
    "PAYOO",
    "PLAIN_SUITS",
    "POINTS_PER_ROUND",
    "SUITS",
    "SUIT_MASKS",
    "WHOLE_DECK",
    "Board",
    "Illegal",
    "IllegalMove",
    "Phase",
    "Position",
    "Round",
    "Trick",
    "card_at",
    "card_name",
    "cards_of",
    "dealer_of",
    "deck",
    "hand_size",
    "left_of",
    "mask_of",
    "names_of",
    "parse_card",
    "pass_count",
    "places",
    "points_of",
    "rank_of",
    "suit_of",
]
