"""Papayoo as one would write it in numpy at first, a card a column: what `Batch` is measured beside.

The same rounds as `Batch` plays, which a test holds it to. For nothing but `python -m arena.learn`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from arena.learn.batch import PLANES, unpacked
from arena.learn.boards import Boards
from arena.papayoo import CARD_POINTS, CARDS, hand_size, pass_count
from arena.papayoo.cards import SUIT_OF

__all__ = ["PlainRounds"]

_SUITS = np.array(SUIT_OF)
_WORTH = np.array(CARD_POINTS)


class PlainRounds:
    """Some rounds with these boards, once through. `at`: how many cards have been chosen in each."""

    def __init__(self, boards: Boards) -> None:
        self.hands = unpacked(boards.hands).astype(bool)
        count = len(boards)
        self.players: int = boards.hands.shape[1]
        self.decisions = self.players * (hand_size(self.players) + pass_count(self.players))
        self._papayoo, self._dealer = boards.papayoo, boards.dealer
        self._passes = pass_count(self.players)
        self._rows = np.arange(count)
        self._passed = np.zeros_like(self.hands)
        self._received = np.zeros_like(self.hands)
        self._played = np.zeros_like(self.hands)
        self._trick = np.zeros((count, CARDS), bool)
        self._led = self._best = self._taker = np.zeros(count, int)
        self.points = np.zeros((count, self.players), int)
        self.turn = np.zeros(count, int)
        self.at = 0

    @property
    def _passing(self) -> bool:
        return self.at < self.players * self._passes

    @property
    def _inside(self) -> int:
        return 0 if self._passing else (self.at - self.players * self._passes) % self.players

    def legal(self) -> NDArray[np.bool_]:
        """Return which cards may be chosen, N x 60."""
        own: NDArray[np.bool_] = self.hands[self._rows, self.turn]
        if self._passing:
            own &= ~self._passed[self._rows, self.turn]
        if not self._inside:
            return own
        follow = own & (self._led[:, None] == _SUITS)
        chosen: NDArray[np.bool_] = np.where(follow.any(axis=1)[:, None], follow, own)
        return chosen

    def observe(self) -> NDArray[np.uint8]:
        """Return the planes of `Batch.observe`."""
        seats = (self.turn[:, None] + np.arange(self.players)) % self.players
        planes = np.zeros((len(self._rows), len(PLANES) + self.players, CARDS), np.uint8)
        planes[:, 0] = self.hands[self._rows, self.turn]
        planes[:, 1] = self.legal()
        planes[:, 2] = self._passed[self._rows, self.turn]
        planes[:, 3] = self._received[self._rows, self.turn]
        planes[:, 4] = self._trick
        if self._inside:
            planes[self._rows, 5, self._best] = 1
        planes[:, len(PLANES) :] = self._played[self._rows[:, None], seats]
        return planes

    def step(self, cards: NDArray[np.intp]) -> None:
        """Choose a card in each round."""
        passing = self._passing
        (self._pass if passing else self._play)(cards)
        self.at += 1
        if self._passing:
            self.turn = np.full_like(self.turn, self.at // self._passes)
        elif passing:
            self._received = np.roll(self._passed, 1, axis=1)
            self.hands = self.hands & ~self._passed | self._received
            self.turn = self._dealer
        elif self._inside:
            self.turn = (self.turn + 1) % self.players
        else:
            worth = (self._trick * _WORTH[self._papayoo]).sum(axis=1)
            np.add.at(self.points, (self._rows, self._taker), worth)
            self._trick = np.zeros_like(self._trick)
            self.turn = self._taker

    def _pass(self, cards: NDArray[np.intp]) -> None:
        self._passed[self._rows, self.turn, cards] = True

    def _play(self, cards: NDArray[np.intp]) -> None:
        self.hands[self._rows, self.turn, cards] = False
        self._played[self._rows, self.turn, cards] = True
        if not self._inside:
            self._led, self._best, self._taker = _SUITS[cards], cards, self.turn
        else:
            higher = (_SUITS[cards] == self._led) & (cards > self._best)
            self._best = np.where(higher, cards, self._best)
            self._taker = np.where(higher, self.turn, self._taker)
        self._trick[self._rows, cards] = True
