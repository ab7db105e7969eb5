"""What a bot prints to standard error in a match, or its build: the beginning, the end, the size."""

from __future__ import annotations

HEAD_BYTES = 8 * 1024
TAIL_BYTES = 24 * 1024
FLOOD_BYTES = 16 * 1024 * 1024
"""The most bytes in one match. More of them are a flood."""


class OutputLog:
    """A log that keeps at most `head_bytes` + 2 * `tail_bytes`. `size`: the bytes that were added."""

    __slots__ = ("_head", "_head_bytes", "_tail", "_tail_bytes", "size")

    def __init__(self, head_bytes: int = HEAD_BYTES, tail_bytes: int = TAIL_BYTES) -> None:
        self._head_bytes, self._tail_bytes = head_bytes, tail_bytes
        self._head = bytearray()
        self._tail = bytearray()
        self.size = 0

    def add(self, data: bytes | bytearray) -> None:
        """Add bytes that were read."""
        self.size += len(data)
        room = self._head_bytes - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        self._tail += data
        # Cut only when it is twice too long, so that not every addition moves the whole end.
        if len(self._tail) > 2 * self._tail_bytes:
            del self._tail[: -self._tail_bytes]

    @property
    def head(self) -> str:
        """Return the beginning as text."""
        return self._head.decode("utf-8", "replace")

    @property
    def tail(self) -> str:
        """Return the end as text, without what is in `head` already."""
        return self._tail[-self._tail_bytes :].decode("utf-8", "replace")

    def clear(self) -> None:
        """Forget everything, because a new match begins."""
        self._head.clear()
        self._tail.clear()
        self.size = 0
