"""Sums over the finished matches of a season: faults, times, processes, sandboxes. It reads and sums only.

What was played after the end of a stretch is in none of them.
"""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from arena.match.faults import FaultKind
from arena.store import models
from arena.store.after_end import in_league
from arena.store.models import table_of
from arena.store.row import stored
from arena.store.session import reads
from arena.store.times import BotTimes, CoreWaits
from arena.store.views import MatchState

__all__ = [
    "read_bot_times",
    "read_core_waits",
    "read_fault_counts",
    "read_processes",
    "read_sandbox_levels",
]

_MATCH = table_of(models.Match)
_SEAT = table_of(models.Seat)
_FAULT = table_of(models.Fault)


@reads
def read_fault_counts(connection: Connection, season: int) -> dict[str, dict[FaultKind, int]]:
    """Return, by bot id, the number of its faults of each kind; bots and kinds without any are absent."""
    counted = (
        select(_SEAT.c.bot, _FAULT.c.kind, func.count())
        .join(_SEAT, (_SEAT.c.match == _FAULT.c.match) & (_SEAT.c.seat == _FAULT.c.seat))
        .join(_MATCH, _MATCH.c.id == _FAULT.c.match)
        .where(_MATCH.c.season == season, in_league())
        .group_by(_SEAT.c.bot, _FAULT.c.kind)
        .order_by(_SEAT.c.bot, _FAULT.c.kind)
    )
    counts: dict[str, dict[FaultKind, int]] = {}
    for bot, kind, count in connection.execute(counted):
        counts.setdefault(bot, {})[stored(FaultKind, kind)] = count
    return counts


@reads
def read_bot_times(connection: Connection, season: int) -> list[BotTimes]:
    """Return the time charged to each bot that has finished a match, by bot id."""
    spent = (
        select(
            _SEAT.c.bot,
            func.count(_SEAT.c.match.distinct()),
            func.sum(_SEAT.c.decisions),
            func.sum(_SEAT.c.took_total_us),
            func.max(_SEAT.c.took_max_us),
        )
        .join(_MATCH, _MATCH.c.id == _SEAT.c.match)
        .where(_MATCH.c.season == season, in_league())
        .group_by(_SEAT.c.bot)
        .order_by(_SEAT.c.bot)
    )
    return [BotTimes(*row) for row in connection.execute(spent)]


@reads
def read_core_waits(connection: Connection, season: int) -> CoreWaits:
    """Return how long the bots of all finished matches waited for cores."""
    took, queued, extended = _SEAT.c.took_total_us, _SEAT.c.queued_us, _SEAT.c.extended_us
    summed = (
        select(func.sum(took + extended), func.sum(queued), func.sum(extended))
        .join(_MATCH, _MATCH.c.id == _SEAT.c.match)
        .where(_MATCH.c.season == season, in_league())
    )
    return CoreWaits(*[us or 0 for us in connection.execute(summed).one()])


@reads
def read_processes(connection: Connection, season: int) -> dict[str, int]:
    """Return, by bot id, how many processes finished the first match that they were started for."""
    counted = (
        select(_SEAT.c.bot, func.count())
        .join(_MATCH, _MATCH.c.id == _SEAT.c.match)
        .where(_MATCH.c.season == season, _SEAT.c.bot_table == 0, _SEAT.c.pid != 0, in_league())
        .group_by(_SEAT.c.bot)
        .order_by(_SEAT.c.bot)
    )
    return {str(bot): int(count) for bot, count in connection.execute(counted)}


@reads
def read_sandbox_levels(connection: Connection, season: int) -> dict[str, int]:
    """Return how many finished matches were played under each level of the sandbox."""
    counted = (
        select(_MATCH.c.sandbox, func.count())
        .where(_MATCH.c.season == season, _MATCH.c.state == MatchState.FINISHED.value, in_league())
        .group_by(_MATCH.c.sandbox)
        .order_by(_MATCH.c.sandbox)
    )
    return {str(level): int(count) for level, count in connection.execute(counted)}
