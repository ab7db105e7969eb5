"""Joins databases: adds to one database the sessions of the same league that only another one has.

It changes and removes nothing that was played, so joining again, or in another order, gives the same
result. Sessions are compared and copied with all their rows, but without the ids that a database assigns.
`arena.season.shards` must have checked before that both databases belong to one league.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection, RowMapping, Table, func, select, update

from arena.conduct.disqualify import out_in
from arena.errors import UsageError
from arena.store import models
from arena.store.acts import RULINGS, read_rulings
from arena.store.database import Database
from arena.store.history import CUT_SHORT, NEW_SEASON, NOTED_KEYS
from arena.store.models import table_of
from arena.store.rows import Cells
from arena.store.views import MatchState, SessionKey, SessionState

__all__ = ["Joined", "join_databases"]

_SEASON = table_of(models.Season)
_SESSION = table_of(models.Session)
_MATCH = table_of(models.Match)
_STRETCH = table_of(models.Stretch)
_ENTRY = table_of(models.Entry)
_LOG = table_of(models.Log)
_ACTION = table_of(models.Action)
_OWN_ACTS = (NEW_SEASON, NOTED_KEYS)
"""The acts that every database of a league has itself, so they are never copied."""

_CHILDREN: Final[tuple[Table, ...]] = (
    table_of(models.Seat),
    table_of(models.Round),
    table_of(models.Fault),
)
"""The tables whose rows belong to a match."""

_AT_ONCE = 64
"""The number of sessions held in memory."""


@dataclass(frozen=True, slots=True)
class Joined:
    """What was new: the number of sessions with anything new in them, and of finished matches."""

    sessions: int = 0
    matches: int = 0


def join_databases(ours: Database, theirs: Database) -> Joined:
    """Add to `ours` what only `theirs` has, in one transaction. Nobody may be running `ours`.

    Attempts that `theirs` has not ended are left out, because it may be running. UsageError with the
    difference if they are not of one league or a session was played in both; StoreError.
    """
    names = (ours.name, theirs.name)
    with theirs.reading() as source, ours.writing() as target:
        if target.execute(select(_SEASON.c.number).limit(1)).first() is None:
            _found_league(target, source)
        _end_begun(target)
        new = [
            matches
            for season in source.execute(select(_SEASON.c.number).order_by(_SEASON.c.number)).scalars()
            for matches in _Join(target, source, season, names).sessions()
        ]
        _join_histories(target, source, names)
        return Joined(len(new), sum(new))


def _end_begun(connection: Connection) -> None:
    """Mark as interrupted what a killed run had begun.

    The next run does the same, so parts that were copied from this database agree with it.
    """
    connection.execute(
        update(_MATCH)
        .where(_MATCH.c.state == MatchState.BEGUN.value)
        .values(state=MatchState.INTERRUPTED.value, reason=CUT_SHORT)
    )


@dataclass(frozen=True, slots=True)
class _Join:
    """Joins one season. `names`: of both databases, for people."""

    target: Connection
    source: Connection
    season: int
    names: tuple[str, str]

    def sessions(self) -> Iterator[int]:
        """Yield, for each session with anything new, the number of its new finished matches."""
        last_ones = select(_SESSION.c.cycle, func.max(_SESSION.c.index)).group_by(_SESSION.c.cycle)
        of_season = last_ones.where(_SESSION.c.season == self.season).order_by(_SESSION.c.cycle)
        for cycle, last in self.source.execute(of_season).all():
            # Which bots sat in a cycle depends on who was disqualified then. It matters only where
            # something is new, so a difference is an error only there.
            same_bots = self._out(self.target, cycle) == self._out(self.source, cycle)
            for first in range(0, last + 1, _AT_ONCE):
                indices = range(first, first + _AT_ONCE)
                ours = _read_wholes(self.target, self.season, cycle, indices)
                for key, theirs in _read_wholes(self.source, self.season, cycle, indices).items():
                    new = self._session(key, ours.get(key), theirs) if theirs.attempts else None
                    if new is None:
                        continue
                    if not same_bots:
                        raise UsageError(self._where(key, "other bots are disqualified or withdrawn"))
                    yield new

    def _out(self, connection: Connection, cycle: int) -> frozenset[str]:
        return out_in(read_rulings(connection, self.season), cycle)

    def _session(self, key: SessionKey, ours: _WholeSession | None, theirs: _WholeSession) -> int | None:
        """Add what is new of a session. Return the number of new finished matches, None if nothing is new."""
        if ours is None:
            every = list(theirs.attempts.values())
            _insert_attempts(self.target, _insert_session(self.target, theirs.cells), every)
            return _finished(every)
        clash = _clash(ours, theirs)
        if clash:
            raise UsageError(self._where(key, clash))
        new = [attempt for of, attempt in theirs.attempts.items() if of not in ours.attempts]
        changed = _is_further(_state(theirs), _state(ours))
        if changed:
            kept = {name: theirs.cells[name] for name in ("state", "reason", "completed_at")}
            self.target.execute(update(_SESSION).where(_SESSION.c.id == ours.id).values(kept))
        _insert_attempts(self.target, ours.id, new)
        return _finished(new) if new or changed else None

    def _where(self, key: SessionKey, what: str) -> str:
        mine, their = self.names
        return f"{their} cannot be joined to {mine}: season {self.season}, session {key[0]}.{key[1]}: {what}"


def _finished(attempts: list[_Attempt]) -> int:
    return sum(attempt.cells["state"] == MatchState.FINISHED.value for attempt in attempts)


def _clash(ours: _WholeSession, theirs: _WholeSession) -> str:
    """Return why what two databases hold of a session cannot both be true.

    Empty if one of them holds everything that the other holds.
    """
    if any(ours.cells[name] != theirs.cells[name] for name in ("line_up", "stretch")):
        return "it has another line-up or stretch"
    both = ours.attempts.keys() & theirs.attempts.keys()
    if any(ours.attempts[of] != theirs.attempts[of] for of in both):
        return "the same match was played in both, and differently"
    # Neither holds all attempts of the other: both went on with the session.
    if len(both) < min(len(ours.attempts), len(theirs.attempts)):
        return "it was continued in both"
    states = {_state(ours), _state(theirs)}
    if SessionState.LEFT_OUT in states and len(states - {SessionState.PLANNED}) > 1:
        return "it was left out in one only"
    return ""


def _state(session: _WholeSession) -> SessionState:
    return SessionState(str(session.cells["state"]))


def _is_further(state: SessionState, than: SessionState) -> bool:
    """Return whether a session can go from the state `than` to `state`.

    It is planned first, then complete or left out; a complete one can become void.
    """
    if than is SessionState.PLANNED:
        return state is not SessionState.PLANNED
    return than is SessionState.COMPLETE and state is SessionState.VOIDED


def _found_league(ours: Connection, theirs: Connection) -> None:
    """Copy into an empty database the league's seasons, stretches, bots, entries and acts."""
    for table in (_SEASON, _STRETCH, table_of(models.Bot), _ENTRY):
        _insert_rows(ours, table, list(theirs.execute(select(table)).mappings()))
    _insert_rows(ours, _ACTION, _lines(theirs, _ACTION))


