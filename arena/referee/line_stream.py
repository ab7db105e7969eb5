"""Lines over a channel: how coordinator and referee write and read their messages. Knows no message."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import NoReturn

import trio

from arena.bot.channel import Channel


class LineStream:
    """Reads and writes whole lines of any length over a channel. One task may read; any number may write."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._unsent = bytearray()
        self._flushing = trio.Lock()
        self._rest = trio.lowlevel.ParkingLot()

    def put(self, line: bytes) -> None:
        """Write one line, as far as that is possible without waiting.

        `keep_flushing` or `flush` writes the rest. Raises BrokenPipeError when nobody reads.
        """
        self._unsent += line
        self._write()
        if self._unsent:
            self._rest.unpark()

    async def keep_flushing(self) -> NoReturn:
        """Write what `put` has left, whenever there is room, until it is cancelled.

        Without this task, what a full pipe held back would wait for the next line, which may never come.
        Raises BrokenPipeError when nobody reads.
        """
        while True:
            if not self._unsent:
                await self._rest.park()
            await self.flush()

    async def flush(self) -> None:
        """Wait, without limit, until all is written. Raises BrokenPipeError when nobody reads."""
        async with self._flushing:
            while self._unsent:
                await self._channel.wait_writable()
                self._write()

    async def send(self, line: bytes) -> None:
        """Write one line, and wait until all is written. Raises BrokenPipeError when nobody reads."""
        self.put(line)
        await self.flush()

    def _write(self) -> None:
        while self._unsent and (written := self._channel.write_nowait(self._unsent)):
            del self._unsent[:written]

    async def lines(self) -> AsyncGenerator[bytes, None]:
        """Yield the lines without their newline until the stream ends. Drops a partial last line."""
        rest = bytearray()
        while True:
            data = self._channel.read_nowait()
            if data is None:
                await self._channel.wait_readable()
                continue
            if not data:
                return
            *lines, last = data.split(b"\n")
            for line in lines:
                rest += line
                yield bytes(rest)
                rest.clear()
            rest += last

    def close(self) -> None:
        """Close both directions."""
        self._channel.close()

    def close_write(self) -> None:
        """Close the direction of writing; reading goes on."""
        self._channel.close_write()
