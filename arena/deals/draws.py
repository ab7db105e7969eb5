"""Random draws that anybody can repeat from a published text, in any language.

Nothing secret may be drawn here; deals are made in `arena.deals.deals`. Python's `random` is not used,
because its methods may change between versions and other languages do not have them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

_WORDS = 1 << 64


class Draws:
    """An endless stream of 64-bit words named by a text.

    Word i is the first 8 bytes, big-endian, of SHA-256(text "|" i), with the text in UTF-8 and i in
    decimal, counted up from 0 as words are used. A stream has a state: the same calls in the same
    order on a new `Draws` of the same text give the same results.
    """

    __slots__ = ("_next", "_prefix")

    def __init__(self, text: str) -> None:
        self._prefix = hashlib.sha256(f"{text}|".encode())
        self._next = 0

    def word(self) -> int:
        """Return the next word, 0 <= word < 2^64."""
        # The text is hashed once; a copy goes on from there.
        hashed = self._prefix.copy()
        hashed.update(b"%d" % self._next)
        self._next += 1
        return int.from_bytes(hashed.digest()[:8], "big")

    def below(self, n: int) -> int:
        """Return a whole number 0 <= number < n, each equally likely.

        A word at or above floor(2^64 / n) n is thrown away, because it would favour small numbers. The result
        is the first other word modulo n. One word is used even for n = 1.

        Raises ValueError unless 1 <= n <= 2^64.
        """
        if not 1 <= n <= _WORDS:
            raise ValueError(f"cannot draw a number below {n}: expected a bound from 1 to 2^64")
        limit = _WORDS // n * n
        while (word := self.word()) >= limit:
            pass
        return word % n

    def digests(self, count: int) -> bytes:
        """Return the next `count` digests one after another, 32 bytes each. The first 8 are the word."""
        copy, found = self._prefix.copy, []
        for number in map(b"%d".__mod__, range(self._next, self._next + count)):
            hashed = copy()
            hashed.update(number)
            found.append(hashed.digest())
        self._next += count
        return b"".join(found)

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """Return the items as a new list, shuffled by Fisher-Yates.

        For i from the last index down to 1, items i and below(i + 1) are swapped.
        """
        result = list(items)
        for i in range(len(result) - 1, 0, -1):
            # An item may also stay where it is (j = i); otherwise some orders could never come up.
            j = self.below(i + 1)
            result[i], result[j] = result[j], result[i]
        return result
