"""Executes one statement for many rows, at about the cost of the database's own work. Knows no table.

SQLAlchemy would make the parameters of each row anew, which takes longer than SQLite takes to store it.
So rows go to SQLite's driver as they are. For every value of our tables (text, numbers, true and false,
NULL) SQLAlchemy would pass on the same. PostgreSQL gets new rows by COPY, which takes a fifth of what
its driver takes to insert them one by one. All else goes through SQLAlchemy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

from sqlalchemy import Connection, Insert, Update
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.schema import ScalarElementColumnDefault

from arena.store.postgres import copied

__all__ = ["Values", "execute_for_each", "execute_for_rows"]

_Statement = Insert | Update
Values = tuple[object, ...]
"""One row: a value for each of some columns."""


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A statement for SQLite's driver.

    `text`: its SQL. `fixed`: values from the statement and from the defaults of columns, appended to each
    row. `arranged`: puts the values in the order of the statement; None if they are in order.
    """

    text: str
    fixed: Values
    arranged: Callable[[Values], Values] | None


def execute_for_each(
    connection: Connection, statement: _Statement, rows: Sequence[Mapping[str, object]]
) -> None:
    """Execute the statement once for each row, if there are any.

    A column that a new row leaves out gets its default, or NULL. ValueError or an error of SQLAlchemy if
    a row leaves out too much.

    Make the statement once and keep it: what is prepared for it is found by its identity.
    """
    alike: defaultdict[tuple[str, ...], list[Values]] = defaultdict(list)
    for row in rows:
        alike[tuple(row)].append(tuple(row.values()))
    for said, those in alike.items():
        execute_for_rows(connection, statement, said, those)


def execute_for_rows(
    connection: Connection, statement: _Statement, columns: tuple[str, ...], rows: Sequence[Values]
) -> None:
    """Do what `execute_for_each` does, for rows that are values of the same columns."""
    if not rows:
        return
    if connection.dialect.name != "sqlite" or connection.dialect.paramstyle != "qmark":
        if connection.dialect.name == "postgresql" and isinstance(statement, Insert):
            more = {name: value for name, value in _defaults(statement).items() if name not in columns}
            fixed = tuple(more.values())
            copied(connection, statement.table.name, (*columns, *more), [row + fixed for row in rows])
        else:
            connection.execute(statement, [dict(zip(columns, row, strict=True)) for row in rows])
        return
    prepared = _prepared(statement, columns)
    if prepared.arranged is not None:
        fixed, arranged = prepared.fixed, prepared.arranged
        rows = [arranged(row + fixed) for row in rows]
    connection.exec_driver_sql(prepared.text, list(rows))


@lru_cache(maxsize=64)
def _prepared(statement: _Statement, given: tuple[str, ...]) -> _Prepared:
    compiled = statement.compile(dialect=sqlite.dialect(paramstyle="qmark"), column_keys=given)
    assert isinstance(compiled, SQLCompiler)
    names = compiled.positiontup or ()
    said = {name: bind.value for name, bind in compiled.binds.items() if not bind.required}
    said |= _defaults(statement)
    unsaid = [name for name in names if name not in given and name not in said]
    if unsaid:
        raise ValueError(f"the rows do not say {', '.join(unsaid)}")
    fixed = [name for name in names if name not in given]
    places = [[*given, *fixed].index(name) for name in names]
    in_order = places == list(range(len(given)))
    assert in_order or len(names) > 1, "of one name alone, itemgetter would make no tuple"
    arranged = None if in_order else itemgetter(*places)
    return _Prepared(str(compiled), tuple(said[name] for name in fixed), arranged)


def _defaults(statement: _Statement) -> dict[str, object]:
    """Return the values of columns that new rows leave out, where the default is a plain value."""
    columns = statement.table.columns if isinstance(statement, Insert) else ()
    return {
        column.name: column.default.arg
        for column in columns
        if isinstance(column.default, ScalarElementColumnDefault)
    }
