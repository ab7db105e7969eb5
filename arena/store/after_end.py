"""Which sessions and matches lie after the end of their stretch: they were played ahead, and count nowhere.

Parts of statements. Whether a session does follows from its stretch, so nothing of it is stored: it is of a
cycle from `cycles_planned` on, which is less than planned once a stretch ended early.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, case, select

from arena.store import models
from arena.store.models import table_of
from arena.store.views import SessionState

__all__ = ["in_league", "is_after_end", "state_now"]

_SESSION = table_of(models.Session)
_MATCH = table_of(models.Match)
# With names of their own, for the statements around them select from the same tables.
_STRETCH = table_of(models.Stretch).alias("stretch_of")
_OWN = table_of(models.Session).alias("session_of")


def is_after_end() -> ColumnElement[bool]:
    """Return the condition that a row of `session` is after the end."""
    ended = select(_STRETCH.c.number).where(
        _STRETCH.c.season == _SESSION.c.season,
        _STRETCH.c.number == _SESSION.c.stretch,
        _STRETCH.c.cycles_planned <= _SESSION.c.cycle,
    )
    return ended.correlate(_SESSION).exists()


def state_now() -> ColumnElement[str]:
    """Return the state of a row of `session`, with `after_end`."""
    return case((is_after_end(), SessionState.AFTER_END.value), else_=_SESSION.c.state)


def in_league() -> ColumnElement[bool]:
    """Return the condition that a row of `match` is not of a session after the end."""
    ended = (
        select(_OWN.c.id)
        .join(_STRETCH, (_STRETCH.c.season == _OWN.c.season) & (_STRETCH.c.number == _OWN.c.stretch))
        .where(_OWN.c.id == _MATCH.c.session, _STRETCH.c.cycles_planned <= _OWN.c.cycle)
    )
    return ~ended.correlate(_MATCH).exists()
