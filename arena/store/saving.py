"""Stores the results of finished matches, many at once, each whole and each only once.

It works inside the caller's transaction. It costs about as much as writing the rows does: the rows of all
matches go to the database in one batch for each table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, func, select, update

from arena.deals import MatchKey
from arena.errors import StoreError
from arena.match.record import MatchRecord
from arena.store import models
from arena.store.bulk import Values, execute_for_each, execute_for_rows
from arena.store.models import table_of
from arena.store.rows import (
    SEAT_COLUMNS,
    Cells,
    fault_rows,
    finished_match,
    seat_rows,
)
from arena.store.views import MatchSlot, MatchState, SessionKey, SessionState

__all__ = ["NOWHERE", "UNWRITTEN", "Hosts", "Texts", "save_results"]

Hosts = Mapping[MatchKey, int]
"""The host of each match, by the id of its row."""
NOWHERE: Hosts = MappingProxyType({})
"""No match has a host."""
Texts = Mapping[MatchKey, str]
"""The record of each match as JSON."""
UNWRITTEN: Texts = MappingProxyType({})
"""No record was written as JSON yet."""

_SESSION = table_of(models.Session)
_MATCH = table_of(models.Match)

_STATE_FINISHED = MatchState.FINISHED.value
_STATE_BEGUN = MatchState.BEGUN.value
# The statements are made once: making one takes longer than SQLite takes to answer it.
_SEATS = table_of(models.Seat).insert()
_FAULTS = table_of(models.Fault).insert()
_FINISH = (
    update(_MATCH)
    .where(_MATCH.c.id == bindparam("finished"))
    .values(
        {
            name: bindparam(name)
            for name in (
                "state", "suits", "started_at", "finished_at", "rounds", "lateness_count", "lateness_us",
                "sandbox", "fault_points", "host", "record",
            )
        }
    )
)  # fmt: skip
_ATTEMPTS = (
    select(_MATCH.c.id, _MATCH.c.session, _MATCH.c.state, _MATCH.c.index, _MATCH.c.order, _MATCH.c.attempt)
    .where(_MATCH.c.season == bindparam("of_season"), _MATCH.c.cycle == bindparam("of_cycle"))
    .where(_MATCH.c.index.in_(bindparam("indices", expanding=True)))
)
_WHOLE = (
    select(_SESSION.c.id, _SESSION.c.cycle, _SESSION.c.index, func.max(_MATCH.c.finished_at))
    .join(_MATCH, _MATCH.c.session == _SESSION.c.id)
    .where(_SESSION.c.id.in_(bindparam("touched", expanding=True)))
    .where(_SESSION.c.state == SessionState.PLANNED.value)
    .where(_MATCH.c.state == MatchState.FINISHED.value)
    .group_by(_SESSION.c.id, _SESSION.c.cycle, _SESSION.c.index)
    .having(func.count() >= bindparam("per_session"))
    .order_by(_SESSION.c.cycle, _SESSION.c.index)
)
_COMPLETE = (
    update(_SESSION)
    .where(_SESSION.c.id == bindparam("complete"))
    .values(state=SessionState.COMPLETE.value, completed_at=bindparam("at"))
)


class _Attempt(NamedTuple):
    """The stored state of an attempt."""

    id: int
    session: int
    state: str


def save_results(
    connection: Connection,
    season: int,
    records: Sequence[MatchRecord],
    per_session: int,
    hosts: Hosts = NOWHERE,
    texts: Texts = UNWRITTEN,
) -> tuple[SessionKey, ...]:
    """Store the records whose attempts are still begun, and mark sessions that are now complete.

    `per_session`: the matches of a session. `hosts`: where they were played. `texts`: the records as JSON,
    those that are known. Returns the sessions completed,
    in schedule order. StoreError for a match that was never begun.
    """
    chosen = _still_begun(connection, season, records)
    if not chosen:
        return ()
    finished = [
        {
            "finished": of.id,
            **finished_match(record, texts.get(record.key, "")),
            "host": hosts.get(record.key),
        }
        for of, record in chosen
    ]
    execute_for_each(connection, _FINISH, finished)
    _save_seats(connection, [row for of, record in chosen for row in seat_rows(of.id, record)])
    execute_for_each(connection, _FAULTS, [row for of, record in chosen for row in fault_rows(of.id, record)])
    return _complete(connection, {of.session for of, _ in chosen}, per_session)


def _save_seats(connection: Connection, rows: Sequence[tuple[Values, Cells]]) -> None:
    # Nearly all rows set the same columns, so they can stay tuples. The others are dictionaries.
    plain = [values for values, more in rows if not more]
    execute_for_rows(connection, _SEATS, SEAT_COLUMNS, plain)
    others = [{**dict(zip(SEAT_COLUMNS, values, strict=True)), **more} for values, more in rows if more]
    execute_for_each(connection, _SEATS, others)


def _still_begun(
    connection: Connection, season: int, records: Sequence[MatchRecord]
) -> list[tuple[_Attempt, MatchRecord]]:
    """Return the records to be stored: one for each match, of attempts that have not ended."""
    attempts = _attempts(connection, season, records)
    finished = {key[:3] for key, of in attempts.items() if of.state == _STATE_FINISHED}
    chosen = []
    for record in records:
        key = record.key
        slot: MatchSlot = (key.cycle, key.index, key.order)
        of = attempts.get((*slot, key.attempt))
        if of is None:
            raise StoreError(f"{key} was never begun, so its result cannot be stored")
        if of.state == _STATE_BEGUN and slot not in finished:
            finished.add(slot)
            chosen.append((of, record))
    return chosen


def _attempts(
    connection: Connection, season: int, records: Iterable[MatchRecord]
) -> dict[tuple[int, int, int, int], _Attempt]:
    """Return all attempts at matches of the records' sessions, by (cycle, index, order, attempt)."""
    cycles: dict[int, set[int]] = {}
    for record in records:
        cycles.setdefault(record.key.cycle, set()).add(record.key.index)
    return {
        (cycle, index, order, attempt): _Attempt(identity, session, state)
        for cycle, indices in cycles.items()
        for identity, session, state, index, order, attempt in connection.execute(
            _ATTEMPTS, {"of_season": season, "of_cycle": cycle, "indices": sorted(indices)}
        )
    }


def _complete(connection: Connection, touched: set[int], per_session: int) -> tuple[SessionKey, ...]:
    """Mark the planned sessions complete of which all matches are finished. Return them."""
    whole = connection.execute(_WHOLE, {"touched": sorted(touched), "per_session": per_session}).all()
    if whole:
        complete = [{"complete": identity, "at": at} for identity, _, _, at in whole]
        execute_for_each(connection, _COMPLETE, complete)
    return tuple((cycle, index) for _, cycle, index, _ in whole)
