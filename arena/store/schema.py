"""Makes the view `round`, and checks that a SQLite database has our tables and nothing else first.

The view has a row for each round of all finished matches, read out of their records, for people and their
SQL: `match` (the id of a row of that table), `round` and `dealer` from 0, the card that costs 40 ("D7"),
hands as dealt and passes by seat ("S1 S3 | P20"), plays in order of play, and as JSON lists the points by
seat, the decisions of the stand-in, microseconds by decision, and [decision, microseconds] for each that got
more time. Decisions count from 0: first the passes by seat, then the plays. The arena reads the records.

A database may come from a stranger. A view in the place of a table can compute without end, and a trigger
changes what is stored. Only SQLite's list of what there is gets read here, so nothing of the stranger's runs.
How a table is written down is not compared: it differs between versions of the arena and of SQLAlchemy. A
table's own rules are switched off where a database is only read (`arena.store.database`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlalchemy import Connection, Table, text

from arena.store.models import Row

_TEXTS = ("papayoo", "hands", "passes", "plays", "points", "stand_in", "took_us", "extended")
_SQLITE = """CREATE VIEW "round" AS
SELECT "match".id AS "match", played.key AS "round",
    played.key % json_array_length("match".record, '$.seats') AS dealer,
    {columns}
FROM "match", json_each("match".record, '$.rounds') AS played
WHERE "match".record IS NOT NULL"""
_POSTGRES = """CREATE VIEW "round" AS
SELECT "match".id AS "match", played.number - 1 AS "round",
    mod(played.number - 1, json_array_length("match".record::json -> 'seats')) AS dealer,
    {columns}
FROM "match", json_array_elements("match".record::json -> 'rounds') WITH ORDINALITY AS played(value, number)
WHERE "match".record IS NOT NULL"""


def make_views(connection: Connection) -> None:
    """Make the view in a database that has the tables."""
    connection.exec_driver_sql(_round_view(connection.dialect.name))


def _round_view(dialect: str) -> str:
    """Return the statement that makes the view, which SQLite keeps word for word."""
    if dialect == "sqlite":
        columns = ", ".join(f"json_extract(played.value, '$.{name}') AS {name}" for name in _TEXTS)
        return _SQLITE.format(columns=columns)
    return _POSTGRES.format(columns=", ".join(f"played.value ->> '{name}' AS {name}" for name in _TEXTS))


_LISTED = text("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type = 'table', name")
_STRICT = text("SELECT strict FROM pragma_table_list WHERE schema = 'main' AND name = :table")
_COLUMNS = text("SELECT name, hidden FROM pragma_table_xinfo(:table) ORDER BY cid")
_INDEXED = text("SELECT cid FROM pragma_index_xinfo(:index)")
_COMMENTS = re.compile(r"/\*.*?(?:\*/|\Z)|--[^\n]*|\s+", re.DOTALL)
"""What separates the words of a statement. A comment without an end goes on to the end, as SQLite reads it:
looking for the end of each of a million others would take for ever."""
_WHERE = re.compile(r"\s+where\s+", re.IGNORECASE)
_CONDITIONS = {
    str(index.dialect_options["sqlite"]["where"])
    for table in Row.metadata.sorted_tables
    for index in table.indexes
}
_MOST_SHOWN = 60
_COMPUTED = -2
"""The number that SQLite gives to a part of an index that is no column."""


def foreign_parts(connection: Connection, *tables: Table) -> Iterator[str]:
    """Yield in words what a SQLite database has that an arena does not make, and what is missing in it.

    `tables`: those to look at; none for the whole database.
    """
    ours = {table.name: table for table in tables or Row.metadata.sorted_tables}
    found: set[str] = set()
    for kind, name, of_table, written in connection.execute(_LISTED).all():
        sql = _COMMENTS.sub(" ", written or "")
        named = _shown(name)
        if tables and of_table not in ours and name not in ours:
            continue
        if kind != "table":
            yield from _no_table(connection, kind, name, (of_table, written or ""))
        elif sql.lstrip().upper().startswith("CREATE VIRTUAL"):
            yield f"{named} is a virtual table"
        elif name in ours:
            found.add(name)
            yield from _columns(connection, ours[name])
        # SQLite keeps tables of its own under such names, as after ANALYZE; nobody else may make one.
        elif not name.startswith("sqlite_"):
            yield f"there is a table {named}, which no arena makes"
    yield from (f"the table {name} is missing" for name in ours if name not in found)


def _no_table(connection: Connection, kind: str, name: str, of: tuple[str, str]) -> Iterator[str]:
    """Yield why a trigger, a view or an index may not be there. `of`: its table, and how it was made.

    An index of columns may be there, for it changes no answer. What an index computes may take for ever.
    """
    table, written = of
    sql = _COMMENTS.sub(" ", written)
    if kind == "view" and name == "round" and written == _round_view("sqlite"):
        return
    if kind == "view":
        yield f"{_shown(name)} is a view, not a table"
    elif kind != "index":
        yield f"there is a {kind} {_shown(name)} on the table {_shown(table)}"
    elif not _is_plain(connection, name, sql):
        yield f"the index {_shown(name)} of the table {_shown(table)} is computed"


def _shown(name: str) -> str:
    """Return a stranger's name as it may be printed: cut if it is long, and with escapes if it needs them."""
    return name if name.isprintable() and len(name) <= _MOST_SHOWN else ascii(name[:_MOST_SHOWN])


def _is_plain(connection: Connection, index: str, sql: str) -> bool:
    """Return whether an index is one of columns, without a condition, or with that of one of ours."""
    _, where, condition = _WHERE.sub(" WHERE ", sql, count=1).partition(" WHERE ")
    if where and condition.strip() not in _CONDITIONS:
        return False
    return all(row.cid != _COMPUTED for row in connection.execute(_INDEXED, {"index": index}))


def _columns(connection: Connection, table: Table) -> Iterator[str]:
    if not connection.execute(_STRICT, {"table": table.name}).scalar():
        yield f"the table {table.name} takes values of any kind"
    ours = [column.name for column in table.columns]
    there = {str(row.name): row.hidden for row in connection.execute(_COLUMNS, {"table": table.name})}
    yield from (f"the table {table.name} has no column {name}" for name in ours if name not in there)
    for name, hidden in there.items():
        if name not in ours:
            yield f"the table {table.name} has a column {_shown(name)}, which no arena makes"
        elif hidden:
            yield f"the column {name} of the table {table.name} is computed"
