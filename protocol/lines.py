"""Cuts a stream of bytes into lines. It does no input or output, and must not look inside a line."""

from __future__ import annotations

from collections import deque


class LineSplitter:
    r"""Collects what was read from a bot and hands out complete lines, oldest first.

    Lines come without their `\n` (a `\r` before it stays; the codec drops it). The work is linear in the
    bytes fed, however they are cut. Nothing is ever thrown away here: the caller watches `unread_bytes` and
    `lines_waiting`, and decides what is too much.
    """

    __slots__ = ("_lines", "_partial", "_waiting_bytes")

    def __init__(self) -> None:
        self._lines: deque[bytes] = deque()
        # The bytes of the complete lines, each with its newline.
        self._waiting_bytes = 0
        self._partial = bytearray()

    def feed(self, data: bytes) -> None:
        """Take in the next bytes of the stream, of any number."""
        lines = data.split(b"\n")
        rest = lines.pop()
        # A partial line is joined once, when its newline comes, so the work stays linear.
        if lines:
            if self._partial:
                lines[0] = bytes(self._partial) + lines[0]
                self._partial.clear()
            self._lines.extend(lines)
            self._waiting_bytes += sum(map(len, lines)) + len(lines)
        self._partial += rest

    def next_line(self) -> bytes | None:
        """Remove and return the oldest complete line, or return None when there is none yet."""
        if not self._lines:
            return None
        line = self._lines.popleft()
        self._waiting_bytes -= len(line) + 1
        return line

    @property
    def lines_waiting(self) -> int:
        """Return the number of complete lines that have not been taken out."""
        return len(self._lines)

    @property
    def partial(self) -> bytes:
        """Return the beginning of a line whose newline has not come."""
        return bytes(self._partial)

    @property
    def unread_bytes(self) -> int:
        """Return the number of bytes that were fed and not taken out.

        They are the complete lines with their newlines, and the partial line.
        """
        return self._waiting_bytes + len(self._partial)
