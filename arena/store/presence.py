"""Tells whether a database is still the file that was opened. Looks at names only, and opens nothing.

SQLite goes on with a file that has been deleted or replaced: everything seems to be stored, and nothing is
there afterwards. Opening the file to look would be worse: closing it again drops SQLite's locks on it.
"""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["Presence"]

_LOGS = ("-wal", "-shm")
"""What SQLite keeps beside a database that is open. While we have it open, nobody else removes them."""


class Presence:
    """The files of one SQLite database, as they were when they were first seen."""

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
