"""Copies a whole database into one new SQLite file, also while a run writes. Knows no meaning of a row."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from arena.errors import StoreError
from arena.store.database import Database
from arena.store.driver_errors import in_words
from arena.store.models import MetaRow, Row
from arena.store.sqlite import reading_address

__all__ = ["copy_database"]

_ROWS_AT_ONCE = 1_000
"""The rows held in memory."""


def copy_database(source: Path | str, target: Path) -> None:
    """Copy the database in the file `source`, or at that address, to the SQLite file `target`.

    The copy is one file without a log, as the database is at one moment. It replaces a file of that name
    when it is complete. Raises StoreError, and DatabaseRefused for a server.
    """
    part = target.with_name(f"{target.name}.part")
    try:
        part.unlink(missing_ok=True)
        if isinstance(source, str):
            _fetch(source, part)
        else:
            with closing(sqlite3.connect(reading_address(source), uri=True)) as original:
                original.execute("VACUUM INTO ?", (str(part),))
        with closing(sqlite3.connect(part)) as copy:
            copy.execute("PRAGMA journal_mode = DELETE")  # what is one file can be given to others
        part.replace(target)
    except sqlite3.Error as error:
        raise in_words(error, str(source)) from error
    except OSError as error:
        raise StoreError(f"{target}: the copy cannot be written: {error.strerror or error}") from error
    finally:
        for path in part.parent.glob(f"{part.name}*"):
            path.unlink()


def _fetch(address: str, target: Path) -> None:
    """Copy all rows from a server, in one state of it."""
    with (
        Database.open(address, read_only=True) as original,
        Database.open(target, create=True) as copy,
        original.reading() as source,
        copy.writing() as there,
    ):
        for table in Row.metadata.sorted_tables:
            if table.name == MetaRow.__tablename__:  # it was made with the copy, of the same version
                continue
            ordered = table.select().order_by(*table.primary_key.columns)
            found = source.execute(ordered, execution_options={"yield_per": _ROWS_AT_ONCE})
            for rows in found.mappings().partitions():
                there.execute(table.insert(), [dict(row) for row in rows])
