"""Boards for learners: many deals as arrays, drawn at random or given. Plays nothing.

`arena.papayoo.Board` is one deal with the rules that a deal must keep; this is many of them, for numpy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.papayoo import DIE, Board, cards_of, deck, hand_size

Sets = NDArray[np.uint64]
"""Sets of cards as bitmasks, as in `arena.papayoo.cards`."""


@dataclass(frozen=True, slots=True, eq=False)
class Boards:
    """Deals by seat. `hands`: N x players sets of cards; `papayoo`: N suits 0..3; `dealer`: N seats."""

    hands: Sets
    papayoo: NDArray[np.intp]
    dealer: NDArray[np.intp]

    def __len__(self) -> int:
        return len(self.papayoo)

    @classmethod
    def drawn(cls, random: np.random.Generator, count: int, players: int, dealer: int) -> Boards:
        """Return `count` deals drawn at random, all dealt by the same seat.

        Each order of the deck is as likely as any other, and the die shows each suit with the same chance.
        """
        cards = np.array(cards_of(deck(players)), dtype=np.uint64)
        order = random.permuted(np.broadcast_to(cards, (count, len(cards))), axis=1)
        bits = np.left_shift(np.uint64(1), order).reshape(count, players, hand_size(players))
        hands = np.bitwise_or.reduce(bits, axis=2)
        papayoo = np.array(DIE)[random.integers(len(DIE), size=count)]
        return cls(hands, papayoo, np.full(count, dealer))

    @classmethod
    def of(cls, boards: Sequence[tuple[Board, int]]) -> Boards:
        """Return these boards, each with the seat that deals it. ValueError unless all are of one size."""
        if len({board.players for board, _ in boards}) != 1:
            raise ValueError("give at least one board, and all for the same number of players")
        return cls(
            np.array([board.hands_by_seat(dealer) for board, dealer in boards], dtype=np.uint64),
            np.array([board.papayoo_suit for board, _ in boards]),
            np.array([dealer for _, dealer in boards]),
        )

    def repeated(self, start: int, count: int) -> Boards:
        """Return `count` of them from number `start` on, from the first one again after the last."""
        chosen = np.arange(start, start + count) % len(self)
        return Boards(self.hands[chosen], self.papayoo[chosen], self.dealer[chosen])
