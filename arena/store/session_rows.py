"""Reads sessions, and how far they are. It works inside the caller's transaction."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from arena.store import models
from arena.store.after_end import state_now
from arena.store.models import table_of
from arena.store.row import stored
from arena.store.session import reads
from arena.store.views import MatchState, SessionKey, SessionState, SessionView

__all__ = ["read_session_states", "read_sessions"]

_SESSION = table_of(models.Session)
_MATCH = table_of(models.Match)


@reads
def read_sessions(connection: Connection, season: int, after_end: bool = False) -> list[SessionView]:
    """Return every session that was at least begun, in schedule order.

    `after_end`, here and below: also what was played after the end of its stretch.
    """
    finished = (
        select(func.count())
        .where(_MATCH.c.session == _SESSION.c.id, _MATCH.c.state == MatchState.FINISHED.value)
        .scalar_subquery()
    )
    columns = (
        _SESSION.c.cycle,
        _SESSION.c.index,
        _SESSION.c.stretch,
        _SESSION.c.line_up,
        state_now(),
        _SESSION.c.reason,
        _SESSION.c.completed_at,
    )
    here = select(*columns, finished).where(_SESSION.c.season == season)
    return [
        SessionView(
            cycle, index, stretch, tuple(line_up.split()), stored(SessionState, state), reason, at, matches
        )
        for cycle, index, stretch, line_up, state, reason, at, matches in connection.execute(
            here.order_by(_SESSION.c.cycle, _SESSION.c.index)
        )
        if after_end or state != SessionState.AFTER_END.value
    ]


@reads
def read_session_states(connection: Connection, season: int) -> dict[SessionKey, SessionState]:
    """Return the state of every session that was at least begun."""
    columns = select(_SESSION.c.cycle, _SESSION.c.index, state_now())
    here = columns.where(_SESSION.c.season == season)
    found = connection.execute(here.order_by(_SESSION.c.cycle, _SESSION.c.index))
    return {(cycle, index): stored(SessionState, state) for cycle, index, state in found}
