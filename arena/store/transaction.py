"""How functions of the store get their transaction, and what happens when its server is lost meanwhile.

A function that is marked with `reads` or `writes` takes a transaction first (`db`), which is a session of
SQLAlchemy, and returns plain data. Whoever has only the database gives that: then the function is a
transaction by itself, and is called again when the server was lost and is back. That is safe: what was not
kept the first time is not there, see `Database.writing`. A file is never lost in this way.
"""

from __future__ import annotations

import math
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

from sqlalchemy import insert
from sqlalchemy.orm import Session

from arena.errors import ArenaError, Interrupted, ServerGone, StoreError
from arena.store.models import Row

Transaction = Session
"""A transaction, in which all statements see one state. Not to be mixed up with the sessions of a league."""
_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")

BUSY_SECONDS = 10.0
"""Seconds to wait for another writer (`arena void` during a run) before giving up."""
WRITING = "arena_writing"
"""The option of a connection whose transaction changes something."""


class _Opens(Protocol):
    """What a `Database` has."""

    def reading(self) -> AbstractContextManager[Transaction]: ...
    def writing(self) -> AbstractContextManager[Transaction]: ...
    def wait_until_back(self, gone: ServerGone) -> None: ...


Source: TypeAlias = _Opens | Transaction
"""A database, or a transaction in it."""
_Inside: TypeAlias = Callable[Concatenate[Transaction, _Given], _Result]
_Outside: TypeAlias = Callable[Concatenate[Source, _Given], _Result]


def add_rows(db: Transaction, model: type[Row], rows: Sequence[Mapping[str, Any]]) -> None:
    """Add rows to a table, if there are any. They all set the same columns, and get no ids back."""
    if rows:
        # By the connection: the session itself would look at each row first, 40 us for a match.
        db.connection().execute(insert(model), rows)


def reads(function: _Inside[_Given, _Result]) -> _Outside[_Given, _Result]:
    """Let a function that reads be called with a database as well."""
    return _in_transaction(function, lambda database: database.reading())


def writes(function: _Inside[_Given, _Result]) -> _Outside[_Given, _Result]:
    """Let a function that writes be called with a database as well: it is kept as a whole, or not at all."""
    return _in_transaction(function, lambda database: database.writing())


def _in_transaction(
    function: _Inside[_Given, _Result], begun: Callable[[_Opens], AbstractContextManager[Transaction]]
) -> _Outside[_Given, _Result]:
    @wraps(function)
    def called(source: Source, /, *given: _Given.args, **named: _Given.kwargs) -> _Result:
        if isinstance(source, Transaction):
            return function(source, *given, **named)
        while True:
            try:
                with begun(source) as db:
                    return function(db, *given, **named)
            except ServerGone as gone:
                source.wait_until_back(gone)

    return called


def reads_on(
    function: _Inside[_Given, Iterator[_Result]],
) -> _Outside[_Given, Iterator[_Result]]:
    """Let a function that yields what it reads be called with a database as well.

    All comes from one state of it, also while a run writes. A server that is lost ends it.
    """

    @wraps(function)
    def called(source: Source, /, *given: _Given.args, **named: _Given.kwargs) -> Iterator[_Result]:
        if isinstance(source, Transaction):
            yield from function(source, *given, **named)
            return
        with source.reading() as db:
            yield from function(db, *given, **named)

    return called


_PAUSE_SECONDS = 0.5


@dataclass(slots=True)
class Patience:
    """For how long to wait for a server that is gone. Waiting uses the seconds up; a server that stays for as
    long gives them back.

    A restart takes a few seconds, a failover some more.

    `say` is told of it. `when_back` is called once it is back, before anything is done again; it may raise.
    """

    seconds: float = 60.0
    say: Callable[[str], None] = lambda _: None
    when_back: Callable[[], None] = lambda: None
    given_up: ArenaError | None = field(default=None, init=False)
    """Why nobody waits any more: what is stored while the run ends fails for the same reason, at once."""
    _whole: float = field(init=False)
    _back_at: float = field(default=math.inf, init=False)

    def __post_init__(self) -> None:
        self._whole = self.seconds

    def wait(self, gone: ServerGone, name: str, ask: Callable[[], None]) -> None:
        """Return when `ask` does not raise ServerGone any more.

        Raises `gone` at once without seconds, StoreError when they are used up, Interrupted after Ctrl-C; and
        then the same again at once.
        """
        if self.given_up is not None:
            raise self.given_up from gone
        if self.seconds <= 0:
            raise gone
        if time.monotonic() - self._back_at >= self._whole:
            self.seconds = self._whole
        begun, given = time.monotonic(), self.seconds
        with _stop_signals() as stopped:
            said = False
            while True:
                try:
                    ask()
                    self.when_back()
                    break
                except ServerGone as still:
                    self.seconds = given - (time.monotonic() - begun)
                    if stopped or self.seconds <= 0:
                        self.given_up = _given_up(name, still, given, bool(stopped))
                        raise self.given_up from still
                if not said:
                    self.say(f"the server of the database {name} is gone: trying again for {given:.0f} s")
                    said = True
                time.sleep(min(_PAUSE_SECONDS, max(self.seconds, 0.01)))
        self._back_at = time.monotonic()
        if said:
            self.say("the server of the database is back")


def _given_up(name: str, gone: ServerGone, seconds: float, stopped: bool) -> ArenaError:
    kept = "What was stored is kept: start the server, and run again to go on"
    if stopped:
        return Interrupted(f"stopped while the server of the database {name} was gone. {kept}")
    return StoreError(
        f"The server of the database {name} has not come back within {seconds:.3g} s. {kept} [{gone.why}]"
    )


@contextmanager
def _stop_signals() -> Iterator[list[int]]:
    """Give a list in which the signals are noted that stop a run, as long as nobody else can hear them.

    Whoever handles them otherwise gets them afterwards, if the waiting was not given up for them.
    """
    heard: list[int] = []
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for stop in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(stop) not in (signal.SIG_IGN, None):
                before[stop] = signal.signal(stop, lambda number, _: heard.append(number))
    ended = False
    try:
        yield heard
        ended = True
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if ended and heard:
            signal.raise_signal(heard[0])


NO_PATIENCE = Patience(0.0)
