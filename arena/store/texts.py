"""Writes cards, numbers and line-ups as the text stored in the database, and reads them. Knows no tables.

A set of cards is "S1 S3 P20". Sets by seat are joined with " | ", numbers and the ids of a line-up with
blanks. Amounts by number are "12:487000 30:5000".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from arena.papayoo import CARD_NAMES, mask_of, parse_card

__all__ = [
    "amounts_from",
    "amounts_text",
    "line_up_from",
    "line_up_text",
    "numbers_from",
    "numbers_text",
    "plays_from",
    "plays_text",
    "set_texts_from",
    "sets_from",
    "sets_text",
]

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
_NUMBERS: Final = tuple(str(number) for number in range(1024))
"""The texts of small numbers: points and most times in microseconds are among them."""


def sets_text(masks: Iterable[int]) -> str:
    """Return sets of cards side by side, each in ascending order: "S1 S3 | H2"."""
    return _BETWEEN_SEATS.join([_set_text(mask) for mask in masks])


def sets_from(text: str) -> tuple[int, ...]:
    """Return what `sets_text` was made from (at least one set). ValueError for any other text."""
    return tuple(mask_of(plays_from(part)) for part in text.split(_BETWEEN_SEATS))


def set_texts_from(text: str) -> tuple[str, ...]:
    """Return the sets of `sets_text` as they are written: ("S1 S3", "H2")."""
    return tuple(text.split(_BETWEEN_SEATS))


def plays_text(cards: tuple[int, ...]) -> str:
    """Return cards in the order given: "P3 P20 S1"."""
    names = CARD_NAMES
    return " ".join([names[card] for card in cards])


def plays_from(text: str) -> tuple[int, ...]:
    """Return the cards of `plays_text`. ValueError for any other text."""
    return tuple(parse_card(name) for name in text.split())


def numbers_text(numbers: tuple[int, ...]) -> str:
    """Return whole numbers with blanks between: "0 40 210 0"."""
    # Making a number's text takes longest here, so small ones are looked up.
    known, end = _NUMBERS, len(_NUMBERS)
    return " ".join([known[number] if 0 <= number < end else str(number) for number in numbers])


def numbers_from(text: str) -> tuple[int, ...]:
    """Return the numbers of `numbers_text`. ValueError for any other text."""
    return tuple(map(int, text.split()))


def amounts_text(amounts: tuple[tuple[int, int], ...]) -> str:
    """Return numbers with an amount each: "12:487000 30:5000"."""
    return " ".join([f"{number}:{amount}" for number, amount in amounts])


def amounts_from(text: str) -> tuple[tuple[int, int], ...]:
    """Return what `amounts_text` was made from. ValueError for any other text."""
    pairs = [part.split(":") for part in text.split()]
    return tuple((int(number), int(amount)) for number, amount in pairs)


def line_up_text(bots: Iterable[str]) -> str:
    """Return bot ids, which hold no blanks, in a row: "duck low sharp"."""
    return " ".join(bots)


def line_up_from(text: str) -> tuple[str, ...]:
    """Return the ids of `line_up_text`."""
    return tuple(text.split())


def _set_text(mask: int) -> str:
    return (
        f"{_S[mask & _REST]}{_H[mask >> 10 & _REST]}{_D[mask >> 20 & _REST]}"
        f"{_C[mask >> 30 & _REST]}{_P_LOW[mask >> 40 & _REST]}{_P_HIGH[mask >> 50]}"
    )[1:]
