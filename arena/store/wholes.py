"""Sessions with all their rows, free of the ids that a database gives: for comparing and copying.

Works inside the caller's transaction. Knows the tables, not what their rows mean.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import Connection, RowMapping, Table, select

from arena.store import models
from arena.store.models import table_of
from arena.store.rows import Cells
from arena.store.views import MatchState, SessionKey

__all__ = ["Attempt", "WholeSession", "insert_attempts", "insert_session", "read_wholes"]

_SESSION = table_of(models.Session)
_MATCH = table_of(models.Match)
_CHILDREN: Final[tuple[Table, ...]] = (
    table_of(models.Seat),
    table_of(models.Round),
    table_of(models.Fault),
)
"""The tables whose rows belong to a match."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt at a match: its own row without ids, and the rows of each table of `_CHILDREN`."""

    cells: Cells
    children: tuple[list[Cells], ...] = field(default_factory=lambda: tuple([] for _ in _CHILDREN))


@dataclass(frozen=True, slots=True)
class WholeSession:
    """A session's row without its id, and its attempts by (order, attempt). `id`: in its own database."""

    id: int
    cells: Cells
    attempts: dict[tuple[int, int], Attempt] = field(default_factory=dict)


def read_wholes(
    connection: Connection, season: int, cycle: int, indices: range
) -> dict[SessionKey, WholeSession]:
    """The sessions of a cycle whose index is in the range, in order; attempts still begun left out."""
    here = (_SESSION.c.season == season) & (_SESSION.c.cycle == cycle)
    here &= _SESSION.c.index.between(indices.start, indices.stop - 1)
    found: dict[int, WholeSession] = {}
    for row in connection.execute(select(_SESSION).where(here).order_by(_SESSION.c.index)).mappings():
        found[row["id"]] = WholeSession(row["id"], _without(row, "id"))
    ended = select(_MATCH).join(_SESSION, _SESSION.c.id == _MATCH.c.session).where(here)
    ended = ended.where(_MATCH.c.state != MatchState.BEGUN.value)
    attempts: dict[int, Attempt] = {}
    for row in connection.execute(ended.order_by(_MATCH.c.order, _MATCH.c.attempt)).mappings():
        attempt = attempts[row["id"]] = Attempt(_without(row, "id", "session"))
        found[row["session"]].attempts[row["order"], row["attempt"]] = attempt
    for place, table in enumerate(_CHILDREN):
        rows = select(table).join(_MATCH, _MATCH.c.id == table.c.match)
        rows = rows.join(_SESSION, _SESSION.c.id == _MATCH.c.session).where(here)
        rows = rows.where(_MATCH.c.state != MatchState.BEGUN.value)
        for row in connection.execute(rows.order_by(*table.primary_key.columns)).mappings():
            attempts[row["match"]].children[place].append(_without(row, "match"))
    return {(cycle, int(str(whole.cells["index"]))): whole for whole in found.values()}


def insert_session(connection: Connection, cells: Cells) -> int:
    """Add a session without its attempts; the id it has been given."""
    added = connection.execute(_SESSION.insert(), cells).inserted_primary_key
    assert added is not None, "a single insert tells its key"
    return int(added[0])


def insert_attempts(connection: Connection, session: int, attempts: list[Attempt]) -> None:
    """Add attempts to the session with that id, with all that belongs to them."""
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


def _without(row: RowMapping, *names: str) -> Cells:
    return {name: value for name, value in row.items() if name not in names}
