"""Decision cycles: after which it is decided who plays on, and what may be begun while that is open.

Decisions (who is excluded, whether the league is settled, whether too few bots are left) are made when a
decision cycle and all before it are over. Which cycles these are follows from the plan alone. While a
decision is open the next cycle may be begun, so that nobody waits, and what may be begun is played to its end
and counts. So what is decided holds from the cycles after those on, however many referees play. The module
plays and decides nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from arena.schedule.plan import ScheduleError

_SHARE = 8
"""After c cycles of a phase the next decision comes c // 8 cycles later, at least one."""
_SESSIONS_AHEAD = 8
"""What may be begun while a decision is open has so many sessions, so that all referees have work."""


@dataclass(frozen=True, slots=True)
class DecisionCycles:
    """The decisions of a phase. Cycles are numbered through the season, from 0; an end is the cycle after.

    first: the first cycle of the phase. ends: the ends of its decision cycles, ascending. ahead: how many
    cycles may be begun while a decision is open.
    """

    first: int
    ends: Sequence[int]
    ahead: int

    @property
    def planned(self) -> int:
        """Return the planned end of the phase, after which the last decision is made."""
        return self.ends[-1]

    def end_after(self, cycle: int) -> int:
        """Return the end of the first decision cycle that is not over when `cycle` is the next to be played.

        It is the last one for any later cycle.
        """
        return self.ends[min(bisect_right(self.ends, cycle), len(self.ends) - 1)]

    def effect(self, end: int) -> int:
        """Return the cycle from which on holds what is decided at `end`: nothing later is begun by then."""
        return min(end + self.ahead, self.planned)

    def open_until(self, decided: int) -> int:
        """Return the end of what may be begun when everything up to the end `decided` is decided.

        `decided` is the beginning of the phase before the first decision.
        """
        return self.effect(self.end_after(decided))

    def decided_before(self, cycle: int) -> int:
        """Return the end of the last decision that is made before a cycle can be begun.

        It is the beginning of the phase if none needs to be.
        """
        decided = bisect_right(self.ends, cycle - self.ahead)
        return self.ends[decided - 1] if decided else self.first


def plan_decisions(first: int, planned: int, sessions: int, every: bool = False) -> DecisionCycles:
    """Return the decisions of a phase of the cycles from `first` to before `planned`, one at least.

    `sessions`: of a cycle of its whole field. `every`: whether each cycle is a decision cycle. Else the first
    16 are, and then the decisions come an eighth of what was played apart: a decision comes at most an eighth
    later than it could, and a long league has few of them.
    """
    if planned <= first:
        raise ScheduleError(f"a phase from cycle {first} to before {planned} has no cycle")
    ends: list[int] = []
    end = first
    while end < planned:
        end = min(planned, end + max(1, 0 if every else (end - first) // _SHARE))
        ends.append(end)
    return DecisionCycles(first, tuple(ends), -(-_SESSIONS_AHEAD // sessions))
