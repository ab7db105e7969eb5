"""Cards as the bots of one match see them: the plain suits bear other letters in each match of a session.

A session's matches share their boards, and with other letters a bot cannot recognise a deal. This is the one
place where canonical cards become names on the wire and names become cards again. Payoo keeps its letter.
Lists are sorted S, H, D, C, P by rank *after* the relabelling, so that their order carries no signal. Sets of
cards are packed ten cards of a suit at a time, looked up by a ten-bit index, so relabelling costs nothing
over plain naming.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from arena.match.packed import ARRAYS, pack
from arena.papayoo import PAYOO, SUITS

_PLAIN: Final = SUITS[:4]
_RANKS: Final = 10
_LOW_TEN: Final = (1 << _RANKS) - 1


def _packed_by_bits(letter: str, first_rank: int) -> tuple[bytes, ...]:
    """Return, for each set of ten ranks (as bits), the packed names of its cards, ascending."""
    sets = [b""]
    for rank in range(first_rank, first_rank + _RANKS):
        sets += [names + pack(f"{letter}{rank}") for names in sets]
    return tuple(sets)


_PLAIN_PACKED: Final = {letter: _packed_by_bits(letter, 1) for letter in _PLAIN}
_PAYOO_LOW: Final = _packed_by_bits("P", 1)
_PAYOO_HIGH: Final = _packed_by_bits("P", 11)


class Relabelling:
    """The names of cards on the wire in one match.

    `suits`: the letters that the canonical suits S, H, D, C bear, e.g. "DSCH". Raises ValueError when `suits`
    is not a permutation of S, H, D, C.
    """

    __slots__ = ("_by_suit", "_cards", "_masks", "_places", "_tables", "card_names", "packed_names", "suits")

    def __init__(self, suits: str) -> None:
        if sorted(suits) != sorted(_PLAIN):
            raise ValueError(f"suits must be the letters {_PLAIN} in some order, not {suits!r}")
        self.suits = suits
        self.card_names: tuple[str, ...] = (
            *(f"{letter}{rank}" for letter in suits for rank in range(1, _RANKS + 1)),
            *(f"P{rank}" for rank in range(1, 21)),
        )
        """The wire name of each canonical card."""
        self.packed_names = tuple(map(pack, self.card_names))
        self._cards = {name: card for card, name in enumerate(self.card_names)}
        self._masks = {name: 1 << card for name, card in self._cards.items()}
        self._by_suit = tuple(_PLAIN_PACKED[letter] for letter in suits)
        self._tables = tuple(_PLAIN_PACKED[letter] for letter in _PLAIN)
        self._places = tuple(suits.index(letter) * _RANKS for letter in _PLAIN)

    @classmethod
    def of(cls, suits: str) -> Relabelling:
        """Return the relabelling by these letters. Each of the 24 is made only once."""
        return _made(suits)

    def names(self, cards: int) -> list[str]:
        """Return the wire names of a set of canonical cards, sorted as the bots see them."""
        # In the order of the wire names: the order of the canonical cards would give the relabelling away.
        found: list[str] = []
        for letter, at in zip(_PLAIN, self._places, strict=True):
            found += _named(letter, 1, cards >> at & _LOW_TEN)
        found += _named("P", 1, cards >> 40 & _LOW_TEN)
        found += _named("P", 1 + _RANKS, cards >> 50)
        return found

    def packed(self, cards: int) -> bytes:
        """Return the wire names of a set of canonical cards as a packed array."""
        return ARRAYS[cards.bit_count()] + self.joined(cards)

    def joined(self, cards: int) -> bytes:
        """Return what `packed` does without the head of the array: the packed names one after another."""
        # By the letter on the wire: each table's cards come from the canonical suit that bears its letter.
        s, h, d, c = self._tables
        at_s, at_h, at_d, at_c = self._places
        return b"".join(
            (
                s[cards >> at_s & _LOW_TEN],
                h[cards >> at_h & _LOW_TEN],
                d[cards >> at_d & _LOW_TEN],
                c[cards >> at_c & _LOW_TEN],
                _PAYOO_LOW[cards >> 40 & _LOW_TEN],
                _PAYOO_HIGH[cards >> 50],
            )
        )

    def joined_of_suit(self, suit: int, cards: int) -> bytes:
        """Return `joined` of a set whose cards are all of this canonical suit, in a fifth of the time."""
        if suit == PAYOO:
            return _PAYOO_LOW[cards >> 40 & _LOW_TEN] + _PAYOO_HIGH[cards >> 50]
        return self._by_suit[suit][cards >> _RANKS * suit]

    def card(self, name: str) -> int | None:
        """Return the canonical card of a wire name, or None when no card bears it."""
        return self._cards.get(name)

    def cards(self, names: Sequence[str]) -> int | None:
        """Return the set of the canonical cards of these names.

        None when a name is no card or stands twice.
        """
        if len(names) == 1:  # every play
            return self._masks.get(names[0])
        found = 0
        for name in names:
            card = self._cards.get(name)
            if card is None or found >> card & 1:
                return None
            found |= 1 << card
        return found

    def letter(self, suit: int) -> str:
        """Return the letter on the wire of a canonical suit (0..4)."""
        return (self.suits + "P")[suit]


@cache
def _named(letter: str, first: int, ranks: int) -> tuple[str, ...]:
    """Return the names of ten cards of a suit that are in a set, whose lowest bit is the rank `first`."""
    return tuple(f"{letter}{first + bit}" for bit in range(_RANKS) if ranks >> bit & 1)


@cache
def _made(suits: str) -> Relabelling:
    return Relabelling(suits)
