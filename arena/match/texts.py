"""Writes cards as people read them, and reads them back: the texts of a record of a match.

A set of cards is "S1 S3 P20", in ascending order. Sets by seat are joined with " | ". `storable` is for the
texts that bots wrote.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Final

from arena.papayoo import CARD_NAMES

_BETWEEN_SEATS: Final = " | "

# The text of a set is put together from tables of ten cards, which have 2 ** 10 texts each.
# A table of all sixty cards would have 2 ** 60.
_CHUNK: Final = 10


def _texts_of_chunk(first: int) -> tuple[str, ...]:
    """Return the text of each set of the ten cards from `first` on, with a blank before each card."""
    texts = [""]
    for name in CARD_NAMES[first : first + _CHUNK]:
        texts += [f"{text} {name}" for text in texts]
    return tuple(texts)


_S: Final = _texts_of_chunk(0)
_H: Final = _texts_of_chunk(10)
_D: Final = _texts_of_chunk(20)
_C: Final = _texts_of_chunk(30)
_P_LOW: Final = _texts_of_chunk(40)
_P_HIGH: Final = _texts_of_chunk(50)
_REST: Final = (1 << _CHUNK) - 1
_CARDS: Final = {name: card for card, name in enumerate(CARD_NAMES)}
_BITS: Final = {name: 1 << card for card, name in enumerate(CARD_NAMES)}


def sets_text(masks: Iterable[int]) -> str:
    """Return sets of cards side by side, each in ascending order: "S1 S3 | H2"."""
    return _BETWEEN_SEATS.join([_set_text(mask) for mask in masks])


def sets_from(text: str) -> tuple[int, ...]:
    """Return what `sets_text` was made from (at least one set). ValueError for any other text."""
    bit = _BITS.__getitem__
    try:
        return tuple([reduce(or_, map(bit, part.split()), 0) for part in text.split(_BETWEEN_SEATS)])
    except KeyError as error:
        raise _no_card(error) from None


def set_texts_from(text: str) -> tuple[str, ...]:
    """Return the sets of `sets_text` as they are written: ("S1 S3", "H2")."""
    return tuple(text.split(_BETWEEN_SEATS))


def plays_text(cards: tuple[int, ...]) -> str:
    """Return cards in the order given: "P3 P20 S1"."""
    names = CARD_NAMES
    return " ".join([names[card] for card in cards])


def plays_from(text: str) -> tuple[int, ...]:
    """Return the cards of `plays_text`. ValueError for any other text."""
    try:
        return tuple(map(_CARDS.__getitem__, text.split()))
    except KeyError as error:
        raise _no_card(error) from None


def _no_card(missing: KeyError) -> ValueError:
    return ValueError(f"{str(missing.args[0])[:20]!r} is not a card")


def _set_text(mask: int) -> str:
    return (
        f"{_S[mask & _REST]}{_H[mask >> 10 & _REST]}{_D[mask >> 20 & _REST]}"
        f"{_C[mask >> 30 & _REST]}{_P_LOW[mask >> 40 & _REST]}{_P_HIGH[mask >> 50]}"
    )[1:]


def storable(text: str) -> str:
    """Return a text as every database takes it: "?" for lone surrogates, and NUL as its picture."""
    if "\0" in text:
        text = text.replace("\0", "\u2400")
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
