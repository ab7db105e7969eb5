"""What a league's databases say beside the sessions: seasons, entries, acts, log. For joining databases.

Works inside the callers' transactions. Knows nothing of what was played.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, RowMapping, Table, select, update

from arena.errors import UsageError
from arena.store import models
from arena.store.models import table_of
from arena.store.rulings import DISQUALIFY, REINSTATE
from arena.store.scoring import NOTED_KEYS
from arena.store.views import NEW_SEASON

__all__ = ["found_league", "join_histories"]

_SEASON = table_of(models.Season)
_STRETCH = table_of(models.Stretch)
_ENTRY = table_of(models.Entry)
_LOG = table_of(models.Log)
_ACTION = table_of(models.Action)

_OWN_ACTS = (NEW_SEASON, NOTED_KEYS)
"""Acts that every database of a league has of its own."""


def found_league(ours: Connection, theirs: Connection) -> None:
    """Make an empty database one of the league: its seasons, stretches, bots, entries and acts."""
    for table in (_SEASON, _STRETCH, table_of(models.Bot), _ENTRY):
        _insert(ours, table, list(theirs.execute(select(table)).mappings()))
    _insert(ours, _ACTION, _lines(theirs, _ACTION))


def join_histories(ours: Connection, theirs: Connection, names: tuple[str, str]) -> None:
    """Add to a database what another of the same league says beyond it. `names`: of both, for people.

    A season began, and a stretch was committed to, when the first of the parts did so. UsageError when
    they were not decided alike.
    """
    _set_back(ours, theirs, _SEASON, "opened_at")
    _set_back(ours, theirs, _STRETCH, "committed_at")
    _complete_entries(ours, theirs)
    acts = [act for act in _new_lines(ours, theirs, _ACTION) if act["what"] not in _OWN_ACTS]
    decided = [act for act in acts if act["what"] in (DISQUALIFY, REINSTATE)]
    if decided:
        act, (mine, their) = decided[0], names
        raise UsageError(
            f"{their} cannot be joined to {mine}: the act '{act['what']} {act['subject']}' is in that one "
            "only, and who plays is decided in the whole league"
        )
    _insert(ours, _ACTION, acts)
    _insert(ours, _LOG, _new_lines(ours, theirs, _LOG))


def _set_back(ours: Connection, theirs: Connection, table: Table, column: str) -> None:
    keys = list(table.primary_key.columns)
    for row in theirs.execute(select(*keys, table.c[column])).mappings():
        later = update(table).where(*(key == row[key.name] for key in keys))
        ours.execute(later.where(table.c[column] > row[column]).values({column: row[column]}))


def _complete_entries(ours: Connection, theirs: Connection) -> None:
    """What bots said of themselves, where they have not been heard here yet."""
    said = [column.name for column in _ENTRY.columns if column.name.startswith("reported_")]
    for row in theirs.execute(select(_ENTRY).where(_ENTRY.c.reported_name.is_not(None))).mappings():
        silent = update(_ENTRY).where(_ENTRY.c.season == row["season"], _ENTRY.c.bot == row["bot"])
        ours.execute(
            silent.where(_ENTRY.c.reported_name.is_(None)).values({name: row[name] for name in said})
        )


def _new_lines(ours: Connection, theirs: Connection, table: Table) -> list[dict[str, object]]:
    """Lines of the log or acts that are in `theirs` only, oldest first."""
    known = {tuple(line.items()) for line in _lines(ours, table)}
    return [line for line in _lines(theirs, table) if tuple(line.items()) not in known]


def _lines(connection: Connection, table: Table) -> list[dict[str, object]]:
    columns = [column for column in table.columns if column.name != "id"]
    found = connection.execute(select(*columns).order_by(table.c.at, table.c.id)).mappings()
    return [dict(line) for line in found]


def _insert(
    connection: Connection, table: Table, rows: Sequence[RowMapping] | Sequence[dict[str, object]]
) -> None:
    if rows:
        connection.execute(table.insert(), [dict(row) for row in rows])
