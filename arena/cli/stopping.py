"""How a command that plays is stopped from outside: as by Ctrl-C, whichever signal asks for it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["stopping_in_order"]


@contextmanager
def stopping_in_order(command: str) -> Iterator[None]:
    """Whatever asks us to stop, and whenever, is treated as Ctrl-C is and answered with how to go on."""
    changed = {}
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:  # with nohup the end of the terminal is to be ignored
            changed[number] = signal.signal(number, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        from arena.errors import Interrupted

        raise Interrupted(f"stopped; to go on: {command}") from None
    finally:
        for number, before in changed.items():
            signal.signal(number, before)
