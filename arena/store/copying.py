"""A copy of a whole database as it is at one moment, also while a run writes into it. Changes no row."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from arena.errors import StoreError
from arena.store.database import reading_address
from arena.store.failures import in_words

__all__ = ["copy_database"]

_PAGES_AT_ONCE = -1
"""All: in steps, a run that commits in between would make it begin anew each time."""


def copy_database(source: Path, target: Path) -> None:
    """Copy the SQLite database in the file `source` to the new file `target`.

    The copy is one file without a log, and its bytes depend on what is in it alone, not on how that came
    in. Room for it is needed twice for a moment. Raises StoreError.
    """
    whole = target.with_name(f"{target.name}.whole")
    try:
        with (
            closing(sqlite3.connect(reading_address(source), uri=True)) as original,
            closing(sqlite3.connect(whole)) as copy,
        ):
            original.backup(copy, pages=_PAGES_AT_ONCE)
            copy.execute("VACUUM INTO ?", (str(target),))
    except sqlite3.Error as error:
        raise in_words(error, str(source)) from error
    except OSError as error:
        raise StoreError(f"The database {source} cannot be copied: {error.strerror or error}") from error
    finally:
        for path in whole.parent.glob(f"{whole.name}*"):
            path.unlink()
