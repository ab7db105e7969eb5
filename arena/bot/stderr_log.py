"""What a bot wrote to standard error during a match: the beginning, the end and the size. Reads nothing."""

from __future__ import annotations

__all__ = ["FLOOD_BYTES", "StderrLog"]

HEAD_BYTES = 8 * 1024
TAIL_BYTES = 24 * 1024
FLOOD_BYTES = 16 * 1024 * 1024
"""More than this in one match is a flood."""


class StderrLog:
    """Keeps at most HEAD_BYTES + 2 * TAIL_BYTES, however much is added."""

    __slots__ = ("_head", "_tail", "size")

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self.size = 0

    def add(self, data: bytes) -> None:
        """Take in what was read."""
        self.size += len(data)
        room = HEAD_BYTES - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        if len(self._tail) > 2 * TAIL_BYTES:
            del self._tail[:-TAIL_BYTES]

    @property
    def head(self) -> str:
        """The beginning, as text."""
        return bytes(self._head).decode("utf-8", "replace")

    @property
    def tail(self) -> str:
        """The end, as text, without what stands in `head` already."""
        return bytes(self._tail[-TAIL_BYTES:]).decode("utf-8", "replace")

    def clear(self) -> None:
        """Begin anew: a new match."""
        self._head.clear()
        self._tail.clear()
        self.size = 0
