"""Opens and closes the database, and runs transactions.

It knows the tables and their version, but not what they mean. Several threads may use one `Database`;
each transaction has a connection of its own. All that differs between a file and a server is in
`arena.store.sqlite` and `arena.store.postgres`, and in the view (`arena.store.schema`).
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import URL, bindparam, delete, insert, inspect, make_url, select, update
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlmodel import col

from arena.errors import ArenaError, DatabaseRefused, RowsUnreadable, SchemaChanged, ServerGone, StoreError
from arena.store.driver_errors import in_words, is_no_text
from arena.store.models import SCHEMA_VERSION, MetaRow, Row
from arena.store.postgres import PostgresServer
from arena.store.rows import BadValueError
from arena.store.soundness import contradictions, wrong_value
from arena.store.sqlite import SqliteFile, reading_address
from arena.store.transaction import NO_PATIENCE, WRITING, Patience, Transaction

_RUN = "run"
"""The key under which the token of the run stands that writes, and the number of its last transaction."""
_NOTE = (
    update(MetaRow)
    .where(col(MetaRow.key) == _RUN, col(MetaRow.value).like(bindparam("token")))
    .values(value=bindparam("mark"))
)
_CLAIMED = select(col(MetaRow.value)).where(col(MetaRow.key) == _RUN)


class Database:
    """An open database, made by `Database.open`. It is also a context manager that closes it.

    Who only reads may have the database of a stranger, in which rows contradict each other. An error that
    ends the block of such a reader is looked into: RowsUnreadable says where the database is to blame. In
    every other case an error is what it was.
    """

    def __init__(self, place: SqliteFile | PostgresServer, read_only: bool, patience: Patience) -> None:
        self.name = place.name
        self.read_only = read_only
        self._place = place
        self._engine = place.engine()
        self._patience = patience
        self._uses = ExitStack()
        self._token = ""
        self._transactions = 0

    @classmethod
    def open(
        cls,
        target: str | Path,
        *,
        create: bool = False,
        read_only: bool = False,
        patience: Patience = NO_PATIENCE,
    ) -> Self:
        """Open the database in a file, or at an SQLAlchemy URL ("sqlite:///league.db").

        `create`: make the database if there is none; on a server, its tables. `read_only`: only read, also
        while a run is writing. `patience`: what to do when the server is gone later on. Raises StoreError if
        there is none, if it cannot be opened, if it does not belong to an arena, and if another version of
        the arena made it; UsageError for a folder, and for a server that cannot be used.
        """
        place = _place_of(target, create, read_only)
        database = cls(place, read_only, NO_PATIENCE)
        try:
            database._check_schema(create and not read_only)
            with database._in_words():
                database._uses.enter_context(place.used(database._engine))
        except ServerGone as error:
            database.close()
            raise DatabaseRefused(error.message) from error
        except BaseException:
            database.close()
            raise
        database._patience = patience
        return database

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """Give a transaction that sees one state of the database throughout.

        Raises StoreError, and RowsUnreadable if a stored value has no meaning.
        """
        try:
            # In a transaction all statements see one state, also while a run writes.
            with self._in_words(), self._begun(writing=False) as db:
                yield db
        except BadValueError as error:
            raise self._unreadable(str(error)) from error
        except StoreError as error:
            if not is_no_text(error.__cause__):
                raise
            raise self._unreadable(self._wrong_value() or error.message) from error

    def claim(self) -> None:
        """Make this the run that writes, until the end or until another one claims the database.

        The lock of a run comes first (`arena.store.lock`). This is for the case that its file was deleted.
        """
        token = secrets.token_hex(16)
        with self.writing() as db:
            _release(db)
            db.execute(insert(MetaRow), {"key": _RUN, "value": f"{token} 0"})
        self._token = token

    def _note_claim(self, db: Transaction) -> None:
        """Note in a transaction of the run which it is, as long as no other run has begun.

        Should the server be lost at the end of the transaction, this row says whether it was kept.
        """
        self._transactions += 1
        ours = {"token": f"{self._token} %", "mark": self._mark}
        if not db.connection().execute(_NOTE, ours).rowcount:
            raise StoreError(
                f"Another run of the league in {self.name} has begun, as the lock of this one was taken "
                "away. Nothing more is played or stored here; what was stored is kept"
            )

    @property
    def _mark(self) -> str:
        return f"{self._token} {self._transactions}"

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """Give a transaction whose changes are all kept at the end, or none of them.

        Raises StoreError, also when the file is not the one any more that was opened.
        """
        if self.read_only:
            raise StoreError(f"The database {self.name} is open for reading only")
        is_ending = False
        try:
            with self._in_words(), self._begun(writing=True) as db:
                if self._token:
                    self._note_claim(db)
                yield db
                is_ending = True
        except ServerGone as gone:
            # The server may have kept all of it, and been lost before it could say so.
            if not (is_ending and self._token and self._was_kept(gone)):
                raise
        if why := self.lost():
            raise StoreError(why)

    def lost(self) -> str:
        """Return in words why what is stored now would be lost, as its file is gone; else an empty text."""
        return self._place.lost()

    def wait_until_back(self, gone: ServerGone) -> None:
        """Wait for a server that is gone, as long as the patience of this database goes.

        Raises `gone` where there is none left, StoreError when the server does not come back, DatabaseBusy
        when another run has begun meanwhile.
        """
        self._patience.wait(gone, self.name, self._ask)

    def _ask(self) -> None:
        """Ask the server for a sign of life. Raises ServerGone."""
        self._engine.dispose()
        with self._in_words(), self._engine.connect():
            pass

    def _was_kept(self, gone: ServerGone) -> bool:
        """Return whether the last transaction of the run is there, after a commit that got no answer."""
        self.wait_until_back(gone)
        with self._in_words(), self._engine.connect() as connection:
            return bool(connection.execute(_CLAIMED).scalar() == self._mark)

    @contextmanager
    def _begun(self, writing: bool) -> Iterator[Transaction]:
        """Give a transaction that ends with the block."""
        with ExitStack() as stack:
            db = None
            while db is None:
                try:
                    db = self._begin(stack, writing)
                except ServerGone as gone:
                    self.wait_until_back(gone)
            yield db

    def _begin(self, stack: ExitStack, writing: bool) -> Transaction:
        with self._in_words(), ExitStack() as began:
            connection = began.enter_context(self._engine.connect())
            if writing:
                connection = connection.execution_options(**{WRITING: True})
            began.enter_context(connection.begin())
            db = began.enter_context(Transaction(connection, autoflush=False))
            stack.enter_context(began.pop_all())
        return db

    def _wrong_value(self) -> str:
        with self._in_words(), self._engine.connect() as connection:
            return wrong_value(Transaction(connection))

    def _wrong_row(self) -> str:
        with self._in_words(), self._engine.connect() as connection:
            db = Transaction(connection)
            return wrong_value(db) or next(contradictions(db), "")

    def _unreadable(self, why: str) -> RowsUnreadable:
        said = f"The database {self.name} holds what no arena has stored [{why}]"
        return RowsUnreadable(f"{said}: `arena verify` says where", why)

    def close(self) -> None:
        """Close all connections. Nothing is lost if this is not called, and nothing is waited for."""
        self._patience = NO_PATIENCE
        if self._token:
            with suppress(StoreError), self.writing() as db:
                _release(db)
        self._engine.dispose()
        self._uses.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with closing(self):
            ours = error is None or isinstance(error, ArenaError) or not isinstance(error, Exception)
            why = "" if ours or not self.read_only else self._wrong_row()
        if why:
            raise self._unreadable(why) from error

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error) as error:
            if why := self.lost():
                raise StoreError(why) from error
            raise in_words(error, self.name) from error

    def _check_schema(self, create: bool) -> None:
        what = "database" if self._place.is_far else "file"
        with self.reading() as db:
            found = self._schema_version(db)
        if found is None and create:
            with self.writing() as db:
                # Look again: another process may have made the tables meanwhile.
                found = self._schema_version(db)
                if found is None:
                    found = self._make_tables(db)
        if found is None:
            raise StoreError(f"The database {self.name} is empty: `arena run` fills it")
        if not found:
            raise StoreError(
                f"The database {self.name} belongs to another program: name another {what} in [store] url"
            )
        if found != SCHEMA_VERSION:
            raise StoreError(
                f"The database {self.name} was made by another version of the arena (it has schema {found}, "
                f"this one reads schema {SCHEMA_VERSION}): use that version, or begin with another {what}"
            )
        with self.reading() as db:
            foreign = next(self._place.foreign_parts(db.connection()), "")
        if foreign:
            raise SchemaChanged(
                f"The database {self.name} is not as an arena makes it: {foreign}; nothing in it was read. "
                "Restore it from a backup, or undo what another program has changed",
                foreign,
            )

    def _make_tables(self, db: Transaction) -> int:
        self._place.make_tables(db.connection(), Row.metadata)
        db.execute(insert(MetaRow), {"key": "schema_version", "value": str(SCHEMA_VERSION)})
        return SCHEMA_VERSION

    def _schema_version(self, db: Transaction) -> int | None:
        """Return the version of the tables; None in an empty database, 0 in one of another program."""
        connection, meta = db.connection(), str(MetaRow.__tablename__)
        if not inspect(connection).has_table(meta):
            return 0 if inspect(connection).get_table_names() else None
        # Not ours, and what is not a plain table must not be asked for anything.
        if next(self._place.foreign_parts(connection, MetaRow.table()), ""):
            return 0
        found = str(
            db.execute(select(col(MetaRow.value)).where(col(MetaRow.key) == "schema_version")).scalar()
        )
        return int(found) if found.isdecimal() else 0


def _release(db: Transaction) -> None:
    db.execute(delete(MetaRow).where(col(MetaRow.key) == _RUN))


def is_there(target: str | Path) -> bool:
    """Return whether a run has made the database: the file is there, or there are tables on the server.

    UsageError for a server that cannot be used.
    """
    place = None if isinstance(target, Path) else _place_of(target, create=False, read_only=True)
    if place is None or not place.is_far:
        return Path(target if place is None else place.name).exists()
    database = Database(place, True, NO_PATIENCE)
    try:
        with closing(database), database.reading() as db:
            return database._schema_version(db) is not None
    except ServerGone as error:
        raise DatabaseRefused(error.message) from error


def _url_of(target: str | Path) -> URL:
    text = str(target)
    if "://" not in text:
        return URL.create("sqlite", database=text)
    try:
        return make_url(text)
    except ArgumentError as error:
        raise StoreError(
            f"{text!r} is no database URL: expected something like sqlite:///league.db"
        ) from error


def _place_of(target: str | Path, create: bool, read_only: bool) -> SqliteFile | PostgresServer:
    url = _url_of(target)
    if url.get_backend_name() == "sqlite":
        return SqliteFile(url, create, read_only)
    if url.get_backend_name() == "postgresql":
        return PostgresServer(url, read_only)
    raise StoreError(
        f"{url.render_as_string()}: the arena knows databases of SQLite and PostgreSQL only, such as "
        "sqlite:///league.db or postgresql+psycopg://host/spring"
    )


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
