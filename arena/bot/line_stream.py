"""Lines over a channel with waiting: how coordinator and referee read and write their messages."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import trio

from arena.bot.channel import Channel

__all__ = ["LineStream"]


class LineStream:
    """Whole lines of any length over a channel; one reader and any number of writers."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._unsent = bytearray()
        self._flushing = trio.Lock()

    def put(self, line: bytes) -> None:
        """Write one line, as far as it goes without waiting; the rest goes with what is written after it, or
        with `flush`. Raises BrokenPipeError when nobody reads."""
        self._unsent += line
        self._write()

    async def flush(self) -> None:
        """Wait, as long as it takes, until all is written. Raises BrokenPipeError when nobody reads."""
        async with self._flushing:
            while self._unsent:
                await self._channel.wait_writable()
                self._write()

    async def send(self, line: bytes) -> None:
        """`put` and `flush`."""
        self.put(line)
        await self.flush()

    def _write(self) -> None:
        while self._unsent and (written := self._channel.write_nowait(self._unsent)):
            del self._unsent[:written]

    async def lines(self) -> AsyncGenerator[bytes, None]:
        """The lines as they come, without their newline, until the stream ends; a partial one is dropped."""
        rest = b""
        while True:
            data = self._channel.read_nowait()
            if data is None:
                await self._channel.wait_readable()
                continue
            if not data:
                return
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                yield line

    def close(self) -> None:
        """Give up both directions."""
        self._channel.close()

    def close_write(self) -> None:
        """End what is written; reading goes on."""
        self._channel.close_write()
