"""What a person types, line by line, waited for in the event loop: bots are looked after meanwhile."""

from __future__ import annotations

import os

import trio

_SIZE = 4096


class Typed:
    """The lines that come from a descriptor, of any kind. It is read by nobody else."""

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._rest = b""
        self._ended = False

    async def line(self) -> str | None:
        """Wait for the next line, and return it without its end, or None when no more can come."""
        while b"\n" not in self._rest and not self._ended:
            await self._more()
        line, newline, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", "replace") if line or newline else None

    async def _more(self) -> None:
        try:
            await trio.lowlevel.wait_readable(self._descriptor)
        # A file on a disk cannot be waited for, and need not be.
        except OSError:
            await trio.lowlevel.checkpoint()
        try:
            data = os.read(self._descriptor, _SIZE)
        except BlockingIOError:
            return
        # There is no standard input, or the terminal is gone.
        except OSError:
            data = b""
        self._rest += data
        self._ended = not data
