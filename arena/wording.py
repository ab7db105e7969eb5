"""Small parts of sentences: numbers with their nouns, lists and places. Must not know what they are about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_ORDINALS = {1: "st", 2: "nd", 3: "rd"}


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: "1 match", "480 matches"."""
    return f"1 {noun}" if number == 1 else f"{number:,} {plural or noun + 's'}"


def ordinal(value: int) -> str:
    """Return a place or rank: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    teens = 10 < value % 100 < 20
    return f"{value}{'th' if teens else _ORDINALS.get(value % 10, 'th')}"


def listed(parts: Sequence[str]) -> str:
    """Return the parts as a list in a sentence: "a, b and c"; empty if there are none."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def clauses(parts: Iterable[str]) -> str:
    """Return clauses beside one another: "a was b; c was d"."""
    return "; ".join(parts)
