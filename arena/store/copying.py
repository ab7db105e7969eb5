"""Copies a whole database into one new SQLite file, also while a run writes. Knows no meaning of a row."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from arena.errors import StoreError
from arena.store.driver_errors import in_words
from arena.store.sqlite import reading_address

__all__ = ["copy_database"]

_PAGES_AT_ONCE = -1
"""All pages at once. In steps, each commit of a run in between would make the copy begin anew."""


def copy_database(source: Path, target: Path) -> None:
    """Copy the SQLite database in the file `source` to the new file `target`. Raises StoreError.

    The copy is one file without a log. Its bytes depend only on its content, not on the order in which
    that was stored. For a moment this needs twice the space of the copy.
    """
    whole = target.with_name(f"{target.name}.whole")
    try:
        with (
            closing(sqlite3.connect(reading_address(source), uri=True)) as original,
            closing(sqlite3.connect(whole)) as copy,
        ):
            # A backup takes one state, also while a run writes, but keeps the layout of the pages. VACUUM
            # then writes the rows anew, so that equal content gives equal bytes.
            original.backup(copy, pages=_PAGES_AT_ONCE)
            copy.execute("VACUUM INTO ?", (str(target),))
    except sqlite3.Error as error:
        raise in_words(error, str(source)) from error
    except OSError as error:
        raise StoreError(f"The database {source} cannot be copied: {error.strerror or error}") from error
    finally:
        for path in whole.parent.glob(f"{whole.name}*"):
            path.unlink()
