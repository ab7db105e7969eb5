"""What is done when the server of a database is lost: wait for it, for a stated time, and do it again.

It knows neither tables nor SQL. What is done again was not kept the first time: `Database.writing` makes sure
of that, so nothing is stored twice. A database in a file is never lost in this way.
"""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

from arena.errors import ServerGone, StoreError

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

        Raises `gone` at once for 0 seconds, StoreError when the time is up.
        """
        if not self.seconds:
            raise gone
        self.say(f"the server of the database {name} is gone: trying again for {self.seconds:g} s")
        end = time.monotonic() + self.seconds
        while True:
            try:
                ask()
                self.when_back()
                break
            except ServerGone as still:
                if time.monotonic() >= end:
                    raise StoreError(
                        f"The server of the database {name} has not come back within {self.seconds:g} s. "
                        f"What was stored is kept: start the server, and run again to go on [{still.why}]"
                    ) from still
            time.sleep(_PAUSE_SECONDS)
        self.say("the server of the database is back")


NO_PATIENCE = Patience(0.0)


def through_outages(users: _Users) -> _Users:
    """Let every public method of a class be called again when the server was lost, after it is back.

    Its objects have a `_database`. A method that yields is not: it may have yielded something already.
    """
    for name, method in list(vars(users).items()):
        if (
            inspect.isfunction(method)
            and not name.startswith("_")
            and not inspect.isgeneratorfunction(method)
        ):
            setattr(users, name, _again(method))
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
