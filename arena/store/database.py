"""Opens, closes and copies the database, and runs transactions.

It knows the tables and their version, but not what they mean. Several threads may use one `Database`;
each transaction has a connection of its own.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, QueuePool, create_engine, event, inspect, make_url, select
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from arena.errors import RowsUnreadable, SchemaChanged, StoreError, UsageError
from arena.store.driver_errors import in_words, is_no_text
from arena.store.heads import begins_as_sqlite, in_use
from arena.store.models import SCHEMA_VERSION, Meta, Row, table_of
from arena.store.presence import Presence
from arena.store.schema import foreign_parts
from arena.store.soundness import read_unsound, unreadable_round, wrong_value
from arena.store.versions import added_since, is_older, views_for

__all__ = ["BUSY_SECONDS", "Database", "copy_database"]

BUSY_SECONDS = 10.0
"""Seconds to wait for another writer (`arena void` during a run) before giving up."""

_WRITING = "arena_writing"
_MAY_COME_FROM_A_VALUE = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)
"""What Python raises for a value of the wrong kind or size, but for a bug of ours too."""

_PAGES_AT_ONCE = -1
"""All pages at once. In steps, each commit of a run in between would make the copy begin anew."""


class Database:
    """An open database, made by `Database.open`. It is also a context manager that closes it.

    SQLite takes a value of any kind in any column, so one that another program has changed may be met
    anywhere in the block. At its end an error that such a value explains, or rows that do not fit together,
    becomes RowsUnreadable, which says where.
    """

    def __init__(self, engine: Engine, name: str, read_only: bool) -> None:
        self.name = name
        self.read_only = read_only
        self.version = SCHEMA_VERSION
        """The version of its tables. An older one is only read, and seen as if it were of today."""
        self._engine = engine
        self._presence: Presence | None = None
        self._uses = ExitStack()

    @classmethod
    def open(cls, target: str | Path, *, create: bool = False, read_only: bool = False) -> Self:
        """Open the database in a file, or at an SQLAlchemy URL ("sqlite:///spring.db").

        `create`: make the database if there is none. `read_only`: only read, also while a run is writing.
        Raises StoreError if there is none, if it cannot be opened, if it does not belong to an arena, if a
        newer arena made it, and to change what an older one made (`migration` comes first then); UsageError
        for a folder.
        """
        url = _url_of(target)
        if url.get_backend_name() == "sqlite":
            path = _checked_path(url, create and not read_only)
            engine, name = _sqlite_engine(path, create, read_only), str(path)
        else:
            engine, name = _other_engine(url), url.render_as_string(hide_password=True)
        database = cls(engine, name, read_only)
        try:
            database._check_schema(create and not read_only)
            if database.version != SCHEMA_VERSION:
                database._see_as_of_today(_checked_path(url, create=False))
            if engine.dialect.name == "sqlite":
                database._uses.enter_context(in_use(Path(name)))
            if not read_only and engine.dialect.name == "sqlite":
                database._keep_log()
                database._presence = Presence(Path(name))
                database.lost()
        except BaseException:
            database.close()
            raise
        return database

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection that sees one state of the database throughout.

        Raises StoreError, and RowsUnreadable if a stored value has no meaning.
        """
        try:
            # In a transaction all statements see one state, also while a run writes.
            with self._in_words(), self._engine.connect() as connection, connection.begin():
                yield connection
        # Some text nested very deeply, as JSON may be, is read by a function that calls itself.
        except (ValueError, LookupError, RecursionError) as error:
            raise self._unreadable(self._wrong_value() or str(error)) from error
        # SQLite takes a value of any kind in any column. So these errors come from a wrong value, or from
        # a bug of ours: look for a wrong value before blaming the database.
        except (TypeError, AttributeError) as error:
            wrong = self._wrong_value()
            if not wrong:
                raise  # a bug of ours
            raise self._unreadable(wrong) from error
        except StoreError as error:
            wrong = self._wrong_value() if is_no_text(error.__cause__) else ""
            if not wrong:
                raise
            raise self._unreadable(wrong) from error

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection whose changes are all kept at the end, or none of them.

        Raises StoreError, also when the file is not the one any more that was opened.
        """
        if self.read_only:
            raise StoreError(f"The database {self.name} is open for reading only")
        with self._in_words(), self._engine.connect() as connection:
            writer = connection.execution_options(**{_WRITING: True})
            with writer.begin():
                yield writer
        if why := self.lost():
            raise StoreError(why)

    def lost(self) -> str:
        """Return in words why what is stored now would be lost, as its file is gone; else an empty text."""
        return "" if self._presence is None else self._presence.lost()

    def _wrong_value(self) -> str:
        with self._in_words(), self._engine.connect() as connection:
            return wrong_value(connection)

    def _wrong_row(self) -> str:
        with self._in_words(), self._engine.connect() as connection:
            return (
                wrong_value(connection) or next(read_unsound(connection), "") or unreadable_round(connection)
            )

    def _unreadable(self, why: str) -> RowsUnreadable:
        said = f"The database {self.name} holds what no arena has stored [{why}]"
        return RowsUnreadable(f"{said}: `arena verify` says where", why)

    def close(self) -> None:
        """Close all connections. Nothing is lost if this is not called."""
        self._engine.dispose()
        self._uses.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with closing(self):
            why = self._wrong_row() if _may_come_from_a_value(error) else ""
        if why:
            raise self._unreadable(why) from error

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error) as error:
            raise in_words(error, self.name) from error

    def _check_schema(self, create: bool) -> None:
        with self.reading() as connection:
            found = _schema_version(connection)
        if found is None and create:
            with self.writing() as connection:
                # Look again: another process may have made the tables meanwhile.
                found = _schema_version(connection)
                if found is None:
                    found = self._make_tables(connection)
        if found is None:
            raise StoreError(f"The database {self.name} is empty: `arena run` fills it")
        if not found:
            raise StoreError(
                f"The database {self.name} belongs to another program: name another file in [store] url"
            )
        if found > SCHEMA_VERSION:
            raise StoreError(
                f"The database {self.name} was made by a newer arena (schema {found}, "
                f"this one knows {SCHEMA_VERSION}): update the arena"
            )
        older = f"The database {self.name} was made by an older arena (schema {found}, this one knows "
        if found < SCHEMA_VERSION and not is_older(found):
            raise StoreError(f"{older}{SCHEMA_VERSION}): use that arena, or begin again with another file")
        if found < SCHEMA_VERSION and not self.read_only:
            raise StoreError(f"{older}{SCHEMA_VERSION}): `arena run` brings a copy of it up to date")
        self.version = found
        with self.reading() as connection:
            foreign = next(foreign_parts(connection, without=added_since(found)), "")
        if foreign:
            raise SchemaChanged(
                f"The database {self.name} is not as an arena makes it: {foreign}; nothing in it was read. "
                "Restore it from a backup, or undo what another program has changed",
                foreign,
            )

    def _see_as_of_today(self, path: Path) -> None:
        """Read the older database in the file through views from now on."""
        if self._engine.dialect.name == "sqlite":
            self._engine.dispose()
            self._engine = _sqlite_engine(path, False, True, tuple(views_for(self.version)))

    def _make_tables(self, connection: Connection) -> int:
        Row.metadata.create_all(connection)
        connection.execute(table_of(Meta).insert(), {"key": "schema_version", "value": str(SCHEMA_VERSION)})
        return SCHEMA_VERSION

    def _keep_log(self) -> None:
        """Turn on the write-ahead log, so that readers never wait for the run. The file remembers it.

        This comes after the check that the file is ours, because it changes the file.
        """
        with self._in_words(), self._engine.connect() as connection:
            driver = connection.connection.driver_connection
            assert isinstance(driver, sqlite3.Connection)
            driver.execute("PRAGMA journal_mode = WAL")


def _may_come_from_a_value(error: BaseException | None) -> bool:
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]  # trio wraps the error of a single task in a group
    return isinstance(error, _MAY_COME_FROM_A_VALUE)


def _url_of(target: str | Path) -> URL:
    text = str(target)
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        return make_url(text)
    except ArgumentError as error:
        raise StoreError(
            f"{text!r} is no database URL: expected something like sqlite:///spring.db"
        ) from error


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
    if path.exists() and not _may_be_sqlite(path):
        raise StoreError(f"{path} is not a database: was another file named by mistake?")
    return path


def _may_be_sqlite(path: Path) -> bool:
    try:
        return begins_as_sqlite(path, or_empty=True)
    except OSError:
        return True  # opening it gives the error that says why


def _sqlite_engine(path: Path, create: bool, read_only: bool, first: Iterable[str] = ()) -> Engine:
    """Return an engine for the file. `first`: statements for each connection, which change nothing in it."""
    address = reading_address(path) if read_only else _address(path, "mode=rwc" if create else "mode=rw")

    def connect() -> sqlite3.Connection:
        # isolation_level: `_begin` begins transactions, not the sqlite3 module.
        # check_same_thread: the pool may hand a connection to another thread than opened it.
        connection = sqlite3.connect(
            address, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            _set_up(connection, read_only, first)
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


def _set_up(connection: sqlite3.Connection, read_only: bool, first: Iterable[str]) -> None:
    for statement in first:
        connection.execute(statement)
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
    writing = connection.get_execution_options().get(_WRITING, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _other_engine(url: URL) -> Engine:
    try:
        return create_engine(url)
    except (SQLAlchemyError, ImportError) as error:
        raise StoreError(f"No driver for {url.drivername} databases is installed [{error}]") from error


def _schema_version(connection: Connection) -> int | None:
    """Return the version of the tables; None in an empty database, 0 in one of another program."""
    meta = table_of(Meta)
    if not inspect(connection).has_table(meta.name):
        return 0 if inspect(connection).get_table_names() else None
    # Not ours, and what is not a plain table must not be asked for anything.
    if next(foreign_parts(connection, meta), ""):
        return 0
    found = str(connection.execute(select(meta.c.value).where(meta.c.key == "schema_version")).scalar())
    return int(found) if found.isdecimal() else 0


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
