"""A board: one prepared deal with its die, not yet tied to seats, so that every seat order can play it.

This module must not know where boards come from (shuffles, secrets).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.papayoo.cards import names_of
from arena.papayoo.table import PLAIN_SUITS, deck, hand_size

DIE: Final = (0, 0, 1, 1, 2, 2, 3, 3)
"""The suit on each of the die's eight faces: two faces for each plain suit, none for Payoo."""


@dataclass(frozen=True, slots=True)
class Board:
    """One prepared deal.

    hands: the dealt hands as sets of cards, by position: 0 is the dealer, 1 its left neighbour, and so on.
    papayoo_suit: the suit 0..3 that the die will show. Players learn it only after all have passed.

    Raises ValueError unless there are 3 to 8 hands of the right size that share out exactly that table's
    deck.
    """

    hands: tuple[int, ...]
    papayoo_suit: int

    def __post_init__(self) -> None:
        players = len(self.hands)
        size = hand_size(players)
        dealt = 0
        for position, hand in enumerate(self.hands):
            if hand < 0 or hand.bit_count() != size:
                raise ValueError(f"position {position} needs {size} cards at a table of {players}")
            if dealt & hand:
                raise ValueError(f"position {position} holds cards dealt before: {names_of(dealt & hand)}")
            dealt |= hand
        if dealt != deck(players):
            raise ValueError(f"the hands hold cards that a table of {players} does not play with")
        if self.papayoo_suit not in PLAIN_SUITS:
            raise ValueError(f"the die shows a plain suit, 0 to 3, not {self.papayoo_suit}")

    @property
    def players(self) -> int:
        """Return the number of hands, 3 to 8."""
        return len(self.hands)

    def hands_by_seat(self, dealer: int) -> list[int]:
        """Return the dealt hands by seat when seat `dealer` deals.

        Position p is seat (dealer + p) mod players.
        """
        first = -dealer % len(self.hands)  # the position of seat 0
        return [*self.hands[first:], *self.hands[:first]]
