"""Stores that matches are begun and finished, and where: many at once, each whole and each only once.

A match is stored as begun before a card is dealt, so that a later run sees what a killed run played. All of a
call is looked up and stored together: a statement costs more than the rows that it handles.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, bindparam, delete, func, insert, select, update
from sqlmodel import col

from arena.conduct.exclusion import Ruling
from arena.deals import MatchKey
from arena.errors import StoreError
from arena.linux.machine import Host
from arena.match.record import MatchRecord
from arena.store import read
from arena.store.models import FaultRow, HostRow, MatchRow, SeasonRow, SeatRow, SessionRow
from arena.store.rows import RowValues, fault_rows, finished_match, seat_rows
from arena.store.transaction import Transaction, add_rows, writes
from arena.store.views import MatchState, SessionKey, SessionState


@dataclass(frozen=True, slots=True)
class PlannedSession:
    """A session of the schedule. `line_up`: the ids of its bots in the order of the schedule.

    `first_match`: the number of its first match, through the season.
    """

    cycle: int
    index: int
    line_up: tuple[str, ...]
    first_match: int

    @property
    def key(self) -> SessionKey:
        """Return (cycle, index)."""
        return self.cycle, self.index


Begun = tuple[PlannedSession, Sequence[MatchKey]]
"""A session with those of its attempts that are begun now."""
_NONE: Mapping[MatchKey, Any] = MappingProxyType({})

# The statements are made once: making one takes longer than SQLite takes to answer it.
_SESSIONS = select(col(SessionRow.id), col(SessionRow.index), col(SessionRow.line_up)).where(
    col(SessionRow.season) == bindparam("of_season"),
    col(SessionRow.cycle) == bindparam("of_cycle"),
    col(SessionRow.index).in_(bindparam("indices", expanding=True)),
)
_ATTEMPTS = select(
    col(MatchRow.id), col(MatchRow.session), col(MatchRow.state),
    col(MatchRow.index), col(MatchRow.order), col(MatchRow.attempt),
).where(
    col(MatchRow.season) == bindparam("of_season"),
    col(MatchRow.cycle) == bindparam("of_cycle"),
    col(MatchRow.index).in_(bindparam("indices", expanding=True)),
)  # fmt: skip
_WHOLE = (
    select(col(SessionRow.id), func.max(col(MatchRow.finished_at)))
    .join(MatchRow, col(MatchRow.session) == col(SessionRow.id))
    .join(SeasonRow, col(SeasonRow.number) == col(SessionRow.season))
    .where(
        col(SessionRow.id).in_(bindparam("touched", expanding=True)),
        col(SessionRow.state) == SessionState.PLANNED.value,
        col(MatchRow.state) == MatchState.FINISHED.value,
    )
    .group_by(col(SessionRow.id))
    .having(func.count() >= func.max(col(SeasonRow.matches_per_session)))
)
_FINISH = update(MatchRow).where(col(MatchRow.id) == bindparam("finished"))
"""Sets the columns of each match that its row names."""
_COMPLETE = (
    update(SessionRow)
    .where(col(SessionRow.id) == bindparam("complete"))
    .values(state=SessionState.COMPLETE.value, completed_at=bindparam("at"))
)

_Key = tuple[int, int, int, int]
"""An attempt: cycle, index, order and attempt. A dictionary of these is quicker than one of `MatchKey`."""


class _Attempt(NamedTuple):
    """The stored state of an attempt: the ids of its row and of its session's, and its state."""

    id: int
    session: int
    state: str


