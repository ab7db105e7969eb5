"""The numbers that a table's size fixes: its deck, its hands, its pass, and who sits and deals where.

Seats are 0..players-1, ascending clockwise. The number of players is 3 to 8; every function here raises
ValueError for any other number. This module must not know any particular deal.
"""

from __future__ import annotations

from typing import Final

from arena.papayoo.cards import WHOLE_DECK, mask_of, parse_card

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
