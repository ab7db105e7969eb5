"""What a league's database is to the store: a file or a place on a server, and the same to all its users.

`arena.store.sqlite` and `arena.store.postgres` are the two kinds. All that differs between them is in these
two, and in `arena.store.round_view`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Protocol

from sqlalchemy import Connection, Engine, MetaData, Table

__all__ = ["BUSY_SECONDS", "WRITING", "Place"]

BUSY_SECONDS = 10.0
"""Seconds to wait for another writer (`arena void` during a run) before giving up."""

WRITING = "arena_writing"
"""The option of a connection whose transaction changes something."""


class Place(Protocol):
    """Where a database is. `name`: for people, never with a password. `is_far`: on a server."""

    name: str
    is_far: bool

    def engine(self) -> Engine:
        """Return an engine whose transactions see one state, and wait for other writers."""

    def foreign_parts(self, connection: Connection, *tables: Table) -> Iterator[str]:
        """Yield in words what there is that an arena does not make, and what is missing.

        `tables`: those to look at; none for the whole database.
        """

    def used(self, engine: Engine) -> AbstractContextManager[None]:
        """Return what holds while the database is open, after it was found to be ours."""

    def make_tables(self, connection: Connection, tables: MetaData) -> None:
        """Make the tables in a database that has none."""

    def lost(self) -> str:
        """Return in words why what is stored now would be lost; else an empty text."""
