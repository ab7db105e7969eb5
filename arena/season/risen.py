"""Who rose in the standings of an open season during a stretch, in words. Stores and claims nothing.

Ranks before and after are both measured by those who are present now. So nobody rises because somebody left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from arena.standings import Standings
from arena.store.scoring import Scored

__all__ = ["risen", "told"]

_MOST_TOLD = 5


def risen(score: Scored, first_cycle: int) -> tuple[tuple[str, int, int], ...]:
    """Return the entries that rose since `first_cycle` began, with the rank before and now; best rank first.

    Empty while the entries cannot be compared, before or now.
    """
    earlier = [one for one in score.results if one.cycle < first_cycle]
    before, now = score.scoring.standings(earlier), score.standings
    if not (before.comparable and now.comparable):
        return ()
    then = _ranks(before)
    return tuple((bot, then[bot], rank) for bot, rank in _ranks(now).items() if then.get(bot, 0) > rank)


def _ranks(table: Standings) -> dict[str, int]:
    return {row.bot: row.rank for row in table.rows if row.rank is not None}


def told(rose: Iterable[tuple[str, int, int]], names: Mapping[str, str]) -> str:
    """Return in words who rose, the best; empty if nobody did."""
    said = [f"{names[bot]} from {before} to {now}" for bot, before, now in rose]
    if not said:
        return ""
    more = f", and {len(said) - _MOST_TOLD} more" if len(said) > _MOST_TOLD else ""
    return f"risen in the standings: {', '.join(said[:_MOST_TOLD])}{more}"
