"""What every key of a league file carries beside its type: its class, its meaning, the words for its type.

The model puts these on its fields; the season documents, the error texts and the printed table are computed
from them. Nothing here knows a key by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class KeyClass(Enum):
    """When a key may change while a league goes on."""

    SEASON = "S"
    GROWS = "G"
    FREE = "F"

    @property
    def meaning(self) -> str:
        """One sentence for the table of keys."""
        return _MEANINGS[self]


_MEANINGS = {
    KeyClass.SEASON: "part of the season: changing it starts a new season",
    KeyClass.GROWS: "may only grow while the season goes on",
    KeyClass.FREE: "free to change at any time",
}


@dataclass(frozen=True, slots=True)
class Key:
    """The mark on a field of the model.

    `default` is given where the default follows from something else ("as seats"); `missing` is the error text
    where such a default can fail.
    """

    klass: KeyClass
    meaning: str
    default: str = ""
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Wording:
    """The words for a type whose constraint is a function or a pattern, e.g. "1 to 40 of a-z, 0-9 and -"."""

    text: str


def season(meaning: str, *, default: str = "", missing: str = "") -> Key:
    """A key that is part of the season."""
    return Key(KeyClass.SEASON, meaning, default, missing)


def grows(meaning: str) -> Key:
    """A key whose number may only grow."""
    return Key(KeyClass.GROWS, meaning)


def free(meaning: str, *, default: str = "", missing: str = "") -> Key:
    """A key that may change at any time."""
    return Key(KeyClass.FREE, meaning, default, missing)
