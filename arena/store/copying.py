"""Copies a whole database into one new SQLite file, also while a run writes. Knows no meaning of a row."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from arena.errors import StoreError
from arena.store.bulk import execute_for_rows
from arena.store.database import Database
from arena.store.driver_errors import in_words
from arena.store.models import Meta, Row, table_of
from arena.store.sqlite import reading_address

__all__ = ["copy_database"]

_PAGES_AT_ONCE = -1
"""All pages at once. In steps, each commit of a run in between would make the copy begin anew."""
_ROWS_AT_ONCE = 1_000
"""The rows held in memory."""


def copy_database(source: Path | str, target: Path) -> None:
    """Copy the database in the file `source`, or at that address, to the new SQLite file `target`.

    The copy is one file without a log. Its bytes depend only on its content, not on the order in which
    that was stored, nor on where. For a moment this needs three times the space of the copy. Raises
    StoreError, and DatabaseRefused for a server.
    """
    whole = target.with_name(f"{target.name}.whole")
    try:
        if isinstance(source, str):
            fetched = whole.with_name(f"{whole.name}.fetched")
            _fetch(source, fetched)
            _back_up(fetched, whole)
        else:
            _back_up(source, whole)
        with closing(sqlite3.connect(whole, isolation_level=None)) as copy:
            _put_in_order(copy)
            # VACUUM writes the pages anew, so that equal content gives equal bytes.
            copy.execute("VACUUM INTO ?", (str(target),))
    except sqlite3.Error as error:
        raise in_words(error, str(source)) from error
    except OSError as error:
        raise StoreError(f"The database {source} cannot be copied: {error.strerror or error}") from error
    finally:
        for path in whole.parent.glob(f"{whole.name}*"):
            path.unlink()


def _put_in_order(copy: sqlite3.Connection) -> None:
    """Have the rows of every table lie in the order of its key, and the indexes in that of their names.

    Rows came in another order, and SQLAlchemy makes the indexes of a table in any.
    """
    for setting in ("journal_mode = OFF", "synchronous = OFF"):  # nobody misses half a copy
        copy.execute(f"PRAGMA {setting}")
    copy.execute("BEGIN")
    indexes = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY name"
    made = copy.execute(indexes).fetchall()
    for name, _ in made:
        copy.execute('DROP INDEX "{}"'.format(name.replace('"', '""')))
    for table in Row.metadata.sorted_tables:
        columns = [column.name for column in table.primary_key.columns]
        # A key of one number is where a row lies.
        if columns in (["id"], ["number"]):
            continue
        name, key = table.name, ", ".join(f'"{column}"' for column in columns)
        copy.execute(f'CREATE TABLE in_order AS SELECT * FROM "{name}" ORDER BY {key}')  # noqa: S608  (ours)
        copy.execute(f'DELETE FROM "{name}"')  # noqa: S608
        copy.execute(f'INSERT INTO "{name}" SELECT * FROM in_order ORDER BY rowid')  # noqa: S608
        copy.execute("DROP TABLE in_order")
    for _, sql in made:
        copy.execute(sql)
    copy.execute("COMMIT")


def _back_up(source: Path, whole: Path) -> None:
    with (
        closing(sqlite3.connect(reading_address(source), uri=True)) as original,
        closing(sqlite3.connect(whole)) as copy,
    ):
        # A backup takes one state, also while a run writes, but keeps the layout of the pages.
        original.backup(copy, pages=_PAGES_AT_ONCE)


def _fetch(address: str, whole: Path) -> None:
    """Copy all rows from a server, in one state of it."""
    with (
        Database.open(address, read_only=True) as original,
        Database.open(whole, create=True) as copy,
        original.reading() as source,
        copy.writing() as target,
    ):
        for table in Row.metadata.sorted_tables:
            if table is table_of(Meta):  # it was made with the copy, which is of the same version
                continue
            columns = tuple(column.name for column in table.columns)
            ordered = table.select().order_by(*table.primary_key.columns)
            found = source.execution_options(yield_per=_ROWS_AT_ONCE).execute(ordered)
            for rows in found.partitions():
                execute_for_rows(target, table.insert(), columns, [tuple(row) for row in rows])
