"""Question ids: unguessable for the bot, and derived from one key for each seat, which records keep.

The n-th question of a seat in a match (n from 0) has the n-th 12 hexadecimal digits of
SHAKE-128(key). This module must not know what is asked.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from hashlib import shake_128
from typing import Final

ID_DIGITS: Final = 12
_KEY_BYTES: Final = 16
_AT_A_TIME: Final = 66
"""Ids derived at a time: a match of as many rounds as seats has 63 to 66 questions for a seat."""


def new_key() -> str:
    """Return a fresh random key in hexadecimal."""
    return secrets.token_hex(_KEY_BYTES)


class QuestionIds:
    """The ids of one seat in one match, without end."""

    __slots__ = ("_derived", "_key", "_left")

    def __init__(self, key: str) -> None:
        self._key = bytes.fromhex(key)
        self._derived = 0  # digits
        self._left: list[str] = []  # the next one last

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if not self._left:
            self._derive()
        return self._left.pop()

    def _derive(self) -> None:
        # SHAKE is an extendable hash: a longer output begins with the shorter one. So it does not matter how
        # many ids are derived at a time.
        start, self._derived = self._derived, self._derived + _AT_A_TIME * ID_DIGITS
        text = shake_128(self._key).hexdigest(self._derived // 2)
        self._left = [text[at : at + ID_DIGITS] for at in range(start, self._derived, ID_DIGITS)]
        self._left.reverse()
