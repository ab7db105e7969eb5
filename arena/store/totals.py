"""The result of every session that counts, added up by the database itself."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from arena.standings.results import SessionResult
from arena.store import models
from arena.store.models import table_of
from arena.store.views import MatchState, SessionState

__all__ = ["read_results"]

_SESSION = table_of(models.Session)
_MATCH = table_of(models.Match)
_SEAT = table_of(models.Seat)


def read_results(connection: Connection, season: int) -> list[SessionResult]:
    """The complete sessions of a season, in schedule order; see `Reader.session_results`."""
    rounds = _rounds(connection, season)
    card_points: dict[int, dict[str, int]] = {identity: {} for identity in rounds}
    fault_points: dict[int, dict[str, int]] = {identity: {} for identity in rounds}
    seat_rounds: dict[int, dict[str, int]] = {identity: {} for identity in rounds}
    added = (
        select(
            _MATCH.c.session, _SEAT.c.bot,
            func.sum(_SEAT.c.points), func.sum(_SEAT.c.charge), func.sum(_MATCH.c.rounds),
        )
        .join(_SEAT, _SEAT.c.match == _MATCH.c.id)
        .where(_MATCH.c.season == season)
        .group_by(_MATCH.c.session, _SEAT.c.bot)
    )  # fmt: skip
    for session, bot, points, charge, sat in connection.execute(added):
        if session in rounds:
            card_points[session][bot] = points
            fault_points[session][bot] = charge
            if sat != rounds[session][2]:
                seat_rounds[session][bot] = sat
    return [
        SessionResult(
            cycle, index, count, card_points[identity], fault_points[identity], seat_rounds[identity]
        )
        for identity, (cycle, index, count) in rounds.items()
    ]


def _rounds(connection: Connection, season: int) -> dict[int, tuple[int, int, int]]:
    """By the id of each complete session: cycle, index, rounds played in all its matches."""
    counted = (
        select(_SESSION.c.id, _SESSION.c.cycle, _SESSION.c.index, func.sum(_MATCH.c.rounds))
        .join(_MATCH, _MATCH.c.session == _SESSION.c.id)
        .where(_SESSION.c.season == season, _SESSION.c.state == SessionState.COMPLETE.value)
        .where(_MATCH.c.state == MatchState.FINISHED.value)
        .group_by(_SESSION.c.id, _SESSION.c.cycle, _SESSION.c.index)
        .order_by(_SESSION.c.cycle, _SESSION.c.index)
    )
    return {identity: (cycle, index, count) for identity, cycle, index, count in connection.execute(counted)}
