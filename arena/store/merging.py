"""Joining databases: what one of them has of a league and another has not, added to that, by sessions.

Nothing that was played is changed or taken away, so that joining again, or in another order, comes to
the same. That both databases are of one league must be known before (`arena.season.shards`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, func, select, update

from arena.conduct.disqualify import out_in
from arena.errors import UsageError
from arena.store import models
from arena.store.database import Database
from arena.store.histories import found_league, join_histories
from arena.store.models import table_of
from arena.store.rulings import read_rulings
from arena.store.views import CUT_SHORT, MatchState, SessionKey, SessionState
from arena.store.wholes import Attempt, WholeSession, insert_attempts, insert_session, read_wholes

__all__ = ["Joined", "join_databases"]

_SEASON = table_of(models.Season)
_SESSION = table_of(models.Session)
_MATCH = table_of(models.Match)

_AT_ONCE = 64
"""Sessions that are held in memory."""


@dataclass(frozen=True, slots=True)
class Joined:
    """What was new: sessions with anything new in them, and finished matches."""

    sessions: int = 0
    matches: int = 0


def join_databases(ours: Database, theirs: Database) -> Joined:
    """Add to `ours` what `theirs` has beyond it, in one transaction. Nobody may be running `ours`.

    Attempts that `theirs` has not ended yet are left out: it may be running. UsageError, naming what
    differs, when they are not of one league or a session was played in both; StoreError.
    """
    names = (ours.name, theirs.name)
    with theirs.reading() as source, ours.writing() as target:
        if target.execute(select(_SEASON.c.number).limit(1)).first() is None:
            found_league(target, source)
        _end_begun(target)
        new = [
            matches
            for season in source.execute(select(_SEASON.c.number).order_by(_SEASON.c.number)).scalars()
            for matches in _Join(target, source, season, names).sessions()
        ]
        join_histories(target, source, names)
        return Joined(len(new), sum(new))


def _end_begun(connection: Connection) -> None:
    """What a run that was killed had begun, as the next run does it: parts that were copied say the same."""
    connection.execute(
        update(_MATCH)
        .where(_MATCH.c.state == MatchState.BEGUN.value)
        .values(state=MatchState.INTERRUPTED.value, reason=CUT_SHORT)
    )


@dataclass(frozen=True, slots=True)
class _Join:
    """The joining of one season. `names`: of both databases, for people."""

    target: Connection
    source: Connection
    season: int
    names: tuple[str, str]

    def sessions(self) -> Iterator[int]:
        """For each session that had something new, how many finished matches were new."""
        last_ones = select(_SESSION.c.cycle, func.max(_SESSION.c.index)).group_by(_SESSION.c.cycle)
        of_season = last_ones.where(_SESSION.c.season == self.season).order_by(_SESSION.c.cycle)
        for cycle, last in self.source.execute(of_season).all():
            same_bots = self._out(self.target, cycle) == self._out(self.source, cycle)
            for first in range(0, last + 1, _AT_ONCE):
                indices = range(first, first + _AT_ONCE)
                ours = read_wholes(self.target, self.season, cycle, indices)
                for key, theirs in read_wholes(self.source, self.season, cycle, indices).items():
                    new = self._session(key, ours.get(key), theirs) if theirs.attempts else None
                    if new is None:
                        continue
                    if not same_bots:
                        raise UsageError(self._where(key, "other bots are disqualified"))
                    yield new

    def _out(self, connection: Connection, cycle: int) -> frozenset[str]:
        return out_in(read_rulings(connection, self.season), cycle)

    def _session(self, key: SessionKey, ours: WholeSession | None, theirs: WholeSession) -> int | None:
        """Add what is new of a session: its new finished matches, None if there is nothing new."""
        if ours is None:
            every = list(theirs.attempts.values())
            insert_attempts(self.target, insert_session(self.target, theirs.cells), every)
            return _finished(every)
        clash = _clash(ours, theirs)
        if clash:
            raise UsageError(self._where(key, clash))
        new = [attempt for of, attempt in theirs.attempts.items() if of not in ours.attempts]
        changed = _is_further(_state(theirs), _state(ours))
        if changed:
            kept = {name: theirs.cells[name] for name in ("state", "reason", "completed_at")}
            self.target.execute(update(_SESSION).where(_SESSION.c.id == ours.id).values(kept))
        insert_attempts(self.target, ours.id, new)
        return _finished(new) if new or changed else None

    def _where(self, key: SessionKey, what: str) -> str:
        mine, their = self.names
        return f"{their} cannot be joined to {mine}: season {self.season}, session {key[0]}.{key[1]}: {what}"


def _finished(attempts: list[Attempt]) -> int:
    return sum(attempt.cells["state"] == MatchState.FINISHED.value for attempt in attempts)


def _clash(ours: WholeSession, theirs: WholeSession) -> str:
    """Why what two databases know of a session cannot both be so; empty if one knows all of the other's."""
    if any(ours.cells[name] != theirs.cells[name] for name in ("line_up", "stretch")):
        return "it has another line-up or stretch"
    both = ours.attempts.keys() & theirs.attempts.keys()
    if any(ours.attempts[of] != theirs.attempts[of] for of in both):
        return "the same match was played in both, and differently"
    if len(both) < min(len(ours.attempts), len(theirs.attempts)):
        return "it was played on in both"
    states = {_state(ours), _state(theirs)}
    if SessionState.LEFT_OUT in states and len(states - {SessionState.PLANNED}) > 1:
        return "it was left out in one only"
    return ""


def _state(session: WholeSession) -> SessionState:
    return SessionState(str(session.cells["state"]))


def _is_further(state: SessionState, than: SessionState) -> bool:
    """A session is planned first, then complete or left out; a complete one can become void."""
    if than is SessionState.PLANNED:
        return state is not SessionState.PLANNED
    return than is SessionState.COMPLETE and state is SessionState.VOIDED
