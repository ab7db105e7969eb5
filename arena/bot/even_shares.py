"""Splits what is used among the matches that are played at the same time. Pure: it measures nothing.

At every moment the matches of that moment have equal parts. The whole could not be divided by the number of
matches at the end, for they begin and end at different times.
"""

from __future__ import annotations

__all__ = ["EvenShares"]


class EvenShares:
    """The even shares of one growing total.

    With one member at a time, each share is what the total grew by while the member was there.
    """

    def __init__(self) -> None:
        self._total = 0
        # The share of a member that had been there from the beginning. The share of any other member is what
        # this has grown by since it joined, so no member needs an account of its own.
        self._each = 0.0
        self._joined: list[float] = []

    def __len__(self) -> int:
        """Return how many members share it now."""
        return len(self._joined)

    def join(self, total: int) -> float:
        """Add a member, and return the value with which it must `leave`."""
        self._grow(total)
        self._joined.append(self._each)
        return self._each

    def leave(self, total: int, joined: float) -> int:
        """Remove the member that `join` gave the value `joined`, and return its whole share."""
        self._grow(total)
        self._joined.remove(joined)
        return round(self._each - joined)

    def largest(self, total: int) -> int:
        """Return the share of the member that has been there longest, or 0 without members."""
        self._grow(total)
        return round(self._each - min(self._joined, default=self._each))

    def _grow(self, total: int) -> None:
        if self._joined:
            self._each += (total - self._total) / len(self._joined)
        self._total = total