@writes
def begin_sessions(
    db: Transaction,
    season: int,
    phase: int,
    begun: Sequence[Begun],
    at: int,
    rulings: tuple[Ruling, ...] | None = None,
    records: Sequence[MatchRecord] = (),
    hosts: Mapping[MatchKey, int] = _NONE,
    texts: Mapping[MatchKey, str] = _NONE,
) -> bool:
    """Store that attempts are begun at `at`, and their sessions if they are new.

    `records`: matches to store before that, in any case, as `save_matches` does with `hosts` and `texts`: one
    transaction costs less than two. `rulings`: those on who plays that the caller knows of; None where they
    do not matter, because nothing new of a cycle is begun. Return whether the sessions are begun: they are
    not if the rulings are others by now. Attempts that are begun already stay so. StoreError if a session is
    known with another line-up, if a key is not of its session, and if an attempt has ended.
    """
    save_matches(db, season, records, hosts, texts)
    if rulings is not None and read.rulings(db, season) != rulings:
        return False
    line_ups = _line_ups(session for session, _ in begun)
    known = _known_sessions(db, season, line_ups)
    attempts = _attempts(db, season, known)
    new = [_planned((season, phase), key, line_up) for key, line_up in line_ups.items() if key not in known]
    if new:
        add_rows(db, SessionRow, new)
        # Adding many rows in one statement returns no ids, so new sessions are looked up again.
        known = _known_sessions(db, season, line_ups)
    rows: dict[MatchKey, RowValues] = {}
    for session, keys in begun:
        for key in keys:
            if (key.cycle, key.index) != session.key:
                raise StoreError(f"{key} is not a match of session {session.key}")
            there = attempts.get(_key(key))
            if there is None:
                rows[key] = _begun(season, known[session.key], key, session.first_match + key.order, at)
            elif there.state != MatchState.BEGUN.value:
                raise StoreError(f"{key} cannot be begun: it is {there.state}")
    add_rows(db, MatchRow, list(rows.values()))
    return True


def _line_ups(sessions: Iterable[PlannedSession]) -> dict[SessionKey, str]:
    """Return the line-up of each session as text. StoreError for a session given with two line-ups."""
    line_ups: dict[SessionKey, str] = {}
    for session in sessions:
        text = " ".join(session.line_up)
        _check_same(session.key, line_ups.setdefault(session.key, text), text)
    return line_ups


def _known_sessions(
    db: Transaction, season: int, line_ups: Mapping[SessionKey, str]
) -> dict[SessionKey, int]:
    """Return the ids of the sessions that have a row. StoreError for one with another line-up."""
    identities = {}
    for cycle, indices in _by_cycle(line_ups):
        of = {"of_season": season, "of_cycle": cycle, "indices": indices}
        for identity, index, line_up in db.connection().execute(_SESSIONS, of):
            _check_same((cycle, index), line_up, line_ups[cycle, index])
            identities[cycle, index] = identity
    return identities


def _check_same(session: SessionKey, begun_by: str, planned_for: str) -> None:
    if begun_by != planned_for:
        cycle, index = session
        raise StoreError(
            f"The session (cycle {cycle}, index {index}) was begun by "
            f"{begun_by}, and is now planned for {planned_for}"
        )


def _attempts(db: Transaction, season: int, sessions: Iterable[SessionKey]) -> dict[_Key, _Attempt]:
    """Return all attempts at matches of these sessions."""
    attempts = {}
    for cycle, indices in _by_cycle(sessions):
        of = {"of_season": season, "of_cycle": cycle, "indices": indices}
        for identity, session, state, index, order, attempt in db.connection().execute(_ATTEMPTS, of):
            attempts[cycle, index, order, attempt] = _Attempt(identity, session, state)
    return attempts


def _by_cycle(sessions: Iterable[SessionKey]) -> Iterable[tuple[int, list[int]]]:
    cycles: dict[int, set[int]] = {}
    for cycle, index in sessions:
        cycles.setdefault(cycle, set()).add(index)
    return [(cycle, sorted(indices)) for cycle, indices in cycles.items()]


def _planned(of: tuple[int, int], key: SessionKey, line_up: str) -> RowValues:
    (season, phase), (cycle, index) = of, key
    return {
        "season": season,
        "phase": phase,
        "cycle": cycle,
        "index": index,
        "line_up": line_up,
        "state": SessionState.PLANNED.value,
    }


def _begun(season: int, session: int, key: MatchKey, number: int, at: int) -> RowValues:
    return {
        "session": session,
        "season": season,
        "cycle": key.cycle,
        "index": key.index,
        "order": key.order,
        "attempt": key.attempt,
        "number": number,
        "state": MatchState.BEGUN.value,
        "started_at": at,
    }