def _join_histories(ours: Connection, theirs: Connection, names: tuple[str, str]) -> None:
    """Add to a database the history that only another one of the same league has.

    `names`: of both, for people. A season was opened, and a stretch committed to, when the first of the
    parts did so. UsageError if the organiser's decisions differ.
    """
    _set_back(ours, theirs, _SEASON, "opened_at")
    _set_back(ours, theirs, _STRETCH, "committed_at")
    _complete_entries(ours, theirs)
    acts = [act for act in _new_lines(ours, theirs, _ACTION) if act["what"] not in _OWN_ACTS]
    decided = [act for act in acts if act["what"] in RULINGS]
    # What is decided between cycles takes the whole league, so no part may decide it alone.
    if decided:
        act, (mine, their) = decided[0], names
        raise UsageError(
            f"{their} cannot be joined to {mine}: the act '{act['what']} {act['subject']}' is in that one "
            "only, and who plays is decided in the whole league"
        )
    _insert_rows(ours, _ACTION, acts)
    _insert_rows(ours, _LOG, _new_lines(ours, theirs, _LOG))


def _set_back(ours: Connection, theirs: Connection, table: Table, column: str) -> None:
    keys = list(table.primary_key.columns)
    for row in theirs.execute(select(*keys, table.c[column])).mappings():
        later = update(table).where(*(key == row[key.name] for key in keys))
        ours.execute(later.where(table.c[column] > row[column]).values({column: row[column]}))


