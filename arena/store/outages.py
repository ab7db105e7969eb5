"""What is done when the server of a database is lost: wait for it, for a stated time, and do it again.

It knows neither tables nor SQL. What is done again was not kept the first time: `Database.writing` makes sure
of that, so nothing is stored twice. A database in a file is never lost in this way.
"""

from __future__ import annotations

import inspect
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from itertools import islice
from typing import Any, TypeVar

from arena.errors import ArenaError, Interrupted, ServerGone, StoreError

__all__ = ["NO_PATIENCE", "PATIENCE_SECONDS", "Patience", "through_outages"]

PATIENCE_SECONDS = 60.0
"""Seconds for which a run waits for its server; a restart takes a few, a failover some more."""

_PAUSE_SECONDS = 0.5
_MOST_OUTAGES = 5
"""After so many outages in one call that call may well be their cause."""

_Users = TypeVar("_Users", bound=type)


@dataclass(frozen=True, slots=True)
class Patience:
    """For how long to wait for a server that is gone.

    `say` is told of it. `when_back` is called once it is back, before anything is done again; it may raise.
    """

    seconds: float = PATIENCE_SECONDS
    say: Callable[[str], None] = lambda _: None
    when_back: Callable[[], None] = lambda: None

    def wait(self, gone: ServerGone, name: str, ask: Callable[[], None]) -> None:
        """Return when `ask` does not raise ServerGone any more.

        Raises `gone` at once for 0 seconds, StoreError when the time is up, Interrupted after Ctrl-C.
        """
        if not self.seconds:
            raise gone
        self.say(f"the server of the database {name} is gone: trying again for {self.seconds:g} s")
        end = time.monotonic() + self.seconds
        with _stop_signals() as stopped:
            while True:
                try:
                    ask()
                    self.when_back()
                    break
                except ServerGone as still:
                    if stopped or time.monotonic() >= end:
                        raise self._given_up(name, still, bool(stopped)) from still
                time.sleep(_PAUSE_SECONDS)
        self.say("the server of the database is back")

    def _given_up(self, name: str, gone: ServerGone, stopped: bool) -> ArenaError:
        kept = "What was stored is kept: start the server, and run again to go on"
        if stopped:
            return Interrupted(f"stopped while the server of the database {name} was gone. {kept}")
        return StoreError(
            f"The server of the database {name} has not come back within {self.seconds:g} s. {kept} "
            f"[{gone.why}]"
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


def through_outages(users: _Users) -> _Users:
    """Let every public method of a class be called again when the server was lost, after it is back.

    Its objects have a `_database`. A method that yields goes on behind what it has yielded already.
    """
    for name, method in list(vars(users).items()):
        if inspect.isfunction(method) and not name.startswith("_"):
            setattr(users, name, (_on if inspect.isgeneratorfunction(method) else _again)(method))
    return users


def _again(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def through(self: Any, *given: Any, **named: Any) -> Any:
        for _ in range(_MOST_OUTAGES):
            try:
                return method(self, *given, **named)
            except ServerGone as gone:
                self._database.wait_until_back(gone)
        return method(self, *given, **named)

    return through


def _on(method: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    @wraps(method)
    def through(self: Any, *given: Any, **named: Any) -> Iterator[Any]:
        yielded, last, outages = 0, None, 0
        while True:
            try:
                found = method(self, *given, **named)
                # What comes next belongs to the same state only if what came before is the same again.
                if yielded and list(islice(found, yielded - 1, yielded)) != [last]:
                    raise StoreError(
                        f"The database {self._database.name} was changed while its server was gone: run again"
                    )
                for item in found:
                    yielded, last = yielded + 1, item
                    yield item
                return
            except ServerGone as gone:
                outages += 1
                if outages > _MOST_OUTAGES:
                    raise
                self._database.wait_until_back(gone)

    return through