@writes
def save_matches(
    db: Transaction,
    season: int,
    records: Sequence[MatchRecord],
    hosts: Mapping[MatchKey, int] = _NONE,
    texts: Mapping[MatchKey, str] = _NONE,
) -> None:
    """Store whole finished matches, and mark the sessions that are complete with them.

    `hosts`: the id of the row of the host of each match, by its key; a match that is not named has none.
    `texts`: the records as JSON, those that are known. A match is skipped if its result is stored already, or
    if its attempt was aborted or interrupted meanwhile: saving twice changes nothing. StoreError for a match
    that was never begun.
    """
    chosen = _still_begun(db, season, records)
    if not chosen:
        return
    matches = [
        {"finished": of.id, "host": hosts.get(key), **finished_match(record, texts.get(key, ""))}
        for of, record in chosen
        for key in [record.key]
    ]
    db.connection().execute(_FINISH, matches)
    add_rows(db, SeatRow, [row for of, record in chosen for row in seat_rows(of.id, record)])
    add_rows(db, FaultRow, [row for of, record in chosen for row in fault_rows(of.id, record)])
    touched = sorted({of.session for of, _ in chosen})
    if whole := db.connection().execute(_WHOLE, {"touched": touched}).all():
        db.connection().execute(_COMPLETE, [{"complete": identity, "at": at} for identity, at in whole])


def _still_begun(
    db: Transaction, season: int, records: Sequence[MatchRecord]
) -> list[tuple[_Attempt, MatchRecord]]:
    """Return the records to be stored: one for each match, of attempts that have not ended."""
    attempts = _attempts(db, season, ((record.key.cycle, record.key.index) for record in records))
    finished = {key[:3] for key, of in attempts.items() if of.state == MatchState.FINISHED.value}
    chosen = []
    for record in records:
        of = attempts.get(_key(record.key))
        if of is None:
            raise StoreError(f"{record.key} was never begun, so its result cannot be stored")
        slot = _key(record.key)[:3]
        if of.state == MatchState.BEGUN.value and slot not in finished:
            finished.add(slot)
            chosen.append((of, record))
    return chosen


def _key(key: MatchKey) -> _Key:
    return key.cycle, key.index, key.order, key.attempt


@writes
def abort(
    db: Transaction, season: int, key: MatchKey, reason: str, state: MatchState = MatchState.ABORTED
) -> None:
    """End a begun attempt without a result. An attempt that has ended stays as it is."""
    db.execute(update(MatchRow).where(*_if_begun(season, key)).values(state=state.value, reason=reason))


@writes
def unbegin(db: Transaction, season: int, keys: Sequence[MatchKey]) -> None:
    """Delete attempts that were begun only here: no card of them was dealt to anybody."""
    for key in keys:
        db.execute(delete(MatchRow).where(*_if_begun(season, key)))


def _if_begun(season: int, key: MatchKey) -> tuple[ColumnElement[bool], ...]:
    return (
        col(MatchRow.season) == season, col(MatchRow.cycle) == key.cycle, col(MatchRow.index) == key.index,
        col(MatchRow.order) == key.order, col(MatchRow.attempt) == key.attempt,
        col(MatchRow.state) == MatchState.BEGUN.value,
    )  # fmt: skip


@writes
def interrupt_begun(db: Transaction, season: int, reason: str) -> None:
    """Mark all begun attempts as interrupted, after a run was stopped or killed."""
    begun = (col(MatchRow.season) == season, col(MatchRow.state) == MatchState.BEGUN.value)
    ended = {"state": MatchState.INTERRUPTED.value, "reason": reason}
    db.execute(update(MatchRow).where(*begun).values(**ended))


@writes
def note_host(db: Transaction, host: Host, at: int) -> int:
    """Store a host that was seen at `at`, and return its id; one that is stored already keeps its row."""
    values = asdict(host)
    same = [getattr(HostRow, name) == value for name, value in values.items()]
    known = db.execute(select(func.min(col(HostRow.id))).where(*same)).scalar()
    if known is not None:
        return int(known)
    last = db.execute(select(func.max(col(HostRow.id)))).scalar()
    number = int(last or 0) + 1
    db.execute(insert(HostRow), {"id": number, **values, "first_seen_at": at})
    return number
