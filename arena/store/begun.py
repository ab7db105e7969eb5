"""Storing that matches are begun, before a card is dealt: so that a killed run can be seen for what it was.

Works inside the caller's transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, select

from arena.deals import MatchKey
from arena.errors import StoreError
from arena.store import models
from arena.store.inputs import PlannedSession
from arena.store.models import table_of
from arena.store.planned import Sizes
from arena.store.texts import line_up_text
from arena.store.views import MatchState, SessionState

__all__ = ["Beginning"]

_SESSION = table_of(models.Session)
_MATCH = table_of(models.Match)

_KNOWN_SESSION = (
    select(_SESSION.c.id, _SESSION.c.line_up)
    .where(_SESSION.c.season == bindparam("of_season"))
    .where(_SESSION.c.cycle == bindparam("of_cycle"), _SESSION.c.index == bindparam("of_index"))
)
_KNOWN_ATTEMPTS = select(_MATCH.c.order, _MATCH.c.attempt, _MATCH.c.state).where(
    _MATCH.c.session == bindparam("of_session")
)
"""Statements are made once: making one takes longer than SQLite takes to answer it."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """Begins sessions of one stretch at one moment (`at`, milliseconds)."""

    connection: Connection
    season: int
    stretch: int
    sizes: Sizes
    at: int

    def begin(self, session: PlannedSession, attempts: Sequence[MatchKey]) -> None:
        """Add the session if it is new, and those attempts at its matches that are.

        StoreError when the session is known with another line-up, when a key is not of this session
        or of the season's schedule, and when an attempt has ended.
        """
        identity = self._known_session(session)
        known: dict[tuple[int, int], str] = {}
        if identity is None:
            identity = self._add_session(session)
        else:
            known = self._known_attempts(identity)
        new = []
        for key in attempts:
            state = known.get((key.order, key.attempt))
            if state is None:
                new.append(self._cells(identity, session, key))
            elif state != MatchState.BEGUN.value:
                raise StoreError(f"{key} cannot be begun: it is {state}")
        if new:
            self.connection.execute(_MATCH.insert(), new)

    def _known_session(self, session: PlannedSession) -> int | None:
        """The id of the session's row, None if it has none."""
        place = {"of_season": self.season, "of_cycle": session.cycle, "of_index": session.index}
        known = self.connection.execute(_KNOWN_SESSION, place).one_or_none()
        if known is None:
            return None
        identity, line_up = known
        if line_up != line_up_text(session.line_up):
            raise StoreError(
                f"The session (cycle {session.cycle}, index {session.index}) was begun by "
                f"{line_up}, and is now planned for {line_up_text(session.line_up)}"
            )
        return int(identity)

    def _known_attempts(self, identity: int) -> dict[tuple[int, int], str]:
        """The states of a session's attempts, by (order, attempt)."""
        found = self.connection.execute(_KNOWN_ATTEMPTS, {"of_session": identity})
        return {(order, attempt): state for order, attempt, state in found}

    def _add_session(self, session: PlannedSession) -> int:
        added = self.connection.execute(
            _SESSION.insert(),
            {
                "season": self.season,
                "stretch": self.stretch,
                "cycle": session.cycle,
                "index": session.index,
                "line_up": line_up_text(session.line_up),
                "state": SessionState.PLANNED.value,
                "reason": "",
            },
        ).inserted_primary_key
        assert added is not None, "a single insert tells its key"
        return int(added[0])

    def _cells(self, identity: int, session: PlannedSession, key: MatchKey) -> dict[str, object]:
        if (key.cycle, key.index) != session.key:
            raise StoreError(f"{key} is not a match of session {session.key}")
        try:
            number = self.sizes.match_number((key.cycle, key.index, key.order))
        except ValueError as error:
            raise StoreError(f"{key} cannot be begun: {error}") from error
        return {
            "session": identity,
            "season": self.season,
            "cycle": key.cycle,
            "index": key.index,
            "order": key.order,
            "attempt": key.attempt,
            "number": number,
            "state": MatchState.BEGUN.value,
            "started_at": self.at,
        }
