"""Sorts the times of decisions, and says within what time so many were made. Numbers only: no words."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

SHARES = (0.5, 0.95, 0.99, 0.999, 1.0)
"""The shares of decisions of which pages say within what time they were made; the last is the longest."""


@dataclass(slots=True)
class Spent:
    """The microseconds of each decision of a phase, without zeros (nobody was asked)."""

    # An array holds each time in 8 bytes; a list would hold an object for each.
    us: array[int] = field(default_factory=lambda: array("Q"))
    _sorted: int = field(default=0, repr=False)

    def ordered(self) -> Sequence[int]:
        """Return all times, the shortest first. They are sorted once."""
        if self._sorted != len(self.us):
            self.us = array("Q", sorted(self.us))
            self._sorted = len(self.us)
        return self.us

    def quantiles(self, *shares: float) -> tuple[int, ...]:
        """Return, for each share, the least time that at least this share of decisions did not exceed."""
        return _quantiles(self.ordered(), shares)


@dataclass(frozen=True, slots=True)
class Thinking:
    """All decisions of a bot by their time.

    `quantiles`: for each of `SHARES`, in microseconds.
    """

    decisions: int
    quantiles: tuple[int, ...]

    @classmethod
    def of(cls, phases: Sequence[Spent]) -> Thinking | None:
        """Return the decisions of all phases together; None if there was none."""
        each = [spent.ordered() for spent in phases if spent.us]
        if not each:
            return None
        # Sorted parts are only merged, which takes time in proportion to their length.
        every = sorted(chain.from_iterable(each))
        return cls(len(every), _quantiles(every, SHARES))


def _quantiles(ordered: Sequence[int], shares: Sequence[float]) -> tuple[int, ...]:
    last = len(ordered) - 1
    return tuple(ordered[min(last, max(0, -int(-share * len(ordered) // 1) - 1))] for share in shares)
