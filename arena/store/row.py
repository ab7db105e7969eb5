"""The base of all tables, with their catalogue. It defines no table: `models` does."""

from __future__ import annotations

from sqlalchemy import MetaData, Table
from sqlmodel import SQLModel

__all__ = ["Row", "table_of"]


class Row(SQLModel):
    """The base of all tables. It has a catalogue of its own, not shared with other users of SQLModel."""

    metadata = MetaData()


def table_of(model: type[Row]) -> Table:
    """Return the table behind a model, for statements that handle many rows at once."""
    return Row.metadata.tables[str(model.__tablename__)]
