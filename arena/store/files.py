"""What can be known of the file of a database without opening it: how it begins, whether it is still there.

A process that closes a file loses all its locks on it, however often it has the file open: so says POSIX. To
open a database here and close it again would drop the locks of SQLite, and the next program to close the
database would believe itself the last and remove the log that a run is writing to. So a database that this
process has open is never opened here.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SQLITE_HEAD = b"SQLite format 3\0"
_IN_USE: Counter[tuple[int, int]] = Counter()
"""How often this process has each database open, by device and inode."""
_GUARD = threading.Lock()


@contextmanager
def in_use(path: Path) -> Iterator[None]:
    """Keep everybody in this process from opening the file at `path` by themselves during the block."""
    about = path.stat()
    file = (about.st_dev, about.st_ino)
    with _GUARD:
        _IN_USE[file] += 1
    try:
        yield
    finally:
        with _GUARD:
            _IN_USE[file] -= 1


def begins_as_sqlite(path: Path, *, or_empty: bool = False) -> bool:
    """Return whether the file begins as a SQLite database does. Raises OSError.

    `or_empty`: whether an empty file counts too. SQLite takes a file of a few bytes for an empty database.
    """
    # Held all the time, so that nobody begins to use the file between the two looks.
    with _GUARD:
        about = path.stat()
        if _IN_USE[about.st_dev, about.st_ino]:
            return True
        with path.open("rb") as file:
            head = file.read(len(SQLITE_HEAD))
    return head == SQLITE_HEAD or (or_empty and not head)


_LOGS = ("-wal", "-shm")
"""What SQLite keeps beside a database that is open. While we have it open, nobody else removes them."""


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
