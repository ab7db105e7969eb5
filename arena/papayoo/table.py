"""What a table plays with: its deck, its hands, its pass, who sits and deals where, and what cards score.

Seats are 0..players-1, ascending clockwise. The number of players is 3 to 8; every function that takes it
raises ValueError for any other number. Fewest points win. This module must not know any particular deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.papayoo.cards import (
    CARDS,
    PAYOO,
    SUIT_MASKS,
    SUIT_OF,
    WHOLE_DECK,
    cards_of,
    mask_of,
    parse_card,
    rank_of,
)

MIN_PLAYERS: Final = 3
MAX_PLAYERS: Final = 8

PAPAYOO_POINTS: Final = 40
"""The points of the Papayoo, the 7 of the suit that the die shows. No other 7 scores anything."""

POINTS_PER_ROUND: Final = 250
"""All points of a round: the Payoos score 1 + 2 + ... + 20 = 210, and the Papayoo 40."""

_PASS_COUNTS: Final = {3: 5, 4: 5, 5: 4, 6: 3, 7: 3, 8: 3}
_FULL_TABLE: Final = 7  # from 7 players on the plain ones are left out, so that the cards share out evenly
_PLAIN_ONES: Final = mask_of(map(parse_card, ("S1", "H1", "D1", "C1")))


def deck(players: int) -> int:
    """Return the set of cards in play: all sixty for 3 to 6 players, 56 for 7 and 8.

    The 56 are the cards without S1, H1, D1 and C1. P1 stays.
    """
    return WHOLE_DECK & ~_PLAIN_ONES if _checked(players) >= _FULL_TABLE else WHOLE_DECK


def hand_size(players: int) -> int:
    """Return the number of cards dealt to each player: 20, 15, 12, 10, 8, 7 for 3 to 8 players.

    This is also the number of tricks.
    """
    return deck(players).bit_count() // players


def pass_count(players: int) -> int:
    """Return how many cards each player must pass to the left: 5, 5, 4, 3, 3, 3 for 3 to 8 players."""
    return _PASS_COUNTS[_checked(players)]


def left_of(seat: int, players: int) -> int:
    """Return the left neighbour of a seat, which receives its pass, acts after it and deals after it.

    Raises ValueError when there is no such seat.
    """
    if not 0 <= seat < _checked(players):
        raise ValueError(f"there is no seat {seat} at a table of {players}: seats are 0 to {players - 1}")
    return (seat + 1) % players


def dealer_of(round_number: int, players: int) -> int:
    """Return the seat that deals a match's round (0-based): seat 0 first, then one seat clockwise each round.

    Raises ValueError for a negative round number.
    """
    if round_number < 0:
        raise ValueError(f"there is no round {round_number}: rounds are counted from 0")
    return round_number % _checked(players)


def _checked(players: int) -> int:
    if players not in _PASS_COUNTS:
        raise ValueError(f"Papayoo is for {MIN_PLAYERS} to {MAX_PLAYERS} players, not {players}")
    return players


# Points

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
