"""Defines what a score counts besides a season's own sessions: those of earlier stages of the same contest.

Whether they may count is decided elsewhere (`carry`). It must not know how they are stored.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from arena.standings.results import SessionResult

__all__ = ["NOTHING", "Earlier"]


@dataclass(frozen=True, slots=True)
class Earlier:
    """The sessions of earlier stages that count in a season; by default none.

    `results`: with cycles that are numbered through to -1, so that those of the season itself stay 0, 1, ...
    `gone`: the bots that sat in them and do not play in the season: departed entries of the fit. `starters`:
    how many ranked bots began the contest.
    """

    results: tuple[SessionResult, ...] = ()
    gone: frozenset[str] = frozenset()
    starters: int = 0

    @classmethod
    def of(
        cls, stages: Sequence[Sequence[SessionResult]], present: Collection[str], starters: int
    ) -> Earlier:
        """Return the sessions of the stages, oldest first, for a season with the bots `present`."""
        lengths = [1 + max((one.cycle for one in stage), default=-1) for stage in stages]
        firsts = [-sum(lengths[number:]) for number in range(len(stages))]
        results = tuple(
            replace(one, cycle=first + one.cycle)
            for first, stage in zip(firsts, stages, strict=True)
            for one in stage
        )
        seated = {bot for one in results for bot in one.card_points}
        return cls(results, frozenset(seated.difference(present)), starters)


NOTHING = Earlier()
"""Where no earlier stage counts."""
