"""The SQLite file that holds a league: how it is opened, what is set up in it, and when it is gone.

It knows files and SQLite, and no table of ours. `arena.store.postgres` is its counterpart for a server.

A process that closes a file loses all its locks on it, however often it has the file open: so says POSIX. To
open a database here by other means and close it again would drop the locks of SQLite, and the next program to
close the database would believe itself the last and remove the log that a run is writing to. So only SQLite
opens it, and says what is no database.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, MetaData, QueuePool, Table, create_engine, event

from arena.errors import StoreError, UsageError
from arena.store.schema import foreign_parts, make_views
from arena.store.transaction import BUSY_SECONDS, WRITING

_LEAST_BYTES = 100
"""The size of the head of a SQLite file."""
_LOGS = ("-wal", "-shm")
"""What SQLite keeps beside a database that is open. While we have it open, nobody else removes them."""


class SqliteFile:
    """Where the database of a league is that lies in a file. `name`: for people. `is_far`: on a server."""

    is_far = False

    def __init__(self, url: URL, create: bool, read_only: bool) -> None:
        self._path = _checked_path(url, create and not read_only)
        self.name = str(self._path)
        self._create = create
        self._read_only = read_only
        self._presence: Presence | None = None

    def engine(self) -> Engine:
        """Return an engine whose transactions see one state, and wait for other writers."""
        return _engine(self._path, self._create, self._read_only)

    def foreign_parts(self, connection: Connection, *tables: Table) -> Iterator[str]:
        """Yield in words what there is that an arena does not make, and what is missing; see `schema`."""
        return foreign_parts(connection, *tables)

    @contextmanager
    def used(self, engine: Engine) -> Iterator[None]:
        """Return what holds while the database is open, after it was found to be ours."""
        if not self._read_only:
            _keep_log(engine)
            self._presence = Presence(self._path)
            if why := self.lost():
                raise StoreError(why)
        yield

    def make_tables(self, connection: Connection, tables: MetaData) -> None:
        """Make the tables in a database that has none."""
        tables.create_all(connection)
        make_views(connection)

    def lost(self) -> str:
        """Return in words why what is stored now would be lost; else an empty text."""
        return "" if self._presence is None else self._presence.lost()


def _checked_path(url: URL, create: bool) -> Path:
    if not url.database or url.database == ":memory:":
        raise StoreError(f"{url} is a database in memory, lost with the run: name a file")
    path = Path(url.database)
    if path.is_dir():
        raise UsageError(f"{path}: a folder, not a database")
    if not path.parent.is_dir():
        raise StoreError(f"The folder {path.parent} of the database {path.name} does not exist")
    if not create and not path.exists():
        raise StoreError(f"There is no database {path}: a run of its league makes it")
    # SQLite takes a file of a few bytes for an empty database.
    if path.exists() and 0 < path.stat().st_size < _LEAST_BYTES:
        raise StoreError(f"{path} is not a database: was another file named by mistake?")
    return path


def _engine(path: Path, create: bool, read_only: bool) -> Engine:
    address = reading_address(path) if read_only else _address(path, "mode=rwc" if create else "mode=rw")

    def connect() -> sqlite3.Connection:
        # isolation_level: `_begin` begins transactions, not the sqlite3 module.
        # check_same_thread: the pool may hand a connection to another thread than opened it.
        connection = sqlite3.connect(
            address, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            _set_up(connection, read_only)
        except UnicodeDecodeError:  # SQLite quotes the tables' definitions when it cannot read them
            connection.close()
            raise sqlite3.DatabaseError("its list of tables is damaged") from None
        except BaseException:
            connection.close()
            raise
        return connection

    # The URL says "in memory", because `creator` knows the file. For that URL SQLAlchemy would choose one
    # connection a thread, so the pool is named: each transaction needs a connection of its own.
    engine = create_engine("sqlite://", creator=connect, poolclass=QueuePool)
    event.listen(engine, "begin", _begin)
    return engine


def reading_address(path: Path) -> str:
    """Return the URI under which SQLite opens a file that is only to be read.

    With a write-ahead log, readers make two files beside the database. The last one to close the database
    moves what the log holds into it and removes both files. With mode=ro that would not happen: both
    would stay after every look. So the mode is rw, and `PRAGMA query_only` forbids changes. If the folder
    cannot be written and there is no log, the file is opened as immutable, which needs no files beside
    it.
    """
    log = path.with_name(f"{path.name}-wal")
    sealed = not os.access(path.parent, os.W_OK) and not log.exists()
    return _address(path, "mode=ro&immutable=1" if sealed else "mode=rw")


def _address(path: Path, mode: str) -> str:
    return f"file:{quote(str(path))}?{mode}"


def _set_up(connection: sqlite3.Connection, read_only: bool) -> None:
    # SQLite checks foreign keys only on connections that ask for it.
    connection.execute("PRAGMA foreign_keys = ON")
    # With a write-ahead log, anything less could lose the last commits in a power cut.
    connection.execute("PRAGMA synchronous = FULL")
    if read_only:
        # The file is open with mode=rw, see `reading_address`.
        connection.execute("PRAGMA query_only = ON")
        # The check of the file would work out a table's own rules, and a stranger's may take for ever.
        connection.execute("PRAGMA ignore_check_constraints = ON")


def _begin(connection: Connection) -> None:
    """Begin a transaction. The sqlite3 module would begin only at the first change, and never for reading.

    A writer takes its lock at once, so that it waits for another writer instead of failing half-way.
    """
    writing = connection.get_execution_options().get(WRITING, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _keep_log(engine: Engine) -> None:
    """Turn on the write-ahead log, so that readers never wait for the run. The file remembers it.

    This comes after the check that the file is ours, because it changes the file.
    """
    with engine.connect() as connection:
        driver = connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        driver.execute("PRAGMA journal_mode = WAL")


class Presence:
    """The files of one SQLite database, as they were when they were first seen. It looks at names only.

    SQLite goes on with a file that has been deleted or replaced: everything seems to be stored, and nothing
    is there afterwards.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.resolve()
        self._seen: dict[Path, os.stat_result] = {}

    def lost(self) -> str:
        """Return in words what has happened to the files, or an empty text. Takes a few microseconds.

        A file may only grow. So a database that another program makes smaller (VACUUM) counts as cut short.
        """
        for path in (self._path, *map(self._path.with_name, self._logs())):
            what = self._changed(path)
            if what:
                return (
                    f"The database {self._path} cannot be used any more: {path.name} was {what} while it was "
                    "in use. Nothing more is played or stored, and what was played last may be lost. Run "
                    f"again with what is there, or restore a backup: first remove "
                    f"{' and '.join(self._logs())}, which do not belong to it"
                )
        return ""

    def _logs(self) -> list[str]:
        return [f"{self._path.name}{end}" for end in _LOGS]

    def _changed(self, path: Path) -> str:
        before = self._seen.get(path)
        try:
            now = path.stat()
        except FileNotFoundError:
            return "" if before is None else "deleted or moved"
        except OSError:  # a disk that is gone for a moment gives an error of its own when it is used
            return ""
        if before is not None and not os.path.samestat(before, now):
            return "replaced by another file"
        # A log is begun anew again and again, and may be cut by whoever asks SQLite for it.
        if before is not None and path == self._path and now.st_size < before.st_size:
            return f"cut short, from {before.st_size:,} to {now.st_size:,} bytes,"
        self._seen[path] = now
        return ""
