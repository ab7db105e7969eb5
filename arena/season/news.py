"""What is new in an open season: who left, who is back, who rose. In words; it stores and claims nothing.

Ranks before and after a phase are both measured by those who are present now. So nobody rises because
somebody left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from arena.league.house import is_house
from arena.standings import Standings
from arena.standings.entry_ids import bot_of
from arena.store.scoring import Scored

__all__ = ["moved", "risen", "told"]

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


def moved(before: Iterable[str], now: Iterable[str], ever: Collection[str]) -> tuple[str, ...]:
    """Return in words who left the field, whom another version replaced, and who is back.

    `before`, `now`: the entries of a phase and of the next; `ever`: all that were in any field before it.
    House bots fill seats and are not told of.
    """
    then, here = ([one for one in field if not is_house(bot_of(one))] for field in (before, now))
    by_bot = {bot_of(entry): entry for entry in here}
    gone = [entry for entry in then if entry not in here]
    back = [entry for entry in here if entry in ever and entry not in then]
    left = [entry for entry in gone if bot_of(entry) not in by_bot]
    replaced = [entry for entry in gone if bot_of(entry) in by_bot]
    return (
        *(f"{entry} has left" for entry in left),
        *(f"{entry} is replaced by {by_bot[bot_of(entry)]}" for entry in replaced),
        *(f"{entry} is back" for entry in back),
    )


def _ranks(table: Standings) -> dict[str, int]:
    return {row.bot: row.rank for row in table.rows if row.rank is not None}


def told(rose: Iterable[tuple[str, int, int]], names: Mapping[str, str]) -> str:
    """Return in words who rose, the best; empty if nobody did."""
    said = [f"{names[bot]} from {before} to {now}" for bot, before, now in rose]
    if not said:
        return ""
    more = f", and {len(said) - _MOST_TOLD} more" if len(said) > _MOST_TOLD else ""
    return f"risen in the standings: {', '.join(said[:_MOST_TOLD])}{more}"
