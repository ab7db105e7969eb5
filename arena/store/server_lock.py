"""Keeps a second run of the same league out where its database is on a server. The counterpart of `lock`.

The lock is an advisory one of PostgreSQL (https://www.postgresql.org/docs/15/explicit-locking.html), held by
a connection of its own. The server frees it within milliseconds when the process ends, however it ends, and
when the server is restarted.
"""

from __future__ import annotations

import os
import socket
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import make_url

from arena.errors import DatabaseBusy, DatabaseRefused, ServerGone
from arena.store.postgres import LOCKS, RUNNING, connected, shown

if TYPE_CHECKING:
    import psycopg

__all__ = ["ServerLock", "server_lock_holder"]

_OURS = "arena run, process "
_HOLDER = (
    "SELECT a.application_name FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid) WHERE l.granted AND "
    "l.locktype = 'advisory' AND l.classid = %s AND l.objid = %s AND l.database = "
    "(SELECT oid FROM pg_database WHERE datname = current_database())"
)


class ServerLock:
    """The lock of a league whose database is at an address. One process holds it, as a `RunLock`."""

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
            row = connection.execute("SELECT pg_try_advisory_lock(%s, %s)", (LOCKS, RUNNING)).fetchone()
            if row is None or not row[0]:
                raise DatabaseBusy(_busy(_holder(connection) or "", self._name))
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

    def lost(self) -> str:
        """Return in words why the lock keeps nobody out any more, or an empty text.

        Where its connection was cut it is taken again, as long as no other run has it. While the server is
        gone there is no other run either.
        """
        try:
            self.regain()
        except ServerGone:
            return ""
        except DatabaseBusy as error:
            return f"{error.message}. Nothing more is played here; what was stored is kept"
        return ""

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
    row = connection.execute(_HOLDER, (LOCKS, RUNNING)).fetchone()
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


def _busy(holder: str, name: str) -> str:
    who = f"process {holder}" if holder else "another process"
    return f"This league is being run by {who} (it holds the lock in {name}): wait for it, or stop it first"
