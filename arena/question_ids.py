"""Question ids: unguessable for the bot, and derived from one key a seat, so that a record can keep them.

The n-th question of a seat in a match (n from 0) has the n-th 12 hexadecimal digits of
SHAKE-128(key). Knows nothing of what is asked.
"""

from __future__ import annotations

import secrets
from hashlib import shake_128

__all__ = ["ID_DIGITS", "QuestionIds", "new_key"]

ID_DIGITS = 12
_KEY_BYTES = 16


def new_key() -> str:
    """A fresh key, hexadecimal."""
    return secrets.token_hex(_KEY_BYTES)


class QuestionIds:
    """The ids of one seat in one match. `questions`: how many are derived at a time."""

    __slots__ = ("_key", "_questions", "_text", "given")

    def __init__(self, key: str, questions: int) -> None:
        self._key = key
        self._questions = questions
        self._text = ""
        self.given = 0
        """How many ids have been given out."""

    def next(self) -> str:
        """The id of the next question."""
        start = self.given * ID_DIGITS
        if start == len(self._text):
            # An extendable hash: a longer text begins with the shorter one.
            digits = len(self._text) + self._questions * ID_DIGITS
            self._text = shake_128(bytes.fromhex(self._key)).hexdigest(digits // 2)
        self.given += 1
        return self._text[start : start + ID_DIGITS]
