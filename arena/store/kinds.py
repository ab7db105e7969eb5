"""Whether every value of a SQLite database is of its column's kind; SQLite lets any stand anywhere.

Reads only. What the values mean is looked at by whoever reads them.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Float,
    Integer,
    LargeBinary,
    Table,
    func,
    literal_column,
    select,
)

from arena.store import models

__all__ = ["wrong_kind"]

_KINDS: tuple[tuple[type, tuple[str, ...]], ...] = (
    (Boolean, ("integer",)),
    (Integer, ("integer",)),
    (Float, ("real", "integer")),
    (LargeBinary, ("blob",)),
)
"""Types of columns and SQLite's names for their values; everything else is text."""


def wrong_kind(connection: Connection) -> str:
    """The first value of another kind than its column's, in words; empty when there is none."""
    if connection.dialect.name != "sqlite":
        return ""
    for table in models.Row.metadata.sorted_tables:
        for column in table.columns:
            found = _first(connection, table, column)
            if found:
                return found
    return ""


def _first(connection: Connection, table: Table, column: Column[object]) -> str:
    kinds = next((names for type_, names in _KINDS if isinstance(column.type, type_)), ("text",))
    allowed = (*kinds, "null") if column.nullable else kinds
    kind = func.typeof(column)
    row = connection.execute(
        select(func.min(literal_column("rowid")), kind)
        .select_from(table)
        .where(kind.not_in(allowed))
        .group_by(kind)
    ).first()
    if row is None:
        return ""
    return f"{column.name} in row {row[0]} of the table {table.name} is {row[1]}, not {kinds[0]}"