def _complete_entries(ours: Connection, theirs: Connection) -> None:
    """Add what bots reported, where this database has not heard it yet."""
    said = [column.name for column in _ENTRY.columns if column.name.startswith("reported_")]
    for row in theirs.execute(select(_ENTRY).where(_ENTRY.c.reported_name.is_not(None))).mappings():
        silent = update(_ENTRY).where(_ENTRY.c.season == row["season"], _ENTRY.c.bot == row["bot"])
        ours.execute(
            silent.where(_ENTRY.c.reported_name.is_(None)).values({name: row[name] for name in said})
        )


def _new_lines(ours: Connection, theirs: Connection, table: Table) -> list[dict[str, object]]:
    """Return the lines of the log, or the acts, that are in `theirs` only, oldest first."""
    known = {tuple(line.items()) for line in _lines(ours, table)}
    return [line for line in _lines(theirs, table) if tuple(line.items()) not in known]


def _lines(connection: Connection, table: Table) -> list[dict[str, object]]:
    columns = [column for column in table.columns if column.name != "id"]
    found = connection.execute(select(*columns).order_by(table.c.at, table.c.id)).mappings()
    return [dict(line) for line in found]


def _insert_rows(
    connection: Connection, table: Table, rows: Sequence[RowMapping] | Sequence[dict[str, object]]
) -> None:
    if rows:
        connection.execute(table.insert(), [dict(row) for row in rows])


@dataclass(frozen=True, slots=True)
class _Attempt:
    """An attempt at a match: its own row without ids, and its rows in each table of `_CHILDREN`."""

    cells: Cells
    children: tuple[list[Cells], ...] = field(default_factory=lambda: tuple([] for _ in _CHILDREN))


@dataclass(frozen=True, slots=True)
class _WholeSession:
    """A session's row without its id, and its attempts by (order, attempt). `id`: in its own database."""

    id: int
    cells: Cells
    attempts: dict[tuple[int, int], _Attempt] = field(default_factory=dict)


def _read_wholes(
    connection: Connection, season: int, cycle: int, indices: range
) -> dict[SessionKey, _WholeSession]:
    """Return the sessions of a cycle whose index is in the range, in order, without attempts still begun."""
    here = (_SESSION.c.season == season) & (_SESSION.c.cycle == cycle)
    here &= _SESSION.c.index.between(indices.start, indices.stop - 1)
    found: dict[int, _WholeSession] = {}
    for row in connection.execute(select(_SESSION).where(here).order_by(_SESSION.c.index)).mappings():
        found[row["id"]] = _WholeSession(row["id"], _cells_without(row, "id"))
    ended = select(_MATCH).join(_SESSION, _SESSION.c.id == _MATCH.c.session).where(here)
    ended = ended.where(_MATCH.c.state != MatchState.BEGUN.value)
    attempts: dict[int, _Attempt] = {}
    for row in connection.execute(ended.order_by(_MATCH.c.order, _MATCH.c.attempt)).mappings():
        attempt = attempts[row["id"]] = _Attempt(_cells_without(row, "id", "session", "host"))
        found[row["session"]].attempts[row["order"], row["attempt"]] = attempt
    for place, table in enumerate(_CHILDREN):
        rows = select(table).join(_MATCH, _MATCH.c.id == table.c.match)
        rows = rows.join(_SESSION, _SESSION.c.id == _MATCH.c.session).where(here)
        rows = rows.where(_MATCH.c.state != MatchState.BEGUN.value)
        for row in connection.execute(rows.order_by(*table.primary_key.columns)).mappings():
            attempts[row["match"]].children[place].append(_cells_without(row, "match"))
    return {(cycle, int(str(whole.cells["index"]))): whole for whole in found.values()}


def _insert_session(connection: Connection, cells: Cells) -> int:
    """Add a session without its attempts. Return its new id."""
    added = connection.execute(_SESSION.insert(), cells).inserted_primary_key
    assert added is not None, "a single insert tells its key"
    return int(added[0])


def _insert_attempts(connection: Connection, session: int, attempts: list[_Attempt]) -> None:
    """Add attempts with all their rows to the session with that id."""
    children: defaultdict[int, list[Cells]] = defaultdict(list)
    for attempt in attempts:
        added = connection.execute(
            _MATCH.insert(), {**attempt.cells, "session": session}
        ).inserted_primary_key
        assert added is not None, "a single insert tells its key"
        for place, rows in enumerate(attempt.children):
            children[place] += [{**row, "match": int(added[0])} for row in rows]
    for place, table in enumerate(_CHILDREN):
        if children[place]:
            connection.execute(table.insert(), children[place])


def _cells_without(row: RowMapping, *names: str) -> Cells:
    return {name: value for name, value in row.items() if name not in names}
