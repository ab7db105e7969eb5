"""Decision blocks: the cycles of a stretch that are played between two decisions about who plays on.

Decisions (who is disqualified, whether the league is settled, whether too few bots are left) are made at the
ends of blocks only. The ends follow from the plan alone, so it does not matter how many play at once. While a
block is undecided the next one may be played, so that nobody waits. What is decided at the end of a block
therefore takes effect one block later. The module plays and decides nothing. (The sessions in which newcomers
of an open league catch up are another thing: `catch_up`.)
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from arena.schedule.plan import ScheduleError

__all__ = ["DecisionBlocks", "blocks_from", "planned_blocks"]

SHARE = 8
"""After c cycles of a stretch the next block has c // 8 of them, at least one."""


@dataclass(frozen=True, slots=True)
class DecisionBlocks:
    """The blocks of a stretch. Cycles are numbers of the season, from 0; an end is the first cycle after it.

    first: the first cycle of the stretch. ends: the ends of its blocks, ascending.
    """

    first: int
    ends: Sequence[int]

    @property
    def text(self) -> str:
        """Return the ends as they are stored with the stretch."""
        return " ".join(map(str, self.ends))

    @property
    def planned(self) -> int:
        """Return the end of the last block, which is the planned end of the stretch."""
        return self.ends[-1]

    def end_of(self, cycle: int) -> int:
        """Return the end of the block of a cycle; of the last block for a later cycle."""
        return self.ends[min(bisect_right(self.ends, cycle), len(self.ends) - 1)]

    def beyond(self, end: int) -> int:
        """Return the end of what may be played while the block that ends at `end` is undecided.

        What is decided at `end` takes effect there, for nothing later can have been begun. The beginning of
        the stretch, where nothing is undecided, is returned as it is.
        """
        if end < self.ends[0]:
            return end
        return self.ends[min(bisect_left(self.ends, end) + 1, len(self.ends) - 1)]

    def open_until(self, decided: int) -> int:
        """Return the end of what may be played when the blocks up to the end `decided` are decided."""
        return self.ends[min(bisect_right(self.ends, decided) + 1, len(self.ends) - 1)]

    def decided_before(self, cycle: int) -> int:
        """Return the end of the last block that was decided before a cycle could be begun.

        It is the beginning of the stretch if none needed to be.
        """
        decided = bisect_right(self.ends, cycle) - 1
        return self.ends[decided - 1] if decided > 0 else self.first


def planned_blocks(first: int, planned: int) -> DecisionBlocks:
    """Return the blocks of a stretch of the cycles from `first` to before `planned`, one at least.

    Up to 16 cycles each is a block, and a block is at most an eighth of what was played before it: so a
    decision comes at most an eighth later than it could, and a long league has few of them.
    """
    if planned <= first:
        raise ScheduleError(f"a stretch from cycle {first} to before {planned} has no cycle")
    ends: list[int] = []
    end = first
    while end < planned:
        end = min(planned, end + max(1, (end - first) // SHARE))
        ends.append(end)
    return DecisionBlocks(first, tuple(ends))


def blocks_from(text: str, first: int) -> DecisionBlocks:
    """Return the blocks that are stored with a stretch, which begins with the cycle `first`.

    Raises ScheduleError for a text that is not written by `DecisionBlocks.text`.
    """
    try:
        ends = tuple(map(int, text.split(" ")))
    except ValueError:
        ends = ()
    found = DecisionBlocks(first, ends)
    ascending = all(before < end for before, end in pairwise((first, *ends)))
    if not ends or found.text != text or not ascending:
        raise ScheduleError(f"these are not the ends of blocks of cycles after cycle {first}: {text[:100]!r}")
    return found
