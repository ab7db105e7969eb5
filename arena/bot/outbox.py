"""The lines that wait to be written to one bot. Never waits itself, and knows no questions."""

from __future__ import annotations

from typing import Final, final

from arena.bot.channel import Channel, PipeChannel

__all__ = ["OUTBOX_LIMIT", "Outbox"]

OUTBOX_LIMIT: Final = 1 << 20
"""The bytes that a bot may leave unread before its question counts as timed out."""


@final
class Outbox:
    """What is to be written into a channel, in this order. What nobody will ever read is only kept."""

    __slots__ = ("_broken", "_bytes", "_channel")

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._bytes = bytearray()
        self._broken = False

    def __len__(self) -> int:
        """Return how many bytes wait."""
        return len(self._bytes)

    @property
    def can_go_on(self) -> bool:
        """Return whether something waits for room in the channel."""
        return bool(self._bytes) and not self._broken

    @property
    def overflows(self) -> bool:
        """Return whether more waits than a bot may leave unread."""
        return len(self._bytes) > OUTBOX_LIMIT

    def add(self, line: bytes) -> None:
        """Add a line, which is written by the next `flush` or `send`."""
        self._bytes += line

    def flush(self) -> None:
        """Write what fits now."""
        while self._bytes and not self._broken:
            try:
                written = self._channel.write_nowait(self._bytes)
            except BrokenPipeError:
                self._broken = True
                return
            if not written:
                return
            del self._bytes[:written]

    def send(self, line: bytes) -> None:
        """Add a line and `flush`. Mostly it fits, and nothing stands before it."""
        if not self._bytes and not self._broken:
            try:
                written = _write_nowait(self._channel, line)
            except BrokenPipeError:
                self._broken = True
            else:
                if written == len(line):
                    return
                line = line[written:]
        self._bytes += line
        self.flush()


def _write_nowait(channel: Channel, line: bytes) -> int:
    # Compiled, this calls the method of a pipe directly. Through the protocol a call takes twice as long.
    if isinstance(channel, PipeChannel):
        return channel.write_nowait(line)
    return channel.write_nowait(line)
