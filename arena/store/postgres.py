"""A database on a PostgreSQL server that holds a league: how it is reached, its transactions, and its lock.

It knows PostgreSQL, and no table of ours by name. `arena.store.sqlite` is its counterpart for a file. The
driver (psycopg) is imported only when an address asks for it. A password comes from the environment
(PGPASSWORD) or a passfile, which libpq reads; an address never holds one.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import unquote

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    MetaData,
    QueuePool,
    String,
    Table,
    create_engine,
    event,
    make_url,
    text,
)
from sqlmodel.sql.sqltypes import AutoString

from arena.errors import DatabaseBusy, DatabaseRefused, ServerGone
from arena.match.texts import storable
from arena.store.driver_errors import cause_of_refusal, first_line, in_sql
from arena.store.models import Row
from arena.store.schema import make_views
from arena.store.transaction import BUSY_SECONDS, WRITING

if TYPE_CHECKING:
    import psycopg

_LOCKS: Final = 0x5061_7061
"""The first number of all our advisory locks ("Papa"). They hold within one database, so within a league."""
_RUNNING: Final = 1
"""The second number of the lock that a run holds."""
_WRITING: Final = 2
"""The second number of the lock that a transaction holds that writes: one writes at a time, as in SQLite."""

BY_BYTES: Final = "C"
"""The order of texts in our tables: that of their bytes, as in SQLite."""
_CONNECT_SECONDS: Final = 10
_KEEP_ALIVE: Final = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 25_000,
}
"""After some 25 s without an answer a connection counts as cut, on both sides: then its locks are free."""
_OPTIONS: Final = " ".join(
    f"-c {name}={value}"
    for name, value in {
        # What is said to be stored must survive a power cut, whatever the server's own file says.
        "synchronous_commit": "on",
        "lock_timeout": f"{BUSY_SECONDS:.0f}s",
        "tcp_keepalives_idle": 10,
        "tcp_keepalives_interval": 5,
        "tcp_keepalives_count": 3,
    }.items()
)
_BEGIN_WRITING: Final = (
    f"BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;SELECT pg_advisory_xact_lock({_LOCKS}, {_WRITING});"
)
_NUMBER_ON: Final = ";".join(
    f"SELECT setval('{name}_id_seq', coalesce(max(id), 0) + 1, false) FROM \"{name}\""  # noqa: S608 (ours)
    for name in ("session", "match", "log", "action")
)
"""A new row gets the number after the greatest, as in SQLite, also where rows were deleted or not kept.
It comes after the lock: a statement sees what was committed before it began."""
_BEGIN_READING: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_COLUMNS: Final = text(
    "SELECT c.relname, c.relkind::text, a.attname FROM pg_class c "
    "LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped "
    "WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY(:names)"
)

_OURS = "arena run, process "
_HOLDER = (
    "SELECT a.application_name FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid) WHERE l.granted AND "
    "l.locktype = 'advisory' AND l.classid = %s AND l.objid = %s AND l.database = "
    "(SELECT oid FROM pg_database WHERE datname = current_database())"
)


class PostgresServer:
    """Where the database of a league is that is on a server; what `SqliteFile` is for a file."""

    is_far = True

    def __init__(self, url: URL, read_only: bool) -> None:
        self.name = shown(url)
        self._url = url
        self._read_only = read_only
        self._has_tables = False

    def engine(self) -> Engine:
        """Return an engine whose transactions see one state; one of those that write waits for another."""
        try:
            engine = create_engine(
                "postgresql+psycopg://",
                creator=lambda: connected(self._url, "arena", self._read_only),
                poolclass=QueuePool,
                use_native_hstore=False,
            )
        except ImportError as error:
            raise _no_driver(self.name) from error
        event.listen(engine, "begin", self._begin)
        return engine

    def _begin(self, connection: Connection) -> None:
        """Begin a transaction: one that sees one state, or one of those that write, one at a time."""
        driver = connection.connection.driver_connection
        assert driver is not None, "it was connected just now"
        if not connection.get_execution_options().get(WRITING, False):
            with in_sql(connection):
                driver.execute(_BEGIN_READING)
            return
        with in_sql(connection):
            driver.execute(_BEGIN_WRITING + (_NUMBER_ON if self._has_tables else ""))

    def foreign_parts(self, connection: Connection, *tables: Table) -> Iterator[str]:
        """Yield in words what is missing. What else is in a database of one's own server does no harm."""
        ours = tables or tuple(Row.metadata.sorted_tables)
        there: dict[str, set[str]] = {}
        for name, kind, column in connection.execute(_COLUMNS, {"names": [table.name for table in ours]}):
            if kind in {"r", "p"}:
                there.setdefault(name, set()).add(column)
            elif kind in {"v", "m", "f"}:
                yield f"{name} is a view, not a table"
        for table in ours:
            if table.name not in there:
                yield f"the table {table.name} is missing"
                continue
            for column in table.columns:
                if column.name not in there[table.name]:
                    yield f"the table {table.name} has no column {column.name}"

    @contextmanager
    def used(self, engine: Engine) -> Iterator[None]:
        """Return what holds while the database is open, after it was found to be ours."""
        self._has_tables = True
        yield

    def make_tables(self, connection: Connection, tables: MetaData) -> None:
        """Make the tables, with texts that are ordered by their bytes, as in SQLite."""
        ours = MetaData()
        for table in tables.sorted_tables:
            for column in table.to_metadata(ours).columns:
                # SQLModel's own type for texts is not one of SQLAlchemy's.
                if isinstance(column.type, String | AutoString):
                    column.type = String(collation=BY_BYTES)
        ours.create_all(connection)
        make_views(connection)

    def lost(self) -> str:
        """Return an empty text: an error says when a server is gone."""
        return ""


