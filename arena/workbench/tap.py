"""A channel that reports every whole line that passes through it, in both directions. Changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from arena.bot.channel import READ_SIZE, Channel
from protocol.codec import LineSplitter

__all__ = ["Hearer", "TappedChannel"]

Hearer: TypeAlias = Callable[[bool, bytes], None]
"""A function that is told of each line: whether the bot wrote it, and its bytes without the newline."""


class TappedChannel:
    """The channel `inner` with a listener; see `Channel` for what each method does."""

    def __init__(self, inner: Channel, hear: Hearer) -> None:
        self._inner = inner
        self._hear = hear
        self._sent = LineSplitter()
        self._came = LineSplitter()

    @property
    def partial(self) -> bytes:
        """Return the beginning of a line of the bot whose newline has not come yet."""
        return self._came.partial

    def write_nowait(self, data: bytes | bytearray) -> int:
        """See `Channel`."""
        written = self._inner.write_nowait(data)
        self._tell(self._sent, bytes(data[:written]), from_bot=False)
        return written

    def read_nowait(self) -> bytes | None:
        """See `Channel`."""
        data = self._inner.read_nowait()
        self._tell(self._came, data, from_bot=True)
        return data

    def read_soon(self, size: int = READ_SIZE) -> bytes | None:
        """See `Channel`."""
        data = self._inner.read_soon(size)
        self._tell(self._came, data, from_bot=True)
        return data

    def _tell(self, lines: LineSplitter, data: bytes | None, *, from_bot: bool) -> None:
        if data:
            lines.feed(data)
            while (line := lines.next_line()) is not None:
                self._hear(from_bot, line)

    async def wait_readable(self) -> None:
        """See `Channel`."""
        await self._inner.wait_readable()

    async def wait_writable(self) -> None:
        """See `Channel`."""
        await self._inner.wait_writable()

    def close_write(self) -> None:
        """See `Channel`."""
        self._inner.close_write()

    def close(self) -> None:
        """See `Channel`."""
        self._inner.close()
