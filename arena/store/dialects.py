"""The few things that SQLite and PostgreSQL say in different words, as elements of statements.

Everything else in the statements of the store is the same for both.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.functions import FunctionElement

__all__ = ["place_of_row"]


class place_of_row(FunctionElement[Any]):  # noqa: N801
    """Where a row is in its table, without arguments: a number in SQLite, "(page,line)" in PostgreSQL."""

    name = "place_of_row"
    inherit_cache = True


@compiles(place_of_row, "sqlite")
def _place_in_sqlite(element: place_of_row, compiler: SQLCompiler, **more: Any) -> str:
    return "rowid"


@compiles(place_of_row, "postgresql")
def _place_in_postgresql(element: place_of_row, compiler: SQLCompiler, **more: Any) -> str:
    return "CAST(ctid AS text)"
