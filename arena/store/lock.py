"""Keeps a second run of the same league out. Knows nothing of what is in the database.

The lock is that of a file (`flock`), which also holds between users, and between machines that share a disk.
Whoever deletes the file lets a second run make and lock another one. Then the token of the newer run in the
database keeps the older one from writing, which ends it (`Database.claim`).

The database's own file is never opened here: closing it would drop the locks that SQLite has on it.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from arena.errors import DatabaseBusy, StoreError


class RunLock:
    """The lock of a league. One process holds it, from `acquire` until `release` or until it ends.

    The kernel drops the lock when the process ends, however it ends, so a file left behind means nothing.
    The file holds the process id of the last holder. Programs that the holder starts do not inherit the
    lock. It is also a context manager.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None

    def acquire(self) -> None:
        """Take the lock, or raise DatabaseBusy with the process that holds it.

        StoreError if the file cannot be made. Does nothing if this object holds the lock already.
        """
        if self._file is not None:
            return
        file = _locked(self.path)
        try:
            os.ftruncate(file, 0)
            os.pwrite(file, f"{os.getpid()}\n".encode("ascii"), 0)
        except BaseException:
            os.close(file)
            raise
        self._file = file

    def release(self) -> None:
        """Release the lock.

        The file stays, because removing it could remove a lock that another has just taken.
        """
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def holder_of(path: Path | str) -> str | None:
    """Return the process id of the run that holds the lock file `path`; "" if it is not written there.

    None if nobody holds it. Tries a shared lock for an instant, so that several who ask do not disturb
    each other. Of a database at an address the server is asked; DatabaseRefused.
    """
    if isinstance(path, str):
        from arena.store.postgres import server_lock_holder  # it loads sqlalchemy

        return server_lock_holder(path)
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return os.pread(file, 32, 0).decode("ascii", "replace").strip()
    finally:
        os.close(file)
    return None


def _locked(path: Path) -> int:
    """Open and lock the file that is at the path. Raises DatabaseBusy, StoreError."""
    while True:
        try:
            # O_CLOEXEC: a program that the holder starts must not keep the lock after the holder's end.
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StoreError(f"The lock file {path} cannot be made: {error.strerror}") from error
        try:
            _lock(file, path)
            # Somebody may have deleted it between the two steps.
            if _is_at(path, file):
                return file
        except BaseException:
            os.close(file)
            raise
        os.close(file)


def _lock(file: int, path: Path) -> None:
    try:
        # Do not wait: a second run of a league is a mistake that its user must see at once.
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        pid = os.pread(file, 32, 0).decode("ascii", "replace").strip()
        raise DatabaseBusy(_busy(pid, f"it holds {path}")) from None
    except OSError as error:
        raise StoreError(f"The lock file {path} cannot be locked: {error.strerror}") from error


def _is_at(path: Path, file: int) -> bool:
    """Return whether the open file is the one at the path."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except OSError:
        return False


def _busy(pid: str, how: str) -> str:
    who = f"process {pid}" if pid.isdecimal() else "another process"
    return f"This league is being run by {who} ({how}): wait for it, or stop it first"
