"""The base of all tables, the types of columns, and the rules by which tables refuse values"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    REAL,
    BigInteger,
    Boolean,
    CheckConstraint,
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

__all__ = ["Flag", "Row", "check", "kinds", "make_strict", "one_of"]


class Row(SQLModel):
    """The base of all tables. It has a catalogue of its own, not shared with other users of SQLModel."""

    metadata = MetaData()

    @classmethod
    def table(cls) -> Table:
        """Return the table of this class, for statements that name its columns by texts."""
        return cls.metadata.tables[str(cls.__tablename__)]


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


def check(name: str, condition: str) -> CheckConstraint:
    """Return a constraint that holds a condition, which is SQL. `name`: under which an error names it."""
    return CheckConstraint(condition, name=name)


def one_of(column: str, values: Iterable[str]) -> CheckConstraint:
    """Return a constraint that a column holds one of the values."""
    # Not `IN`: SQLite would build a table of the values for each row first.
    known = " OR ".join(f"{column} = '{value}'" for value in values)
    return check(f"{column}_known", known)


def kinds(column: str, of: type[StrEnum]) -> CheckConstraint:
    """Return a constraint that a column holds one of the values of an enum."""
    return one_of(column, (kind.value for kind in of))
