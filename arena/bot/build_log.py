"""Keeps what a build prints: the first and the last part of it, in a file beside the built folder.

A build may print without end, and a file of its own would fill the disk. So it writes into a pipe.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import trio

__all__ = ["BuildLog"]

_HALF = 512 << 10
"""The bytes that are kept of the beginning, and of the end."""
_PIECE = 64 << 10


class BuildLog:
    """The log of one build. `input`: the end of the pipe that the build writes to.

    The beginning is in the file at once, so that it can be followed while the build runs.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb", buffering=0)
        self._output, self.input = os.pipe2(os.O_CLOEXEC)
        os.set_blocking(self._output, False)
        self._room = _HALF
        self._tail = bytearray()
        self._dropped = 0

    def started(self) -> None:
        """Close our copy of the input, once the build has its own."""
        if self.input >= 0:
            os.close(self.input)
            self.input = -1

    async def follow(self) -> None:
        """Keep what is printed, until everybody who could print has gone, or the task is cancelled."""
        while True:
            await trio.lowlevel.wait_readable(self._output)
            try:
                if not self._take():
                    return
            except BlockingIOError:  # it was woken for nothing
                continue

    def close(self) -> None:
        """Keep what is left in the pipe, and write the end of the log. The build must have ended."""
        self.started()
        try:
            with contextlib.suppress(BlockingIOError):  # somebody holds the pipe open, and writes nothing
                while self._take():
                    pass
            if self._dropped:
                self._file.write(f"\n[the arena left out {self._dropped:,} bytes here]\n".encode())
            self._file.write(self._tail)
        finally:
            os.close(self._output)
            self._file.close()

    def _take(self) -> bool:
        """Keep one piece. Return False at the end. Raises BlockingIOError when there is nothing yet."""
        piece = os.read(self._output, _PIECE)
        head, rest = piece[: self._room], piece[self._room :]
        if head:
            self._file.write(head)
            self._room -= len(head)
        self._tail += rest
        beyond = max(len(self._tail) - _HALF, 0)
        del self._tail[:beyond]
        self._dropped += beyond
        return bool(piece)
