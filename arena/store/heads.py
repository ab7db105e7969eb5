"""Looks at how a file begins, but never at a database that this process has open.

A process that closes a file loses all its locks on it, however often it has the file open: so says POSIX. To
open a database here and close it again would drop the locks of SQLite, and the next program to close the
database would believe itself the last and remove the log that a run is writing to.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["SQLITE_HEAD", "begins_as_sqlite", "in_use"]

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
