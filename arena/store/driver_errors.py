"""Turns the errors of database drivers into sentences for people. No other module reads those errors."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from arena.errors import ServerGone, StoreError

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
    ("53100", "the server's disk is full: free some space there and run again"),
    ("53", "the server has no room for us (connections, memory): give it more, or close other programs"),
    ("25006", "it may only be read here: name the primary server, or a role that may write"),
    ("42501", "the role may not do that: have the database's owner grant it"),
    ("55P03", "another program has kept it locked for too long: close it and run again"),
    ("0A000", "other programs see it through views: close them, drop views of your own, and run again"),
    ("57014", "the server cancelled what was asked for: run again"),
    ("23", "it refuses a value that contradicts what it holds"),
    ("XX", "the server says that its files are damaged: restore them from a backup"),
)
"""The cause for people, by the first letters of SQLite's error name (https://www.sqlite.org/rescode.html) or
of PostgreSQL's SQLSTATE (https://www.postgresql.org/docs/15/errcodes-appendix.html)."""
_GONE = ("08", "57P")
"""The beginnings of SQLSTATE with which a server ends a connection."""

_REFUSALS = (
    ("the database system is", "the server is just being started or stopped: try again"),
    ("too many clients", "the server has no connection left: raise its max_connections"),
    ("server closed the connection", "the server ended the connection"),
    (
        "Connection refused|No such file",
        "no server answers there: start it, or correct host and port in the address",
    ),
    ("timeout expired|timed out", "the server does not answer: correct its address, or the network"),
    ("unreachable", "the server cannot be reached: correct the address, or the network"),
    ("translate host name|Name or service not known", "there is no such host: correct the address"),
    (
        "pg_hba.conf",
        "the server lets nobody in from here like this: ask for TLS (sslmode=require), or have its owner add "
        "a line to pg_hba.conf",
    ),
    (
        "password",
        "the server does not accept the password: give it in the environment (PGPASSWORD) or in a passfile "
        "(~/.pgpass), and look that the role is right",
    ),
    ('database "', "there is no such database: have the server's owner make it (createdb)"),
    ("role", "there is no such role: have the server's owner make it (createuser)"),
    ("certificate", "the server's certificate is refused: correct sslrootcert or the host's name"),
    ("invalid connection option", "the address has a key that the driver does not know: leave it out"),
)
"""How a server, or its driver, says that it cannot be used (patterns), for people.
There is no code for these (https://www.psycopg.org/psycopg3/docs/api/errors.html)."""


def in_words(error: Exception, name: str) -> StoreError:
    """Return the error of a database driver as an error for people; ServerGone if its server is gone.

    `name`: the file, or the URL without its password. The text says first what can be done about it, then
    the driver's own words in brackets.
    """
    driver = error.orig if isinstance(error, DBAPIError) else error
    own = first_line(driver or error)
    if isinstance(error, DBAPIError) and (error.connection_invalidated or _state(driver).startswith(_GONE)):
        return ServerGone(f"The database {name}: its server is gone: start it and run again [{own}]", own)
    return StoreError(f"The database {name}: {_cause(driver)} [{own}]")


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)


def cause_of_refusal(said: str) -> str:
    """Return for people why a server could not be connected to."""
    return next((cause for words, cause in _REFUSALS if re.search(words, said)), "its server cannot be used")


@contextmanager
def in_sql(connection: Connection) -> Iterator[None]:
    """Let errors of the driver, which is asked directly in this block, look as SQLAlchemy raises them."""
    dialect = connection.dialect
    try:
        yield
    except dialect.loaded_dbapi.Error as error:
        gone = dialect.is_disconnect(error, connection.connection.driver_connection, None)
        if gone:
            connection.invalidate()
        raise DBAPIError("", None, error, connection_invalidated=gone) from error


def _state(driver: BaseException | None) -> str:
    return getattr(driver, "sqlstate", None) or ""


def _cause(driver: BaseException | None) -> str:
    # Errors that the sqlite3 module raises by itself carry no code.
    code = getattr(driver, "sqlite_errorname", "") if isinstance(driver, sqlite3.Error) else _state(driver)
    for beginning, cause in _CAUSES:
        if code.startswith(beginning):
            return cause
    return "it could not be used"


def is_no_text(error: BaseException | None) -> bool:
    """Return whether the driver found bytes that are no text. It has no code of its own for that."""
    driver = error.orig if isinstance(error, DBAPIError) else error
    return isinstance(driver, sqlite3.OperationalError) and "UTF-8" in str(driver)