def _no_driver(name: str) -> DatabaseRefused:
    return DatabaseRefused(
        f"{name}: for a database on a server install the driver: pip install 'papayoo-arena[postgres]'"
    )


def shown(url: URL) -> str:
    """Return an address for people, without a password."""
    return unquote(url.render_as_string(hide_password=True))


def connected(url: URL, program: str, read_only: bool = False) -> psycopg.Connection[Any]:
    """Connect to the database at an address. `program`: the name under which the server knows us.

    Raises ServerGone: who connects for the first time tells people to correct the address, and a run that was
    connected before tries again. DatabaseRefused for a database whose texts are not UTF-8.
    """
    try:
        import psycopg
    except ImportError as error:
        raise _no_driver(shown(url)) from error

    options = f"{_OPTIONS} -c default_transaction_read_only=on" if read_only else _OPTIONS
    about: dict[str, Any] = {
        "connect_timeout": _CONNECT_SECONDS,
        "application_name": program[:63],
        "options": options,
        "client_encoding": "utf8",
        **_KEEP_ALIVE,
        **url.translate_connect_args(username="user", database="dbname"),
        **url.query,
    }
    name = shown(url)
    try:
        connection = psycopg.connect(autocommit=True, **about)
    except psycopg.Error as error:
        own = first_line(error)
        raise ServerGone(f"The database {name}: {cause_of_refusal(str(error))} [{own}]", own) from None
    if connection.info.parameter_status("server_encoding") != "UTF8":
        connection.close()
        raise DatabaseRefused(
            f"The database {name} does not hold texts in UTF-8: make one that does "
            "(createdb -E UTF8 -T template0)"
        )
    _adapt(connection)
    return connection


def _adapt(connection: psycopg.Connection[Any]) -> None:
    """Have values read and written as SQLite does."""
    from psycopg.types.numeric import IntLoader
    from psycopg.types.string import StrDumperUnknown

    class Text(StrDumperUnknown):
        """A text, as `storable` says."""

        def dump(self, obj: str) -> bytes:
            return storable(obj).encode()

    # Only sums of BIGINT are NUMERIC, so they are whole numbers.
    connection.adapters.register_loader("numeric", IntLoader)
    connection.adapters.register_dumper(str, Text)


class ServerLock:
    """The lock of a league whose database is at an address. One process holds it, as a `RunLock`.

    It is an advisory one (https://www.postgresql.org/docs/15/explicit-locking.html), held by a connection of
    its own. The server frees it within milliseconds when the process ends, however it ends, and when the
    server is restarted.
    """

    def __init__(self, address: str) -> None:
        self._url = make_url(address)
        self._name = shown(self._url)
        self._connection: psycopg.Connection[Any] | None = None

    def acquire(self) -> None:
        """Take the lock, or raise DatabaseBusy with the process that holds it.

        DatabaseRefused, ServerGone. Does nothing if this object holds the lock already.
        """
        if self._connection is not None and not self._connection.closed:
            return
        program = f"{_OURS}{os.getpid()} on {socket.gethostname()}"
        connection = connected(self._url, program)
        try:
            row = connection.execute("SELECT pg_try_advisory_lock(%s, %s)", (_LOCKS, _RUNNING)).fetchone()
            if row is None or not row[0]:
                holder = _holder(connection)
                who = f"process {holder}" if holder else "another process"
                raise DatabaseBusy(
                    f"This league is being run by {who} (it holds the lock in {self._name}): wait for it, or "
                    "stop it first"
                )
        except BaseException:
            connection.close()
            raise
        self._connection = connection

    def release(self) -> None:
        """Release the lock."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def regain(self) -> None:
        """Take the lock again after the server was lost. Raises what `acquire` raises."""
        if self._connection is not None and not _answers(self._connection):
            self._connection.close()
            self.acquire()

    def __enter__(self) -> Self:
        try:
            self.acquire()
        except ServerGone as error:
            raise DatabaseRefused(error.message) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def server_lock_holder(address: str) -> str | None:
    """Return the process, and its host, that runs the league whose database is at an address.

    "" if that is not known, None if nobody runs it, also while there is no server. DatabaseRefused.
    """
    try:
        with connected(make_url(address), "arena", read_only=True) as connection:
            return _holder(connection)
    except ServerGone:
        return None


def _holder(connection: psycopg.Connection[Any]) -> str | None:
    row = connection.execute(_HOLDER, (_LOCKS, _RUNNING)).fetchone()
    if row is None:
        return None
    name = str(row[0] or "")
    return name.removeprefix(_OURS) if name.startswith(_OURS) else ""


def _answers(connection: psycopg.Connection[Any]) -> bool:
    import psycopg

    try:
        connection.execute("SELECT 1")
    except psycopg.Error:
        return False
    return True
