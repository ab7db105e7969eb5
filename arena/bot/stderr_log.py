"""The standard error of a bot during a match: its beginning, its end and its size. Reads nothing."""

from __future__ import annotations

__all__ = ["FLOOD_BYTES", "StderrLog"]

HEAD_BYTES = 8 * 1024
TAIL_BYTES = 24 * 1024
FLOOD_BYTES = 16 * 1024 * 1024
"""The most bytes in one match. More of them are a flood."""


class StderrLog:
    """A log that keeps at most HEAD_BYTES + 2 * TAIL_BYTES. `size`: the bytes that were added."""

    __slots__ = ("_head", "_tail", "size")

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self.size = 0

    def add(self, data: bytes) -> None:
        """Add bytes that were read."""
        self.size += len(data)
        room = HEAD_BYTES - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        # Cut only when it is twice too long, so that not every addition moves the whole end.
        if len(self._tail) > 2 * TAIL_BYTES:
            del self._tail[:-TAIL_BYTES]

    @property
    def head(self) -> str:
        """Return the beginning as text."""
        return bytes(self._head).decode("utf-8", "replace")

    @property
    def tail(self) -> str:
        """Return the end as text, without what is in `head` already."""
        return bytes(self._tail[-TAIL_BYTES:]).decode("utf-8", "replace")

    def clear(self) -> None:
        """Forget everything, because a new match begins."""
        self._head.clear()
        self._tail.clear()
        self.size = 0
