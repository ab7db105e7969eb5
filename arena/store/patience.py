"""Waits for the server of a database that is gone: once, for a stated time, and not for ever.

It knows neither tables nor SQL. What was interrupted is done again by `arena.store.transaction`. It is safe:
what was not kept the first time is not there, see `Database.writing`. A file is never lost in this way.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from arena.errors import ArenaError, Interrupted, ServerGone, StoreError

__all__ = ["NO_PATIENCE", "PATIENCE_SECONDS", "Patience"]

PATIENCE_SECONDS = 60.0
"""Seconds for which a run waits for its server in all; a restart takes a few, a failover some more."""

_PAUSE_SECONDS = 0.5


@dataclass(slots=True)
class Patience:
    """For how long to wait in all for a server that is gone; waiting uses the seconds up.

    `say` is told of it. `when_back` is called once it is back, before anything is done again; it may raise.
    """

    seconds: float = PATIENCE_SECONDS
    say: Callable[[str], None] = lambda _: None
    when_back: Callable[[], None] = lambda: None

    def wait(self, gone: ServerGone, name: str, ask: Callable[[], None]) -> None:
        """Return when `ask` does not raise ServerGone any more.

        Raises `gone` at once without seconds, StoreError when they are used up, Interrupted after Ctrl-C.
        """
        if self.seconds <= 0:
            raise gone
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
                        raise _given_up(name, still, given, bool(stopped)) from still
                if not said:
                    self.say(f"the server of the database {name} is gone: trying again for {given:.0f} s")
                    said = True
                time.sleep(min(_PAUSE_SECONDS, max(self.seconds, 0.01)))
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
