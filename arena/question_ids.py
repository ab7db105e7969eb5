"""Question ids: unguessable for the bot, and derived from one key a seat, so that a record can keep them.

The n-th question of a seat in a match (n from 0) has the n-th 12 hexadecimal digits of
SHAKE-128(key). Knows nothing of what is asked.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from hashlib import shake_128
from typing import Final

__all__ = ["ID_DIGITS", "new_key", "question_ids"]

ID_DIGITS: Final = 12
_KEY_BYTES: Final = 16
_AT_A_TIME: Final = 80
"""Ids derived at a time: most matches have fewer questions a seat."""


def new_key() -> str:
    """A fresh key, hexadecimal."""
    return secrets.token_hex(_KEY_BYTES)


def question_ids(key: str) -> Iterator[str]:
    """The ids of one seat in one match, without end."""
    raw = bytes.fromhex(key)
    start = 0
    while True:
        # An extendable hash: a longer text begins with the shorter one.
        end = start + _AT_A_TIME * ID_DIGITS
        text = shake_128(raw).hexdigest(end // 2)
        yield from [text[at : at + ID_DIGITS] for at in range(start, end, ID_DIGITS)]
        start = end
