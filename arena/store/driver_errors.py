"""Turns the errors of database drivers into sentences for people. No other module reads those errors."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError

from arena.errors import StoreError

__all__ = ["in_words", "is_no_text"]

_CAUSES = (
    ("SQLITE_FULL", "the disk is full (or your quota is used up): free some space and run again"),
    ("SQLITE_READONLY", "it cannot be written: check the permissions of the file and of its folder"),
    ("SQLITE_PERM", "it cannot be written: check the permissions of the file and of its folder"),
    ("SQLITE_CANTOPEN", "it cannot be opened: check the permissions of the file and of its folder"),
    ("SQLITE_NOTADB", "this file is not a database: was another file named by mistake?"),
    ("SQLITE_CORRUPT", "the file is damaged: keep a copy, and restore it from a backup"),
    ("SQLITE_BUSY", "another program has kept it locked for too long: close it and run again"),
    ("SQLITE_LOCKED", "another program has kept it locked for too long: close it and run again"),
    ("SQLITE_IOERR", "reading or writing the disk failed: is it full, failing or gone?"),
    ("SQLITE_TOOBIG", "a text is larger than the database takes"),
    ("SQLITE_CONSTRAINT", "it refuses a value that contradicts what it holds"),
)
"""The cause for people, by the first letters of SQLite's error name (https://www.sqlite.org/rescode.html)."""


def in_words(error: Exception, name: str) -> StoreError:
    """Return the error of a database driver as an error for people.

    `name`: the file, or the URL without its password. The text says first what can be done about it, then
    the driver's own words in brackets.
    """
    driver = error.orig if isinstance(error, DBAPIError) else error
    own = str(driver or error).strip().splitlines() or [type(error).__name__]
    return StoreError(f"The database {name}: {_cause(driver)} [{own[0]}]")


def _cause(driver: BaseException | None) -> str:
    # Errors that the sqlite3 module raises by itself carry no code.
    code = getattr(driver, "sqlite_errorname", "") if isinstance(driver, sqlite3.Error) else ""
    for beginning, cause in _CAUSES:
        if code.startswith(beginning):
            return cause
    return "it could not be used"


def is_no_text(error: BaseException | None) -> bool:
    """Return whether the driver found bytes that are no text. It has no code of its own for that."""
    driver = error.orig if isinstance(error, DBAPIError) else error
    return isinstance(driver, sqlite3.OperationalError) and "UTF-8" in str(driver)
