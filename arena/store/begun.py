"""Stores that matches are begun, before a card is dealt, so that a later run sees what a killed run played.

It works inside the caller's transaction. It looks up all sessions of a call together and adds them
together: a statement costs more than the rows that it handles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection, bindparam, select

from arena.conduct.disqualify import Ruling
from arena.deals import MatchKey
from arena.errors import StoreError
from arena.match.record import MatchRecord
from arena.schedule.seating import Numbering
from arena.store import models
from arena.store.bulk import execute_for_each
from arena.store.inputs import PlannedSession
from arena.store.models import table_of
from arena.store.saving import Hosts, Texts
from arena.store.views import MatchState, SessionKey, SessionState

__all__ = ["NOTHING_BEFORE", "Beforehand", "Beginning", "Begun"]

_SESSION = table_of(models.Session)
_MATCH = table_of(models.Match)
# The statements are made once: making one takes longer than SQLite takes to answer it.
_ADD_SESSIONS = _SESSION.insert()
_ADD_MATCHES = _MATCH.insert()
_KNOWN_SESSIONS = (
    select(_SESSION.c.id, _SESSION.c.index, _SESSION.c.line_up)
    .where(_SESSION.c.season == bindparam("of_season"), _SESSION.c.cycle == bindparam("of_cycle"))
    .where(_SESSION.c.index.in_(bindparam("indices", expanding=True)))
)

_KNOWN_ATTEMPTS = select(_MATCH.c.session, _MATCH.c.order, _MATCH.c.attempt, _MATCH.c.state).where(
    _MATCH.c.session.in_(bindparam("sessions", expanding=True))
)

Begun = tuple[PlannedSession, Sequence[MatchKey]]
"""A session with those of its attempts that are begun now."""


@dataclass(frozen=True, slots=True)
class Beforehand:
    """What comes before sessions are begun, in the same transaction: one costs less than two.

    `finished`: matches to store, `hosts` where they were played, and `texts` their records as JSON.
    `rulings`: those on who plays that the caller knows of; None where they do not matter, because nothing new
    of a cycle is begun.
    """

    finished: Sequence[MatchRecord] = ()
    rulings: tuple[Ruling, ...] | None = None
    hosts: Hosts = field(default_factory=dict)
    texts: Texts = field(default_factory=dict)


NOTHING_BEFORE = Beforehand()

_Attempt = tuple[int, int, int]
"""The id of a session's row, and the order and attempt of one of its matches."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """Begins sessions of one stretch at one moment (`at`, milliseconds)."""

    connection: Connection
    season: int
    stretch: int
    sizes: Numbering
    at: int

    def begin(self, begun: Sequence[Begun]) -> None:
        """Add the sessions that are new, and the attempts at their matches that are new.

        StoreError if a session is known with another line-up, if a key is not of its session or not of
        the season's schedule, and if an attempt has ended.
        """
        line_ups = _line_ups(session for session, _ in begun)
        old = self._known_sessions(line_ups)
        self._add_sessions({key: line_up for key, line_up in line_ups.items() if key not in old})
        known = self._known_attempts(old.values())
        # Adding many rows in one statement returns no ids, so new sessions are looked up again.
        identities = old if len(old) == len(line_ups) else self._known_sessions(line_ups)
        new: dict[_Attempt, dict[str, object]] = {}
        for session, attempts in begun:
            identity = identities[session.key]
            for key in attempts:
                place = (identity, key.order, key.attempt)
                state = known.get(place)
                if state is None:
                    new[place] = self._cells(identity, session, key)
                elif state != MatchState.BEGUN.value:
                    raise StoreError(f"{key} cannot be begun: it is {state}")
        execute_for_each(self.connection, _ADD_MATCHES, list(new.values()))

    def _known_sessions(self, line_ups: dict[SessionKey, str]) -> dict[SessionKey, int]:
        """Return the ids of the sessions that have a row. StoreError for one with another line-up."""
        cycles: dict[int, list[int]] = {}
        for cycle, index in line_ups:
            cycles.setdefault(cycle, []).append(index)
        identities = {}
        for cycle, indices in cycles.items():
            place = {"of_season": self.season, "of_cycle": cycle, "indices": indices}
            for identity, index, line_up in self.connection.execute(_KNOWN_SESSIONS, place):
                _check_same((cycle, index), line_up, line_ups[cycle, index])
                identities[cycle, index] = int(identity)
        return identities

    def _known_attempts(self, sessions: Iterable[int]) -> dict[_Attempt, str]:
        """Return the states of the attempts of the sessions with these ids."""
        listed = list(sessions)
        found = self.connection.execute(_KNOWN_ATTEMPTS, {"sessions": listed}) if listed else ()
        return {(session, order, attempt): state for session, order, attempt, state in found}

    def _add_sessions(self, line_ups: dict[SessionKey, str]) -> None:
        rows = [
            {
                "season": self.season,
                "stretch": self.stretch,
                "cycle": cycle,
                "index": index,
                "line_up": line_up,
                "state": SessionState.PLANNED.value,
                "reason": "",
            }
            for (cycle, index), line_up in line_ups.items()
        ]
        execute_for_each(self.connection, _ADD_SESSIONS, rows)

    def _cells(self, identity: int, session: PlannedSession, key: MatchKey) -> dict[str, object]:
        if (key.cycle, key.index) != session.key:
            raise StoreError(f"{key} is not a match of session {session.key}")
        try:
            number = self.sizes.match_number(key.cycle, key.index, key.order)
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


def _line_ups(sessions: Iterable[PlannedSession]) -> dict[SessionKey, str]:
    """Return the line-up of each session as text. StoreError for a session given with two line-ups."""
    line_ups: dict[SessionKey, str] = {}
    for session in sessions:
        text = " ".join(session.line_up)
        _check_same(session.key, line_ups.setdefault(session.key, text), text)
    return line_ups


def _check_same(session: SessionKey, begun_by: str, planned_for: str) -> None:
    if begun_by != planned_for:
        cycle, index = session
        raise StoreError(
            f"The session (cycle {cycle}, index {index}) was begun by "
            f"{begun_by}, and is now planned for {planned_for}"
        )
