"""One statement for many rows, at about the cost of the database's own work. Knows no table.

SQLAlchemy makes the parameters of each row anew, which takes longer than SQLite takes to store it. So rows
go to SQLite's driver as they are: it takes every value of our tables (text, whole numbers, truth, NULL)
just as SQLAlchemy would hand it over. Other databases get their rows through SQLAlchemy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter

from sqlalchemy import Connection, Insert, Update
from sqlalchemy.dialects import sqlite
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.schema import ScalarElementColumnDefault

__all__ = ["execute_for_each"]

_Statement = Insert | Update
_Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A statement for SQLite's driver: its text, and how to get its parameters in their order from a row.

    `fixed`: the parameters that are no row's own, from the statement and from the defaults of columns.
    """

    text: str
    fixed: _Row
    parameters: Callable[[_Row], tuple[object, ...]]


def execute_for_each(connection: Connection, statement: _Statement, rows: Sequence[_Row]) -> None:
    """Execute the statement once for each row, if there are any. What a new row does not say is the default
    of its column, or NULL.

    ValueError or an error of SQLAlchemy's when a row says too little for that.

    The statement should be made once and kept: what is worked out about it is found by its identity.
    """
    alike: dict[tuple[str, ...], list[_Row]] = {}
    for row in rows:
        alike.setdefault(tuple(row), []).append(row)
    for said, those in alike.items():
        _execute_alike(connection, statement, said, those)


def _execute_alike(
    connection: Connection, statement: _Statement, said: tuple[str, ...], rows: Sequence[_Row]
) -> None:
    if connection.dialect.name != "sqlite" or connection.dialect.paramstyle != "qmark":
        connection.execute(statement, [dict(row) for row in rows])
        return
    prepared = _prepared(statement, said)
    if prepared.fixed:
        rows = [{**prepared.fixed, **row} for row in rows]
    connection.exec_driver_sql(prepared.text, list(map(prepared.parameters, rows)))


@lru_cache(maxsize=64)
def _prepared(statement: _Statement, given: tuple[str, ...]) -> _Prepared:
    compiled = statement.compile(dialect=sqlite.dialect(paramstyle="qmark"), column_keys=given)
    assert isinstance(compiled, SQLCompiler)
    names = compiled.positiontup or ()
    assert len(names) > 1, "of one name alone, itemgetter would make no tuple"
    said = {name: bind.value for name, bind in compiled.binds.items() if not bind.required}
    said |= _defaults(statement)
    unsaid = [name for name in names if name not in given and name not in said]
    if unsaid:
        raise ValueError(f"the rows do not say {', '.join(unsaid)}")
    fixed = {name: said[name] for name in names if name not in given}
    return _Prepared(str(compiled), fixed, itemgetter(*names))


def _defaults(statement: _Statement) -> dict[str, object]:
    """What new rows hold in the columns of which they say nothing, where that is a plain value."""
    columns = statement.table.columns if isinstance(statement, Insert) else ()
    return {
        column.name: column.default.arg
        for column in columns
        if isinstance(column.default, ScalarElementColumnDefault)
    }
