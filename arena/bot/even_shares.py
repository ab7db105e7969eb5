"""Splits what is used among the matches played at the same time: evenly, moment by moment. Pure."""

from __future__ import annotations

__all__ = ["EvenShares"]


class EvenShares:
    """Of one total. With one member at a time each share is what the total grew by meanwhile."""

    def __init__(self) -> None:
        self._total = 0
        self._each = 0.0
        self._joined: list[float] = []

    def __len__(self) -> int:
        """How many share it now."""
        return len(self._joined)

    def join(self, total: int) -> float:
        """One more shares it from now on; what to `leave` with."""
        self._grow(total)
        self._joined.append(self._each)
        return self._each

    def leave(self, total: int, joined: float) -> int:
        """The whole share of one who shares it no longer."""
        self._grow(total)
        self._joined.remove(joined)
        return round(self._each - joined)

    def largest(self, total: int) -> int:
        """The share of who has shared it longest, 0 when nobody does."""
        self._grow(total)
        return round(self._each - min(self._joined, default=self._each))

    def _grow(self, total: int) -> None:
        if self._joined:
            self._each += (total - self._total) / len(self._joined)
        self._total = total
