"""Which sessions and matches lie after the end of their stretch: they were played ahead, and count nowhere.

Parts of statements. Whether a session does follows from its stretch, so nothing of it is stored: it is of a
cycle from `cycles_planned` on, which is less than planned once a stretch ended early.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, case, select
from sqlalchemy.orm import aliased
from sqlmodel import col

from arena.store.models import MatchRow, SessionRow, StretchRow
from arena.store.views import SessionState

__all__ = ["in_league", "is_after_end", "state_now"]

# With names of their own, for the statements around them select from the same tables.
_STRETCH = aliased(StretchRow, name="stretch_of")
_OWN = aliased(SessionRow, name="session_of")


def is_after_end() -> ColumnElement[bool]:
    """Return the condition that a row of `session` is after the end."""
    ended = select(col(_STRETCH.number)).where(
        col(_STRETCH.season) == col(SessionRow.season),
        col(_STRETCH.number) == col(SessionRow.stretch),
        col(_STRETCH.cycles_planned) <= col(SessionRow.cycle),
    )
    return ended.correlate(SessionRow).exists()


def state_now() -> ColumnElement[str]:
    """Return the state of a row of `session`, with `after_end`."""
    return case((is_after_end(), SessionState.AFTER_END.value), else_=col(SessionRow.state))


def in_league() -> ColumnElement[bool]:
    """Return the condition that a row of `match` is not of a session after the end."""
    ended = (
        select(col(_OWN.id))
        .join(
            _STRETCH, (col(_STRETCH.season) == col(_OWN.season)) & (col(_STRETCH.number) == col(_OWN.stretch))
        )
        .where(col(_OWN.id) == col(MatchRow.session), col(_STRETCH.cycles_planned) <= col(_OWN.cycle))
    )
    return ~ended.correlate(MatchRow).exists()
