"""The base of all tables, the types of their columns, and what their values mean. `models` defines them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import (
    REAL,
    BigInteger,
    Boolean,
    Dialect,
    Float,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
)
from sqlalchemy.types import TypeEngine
from sqlmodel import SQLModel
from sqlmodel.sql.sqltypes import AutoString

__all__ = ["BadValueError", "Flag", "Row", "make_strict", "stored", "table_of"]

_Meaning = TypeVar("_Meaning")


class Row(SQLModel):
    """The base of all tables. It has a catalogue of its own, not shared with other users of SQLModel."""

    metadata = MetaData()


def table_of(model: type[Row]) -> Table:
    """Return the table behind a model, for statements that handle many rows at once."""
    return Row.metadata.tables[str(model.__tablename__)]


class Flag(TypeDecorator[bool]):
    """True or false: a whole number in SQLite, whose strict tables have no type for it."""

    impl = Boolean
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """Return the type of a column in a kind of database."""
        return dialect.type_descriptor(Integer() if dialect.name == "sqlite" else Boolean())

    def process_result_value(self, value: Any, dialect: Dialect) -> bool | None:
        """Return what is stored as true or false."""
        return None if value is None else bool(value)


def make_strict(tables: MetaData) -> None:
    """Have SQLite refuse a value of another kind than its column's, as every other database does.

    Its strict tables (https://www.sqlite.org/stricttables.html) know TEXT, INTEGER and REAL only.
    """
    for table in tables.sorted_tables:
        table.dialect_options["sqlite"]["strict"] = True
        for column in table.columns:
            if isinstance(column.type, String | AutoString):
                column.type = Text()
            elif isinstance(column.type, BigInteger):
                column.type = BigInteger().with_variant(Integer(), "sqlite")
            elif isinstance(column.type, Float):
                column.type = Float().with_variant(REAL(), "sqlite")
            elif isinstance(column.type, Boolean):
                column.type = Flag()


class BadValueError(Exception):
    """A stored value that no arena stores; `Database.reading` makes a sentence of it."""


def stored(read: Callable[[Any], _Meaning], value: object) -> _Meaning:
    """Return what a stored value means, as `read` says. Raises BadValueError where it means nothing."""
    try:
        return read(value)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise BadValueError(str(error)) from error
