"""Brings a database of an older arena up to date: a copy of it takes its place, and the original is kept.

Whatever happens meanwhile, also a power cut, there is a whole database under the league's name: the original
until the last step, the copy afterwards. Whoever calls this holds the lock of the league. Only SQLite opens
the original, because closing a file that SQLite has open drops its locks.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

from arena.errors import DatabaseBusy, StoreError
from arena.store.database import Database
from arena.store.driver_errors import in_words
from arena.store.heads import in_use
from arena.store.models import SCHEMA_VERSION
from arena.store.place import BUSY_SECONDS
from arena.store.server_migration import bring_server_up_to_date
from arena.store.versions import SUBJECT, is_older, steps_from

__all__ = ["bring_up_to_date"]

_ENDS = ("", "-journal", "-wal", "-shm")
"""What SQLite may leave of a database, by the ends of the names."""


def bring_up_to_date(path: Path | str) -> str:
    """Make the database at a path or an address one of this arena's version, if there is one and it is older.

    The original of a file is kept beside it, as spring.schema-2.db for spring.db. Returns in words what was
    done, or an empty text. Raises StoreError, and DatabaseBusy while another program has the database open;
    DatabaseRefused for a server.
    """
    if isinstance(path, str):
        return bring_server_up_to_date(path)
    # The name may be a link; the file that it leads to is what gets replaced.
    path = path.resolve()
    if not path.exists() or not path.stat().st_size:
        return ""
    with Database.open(path, read_only=True) as there:
        version = there.version
    if not is_older(version):
        return ""
    try:
        return _migrate(path, version)
    except sqlite3.Error as error:
        raise in_words(error, str(path)) from error
    except OSError as error:
        raise StoreError(f"The database {path} cannot be brought up to date: {error.strerror}") from error


def _migrate(path: Path, version: int) -> str:
    draft, kept = path.with_name(f"{path.name}.migrating"), _free_name(path, version)
    said = (
        f"the database {path.name} was made by an older arena: a copy of it was brought from schema "
        f"{version} to {SCHEMA_VERSION}, the original is kept as {kept.name}"
    )
    with in_use(path), closing(_connect(path)) as original:
        _shut_out_others(original, path)
        _copy(original, draft)
        _step(draft, version, said)
        _give_to_owner(draft, path)
        _sync(draft)
        _keep(original, path, kept)
        draft.replace(path)
        _sync(path.parent)
    return said


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)


def _shut_out_others(original: sqlite3.Connection, path: Path) -> None:
    """Move the log of the original into it and lock it, so that the file is all of it and stays so.

    A log that was left behind would be taken for the copy's own. Raises DatabaseBusy, or an error of SQLite.
    """
    original.execute("PRAGMA journal_mode = DELETE")
    # The lock must outlast a transaction: nothing can be copied while one is changing the database.
    original.execute("PRAGMA locking_mode = EXCLUSIVE")
    original.execute("BEGIN EXCLUSIVE")
    original.execute("COMMIT")
    # Somebody may have begun a log again between the two.
    if original.execute("PRAGMA journal_mode").fetchone() != ("delete",):
        raise DatabaseBusy(f"The database {path} is in use by another program: close it and run again")


def _copy(original: sqlite3.Connection, target: Path) -> None:
    """Copy the whole database to a new file, in the place of what a killed run has left there."""
    for end in _ENDS:
        target.with_name(f"{target.name}{end}").unlink(missing_ok=True)
    with closing(_connect(target)) as copy:
        original.backup(copy)


def _step(draft: Path, version: int, said: str) -> None:
    """Bring a copy up to date, in one transaction, and note it in its log."""
    with closing(_connect(draft)) as copy:
        copy.execute("BEGIN IMMEDIATE")
        for statement in steps_from(version):
            copy.execute(statement)
        copy.execute("UPDATE meta SET value = ? WHERE key = 'schema_version'", (str(SCHEMA_VERSION),))
        line = (time.time_ns() // 1_000_000, "info", SUBJECT, said)
        copy.execute("INSERT INTO log (at, level, subject, text) VALUES (?, ?, ?, ?)", line)
        copy.execute("COMMIT")
    # It is checked as every database is that is opened.
    Database.open(draft, read_only=True).close()


def _give_to_owner(draft: Path, original: Path) -> None:
    """Give the copy the rights and, where that is allowed, the owner of the original."""
    shutil.copymode(original, draft)
    about = original.stat()
    with suppress(PermissionError):
        os.chown(draft, about.st_uid, about.st_gid)


def _keep(original: sqlite3.Connection, path: Path, kept: Path) -> None:
    """Give the original a second name, under which it stays; where files have only one, copy it."""
    if kept.exists():
        return
    try:
        kept.hardlink_to(path)
    except OSError:
        half = kept.with_name(f"{kept.name}.half")
        _copy(original, half)
        _sync(half)
        half.replace(kept)


def _free_name(path: Path, version: int) -> Path:
    """Return the name for the original, which no other file has."""
    stem = f"{path.stem}.schema-{version}"
    names = (path.with_name(f"{stem}{'' if n == 1 else f'-{n}'}{path.suffix}") for n in count(1))
    # A run that was killed just before the end may have given the original its second name already.
    return next(name for name in names if not name.exists() or name.samefile(path))


def _sync(path: Path) -> None:
    """Wait until a file that nobody has open any more, or a folder, is on the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
