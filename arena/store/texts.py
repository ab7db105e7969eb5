"""Cards, numbers and line-ups as the text that stands in the database, and back. Knows no tables.

A set of cards is "S1 S3 P20", several by seat are joined with " | ", numbers and
the ids of a line-up with blanks.
"""

from __future__ import annotations

from collections.abc import Iterable

from arena.papayoo import CARD_NAMES, mask_of, names_of, parse_card

__all__ = [
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

_BETWEEN_SEATS = " | "


def sets_text(masks: Iterable[int]) -> str:
    """Sets of cards side by side, each in ascending order: "S1 S3 | H2"."""
    return _BETWEEN_SEATS.join([" ".join(names_of(mask)) for mask in masks])


def sets_from(text: str) -> tuple[int, ...]:
    """What `sets_text` was made from (at least one set). ValueError for a text that is no such thing."""
    return tuple(mask_of(plays_from(part)) for part in text.split(_BETWEEN_SEATS))


def set_texts_from(text: str) -> tuple[str, ...]:
    """The same sets, each as it is written: ("S1 S3", "H2")."""
    return tuple(text.split(_BETWEEN_SEATS))


def plays_text(cards: Iterable[int]) -> str:
    """Cards in the order given: "P3 P20 S1"."""
    return " ".join(map(CARD_NAMES.__getitem__, cards))


def plays_from(text: str) -> tuple[int, ...]:
    """The cards of `plays_text`. ValueError for a text that is no such thing."""
    return tuple(parse_card(name) for name in text.split())


def numbers_text(numbers: Iterable[int]) -> str:
    """Whole numbers: "0 40 210 0"."""
    return " ".join(map(str, numbers))


def numbers_from(text: str) -> tuple[int, ...]:
    """The numbers of `numbers_text`. ValueError for a text that is no such thing."""
    return tuple(map(int, text.split()))


def line_up_text(bots: Iterable[str]) -> str:
    """Bot ids, which hold no blanks: "duck low sharp"."""
    return " ".join(bots)


def line_up_from(text: str) -> tuple[str, ...]:
    """The ids of `line_up_text`."""
    return tuple(text.split())
