"""Puts the words of findings and weaknesses, which are stored in English, into the language of the pages.

They are clauses of `arena.review`, one after another. A clause that an older arena stored may be unknown:
then the words stay as they are. It reads and writes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from arena.translating import _, found, pgettext

__all__ = ["in_our_words"]

_BETWEEN = ", "
_ALWAYS = "nearly always "
_NUMBER = re.compile(r"\b\d+\b")


def in_our_words(stored: str) -> tuple[str, bool]:
    """Return the words, and whether they are still in English."""
    clauses = _translated(stored.split(_BETWEEN))
    return (stored, True) if clauses is None else (_BETWEEN.join(clauses), False)


def _translated(parts: Sequence[str]) -> list[str] | None:
    """Return the clauses that these parts make up, in order; None if one is not known.

    A clause may have commas inside, so the longest that is known counts.
    """
    clauses: list[str] = []
    while parts:
        for end in range(len(parts), 0, -1):
            clause = _clause(_BETWEEN.join(parts[:end]))
            if clause:
                clauses.append(clause)
                parts = parts[end:]
                break
        else:
            return None
    return clauses


def _clause(words: str) -> str:
    """Return a clause in the language of the pages; empty if it is not known."""
    if words.startswith(_ALWAYS):
        when = _clause(words.removeprefix(_ALWAYS))
        return when and _("nearly always %(when)s", when=when)
    for key, places in _keys(words):
        said = found(key)
        if said != key:
            return said % places
    return ""


def _keys(words: str) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield how a clause may stand in a catalogue: as it is, or with a number or a suit as a place."""
    yield words, {}
    if number := _NUMBER.search(words):
        yield f"{words[: number.start()]}%(number)s{words[number.end() :]}", {"number": number[0]}
    for suit, said in _suits().items():
        if suit in words:
            yield words.replace(suit, "%(suit)s"), {"suit": said}


def _suits() -> dict[str, str]:
    return {
        "spades": pgettext("a suit in a finding", "spades"),
        "hearts": pgettext("a suit in a finding", "hearts"),
        "diamonds": pgettext("a suit in a finding", "diamonds"),
        "clubs": pgettext("a suit in a finding", "clubs"),
    }
