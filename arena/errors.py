"""The errors that end a command, each with its exit code and a text for people.

    ArenaError                 4    the root: everything the command line prints instead of a traceback
    |-- UsageError             2    the person who started the command can put it right
    |   |-- LeagueFileError         league.toml: file, line, key, what was expected
    |   |-- SeasonChanged           a key or a bot differs from what the running season was started with
    |   |-- BotFolderError          a bot's folder is missing, unreadable or holds what cannot be copied
    |   |-- BotsBroken              a bot could not be started, or is not ready, before the first match
    |   |-- NoSandbox               a sandbox is required, and cannot be had on this machine
    |   |-- DatabaseBusy            another run holds the lock of this league
    |   |-- ClusterUnusable         there is no cluster at the address, or nobody in it can play
    |   `-- DatabaseRefused         the server, or the database there, cannot be used as the address says
    |-- StoreError             4    the database cannot be read or written
    |   |-- ServerGone              the server of the database is not there any more
    |   |-- SchemaChanged           its tables are not those that the arena makes
    |   `-- RowsUnreadable            a value in it is none that the arena stores
    |-- Interrupted          130    Ctrl-C or a signal; what was played is stored
    `-- InternalError          4    a mistake of ours, with what we know about it

A text may have several lines, and the reader never needs the traceback to understand it. What a bot does
wrong in a match is a fault: data in the match record, never one of these errors.
"""

# ruff: noqa: N818 - SeasonChanged and the like say what happened; an "Error" behind them would add nothing

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar


class ArenaError(Exception):
    """An error that ends a command: the user sees `message` as it is, and `exit_code` ends the process."""

    exit_code: ClassVar[int] = 4

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return self.message


class UsageError(ArenaError):
    """Something in the command or its files that the user can put right."""

    exit_code: ClassVar[int] = 2


class LeagueFileError(UsageError):
    """A league file cannot be used. The text has a line for each problem, `file:line: [section] key: text`"""


class SeasonChanged(UsageError):
    """A key of class S, or a bot, differs from what the season was started with. The text names each one."""


class BotFolderError(UsageError):
    """A bot's folder cannot be digested or copied. The text names the path at fault."""


class BotsBroken(UsageError):
    """At least one bot cannot play. The text is the table of causes."""


class NoSandbox(UsageError):
    """A sandbox is required and cannot be had. The text says why, and what helps."""


class DatabaseBusy(UsageError):
    """Another process is running this league."""


class DatabaseRefused(UsageError):
    """A database server, or the database there, cannot be used as it is. The text says what to do."""


class ClusterUnusable(UsageError):
    """A cluster cannot be used, or not any more. What was played is stored; the text says what to do."""


class StoreError(ArenaError):
    """The database cannot be opened, read or written. The text names the file and the cause."""


class ServerGone(StoreError):
    """The database server was lost. Nothing of what was being done is known to be stored.

    `why`: in the words of the driver.
    """

    def __init__(self, message: str, why: str = "") -> None:
        super().__init__(message)
        self.why = why


class SchemaChanged(StoreError):
    """A table, column, view or trigger is not as the arena makes it; nothing else of the database was read.

    `why`: what is not, without the database's name.
    """

    def __init__(self, message: str, why: str = "") -> None:
        super().__init__(message)
        self.why = why


class RowsUnreadable(StoreError):
    """Rows hold values that this arena never writes: another program changed them.

    `why`: the value and its place, without the database's name.
    """

    def __init__(self, message: str, why: str = "") -> None:
        super().__init__(message)
        self.why = why


class Interrupted(ArenaError):
    """The user stopped the run. Every reported match is stored, and the next run continues from there."""

    exit_code: ClassVar[int] = 130


class InternalError(ArenaError):
    """The arena contradicts itself. The text says where, so that it can be reported."""


@contextmanager
def one_error() -> Iterator[None]:
    """Raise the first ArenaError of a group that holds nothing else; every other error passes unchanged.

    One error is enough: tasks that fail together usually fail for one reason, such as a full disk.
    """
    try:
        yield
    except BaseExceptionGroup as group:
        ours, others = group.split(ArenaError)
        if ours is None or others is not None:
            raise
        raise _first(ours) from group


def _first(group: BaseExceptionGroup[ArenaError]) -> ArenaError:
    error = group.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error
