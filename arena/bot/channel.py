"""The bytes between the referee and a bot: reads and writes without waiting, and waits. Knows no lines.

`PipeChannel` is a pair of pipes of a real process. `MemoryChannel` is the same in memory, for tests with a
clock that they drive themselves. Neither knows messages.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, Protocol

import trio

from arena.linux.alarm import alarm

READ_SIZE: Final = 65536
"""The most bytes of one read: a pipe holds no more, and larger buffers cost more to allocate."""

# Bound once, because looking a function up in its module takes as long as a third of the call.
_read: Final = os.read
_write: Final = os.write


class Channel(Protocol):
    """Two streams of bytes, to and from a bot. Only one task at a time may use them."""

    def write_nowait(self, data: bytes | bytearray) -> int:
        """Write what fits now, and return the number of bytes written: 0 when nothing fits.

        Raises BrokenPipeError when nobody will ever read.
        """

    def read_nowait(self) -> bytes | None:
        """Return what has come, at most READ_SIZE bytes, or None when nothing has.

        Returns b"" at the end of the stream.
        """

    def read_soon(self, size: int = READ_SIZE) -> bytes | None:
        """Return what `read_nowait` would, at most `size` bytes, after waiting for it outside the event loop.

        The wait ends when something has come, and after a few milliseconds at most (`alarm`). It leaves the
        processor to the other end. No other task of this process gets its turn meanwhile.
        """

    async def wait_readable(self) -> None:
        """Wait until `read_nowait` returns something; b"" after `close` counts."""

    async def wait_writable(self) -> None:
        """Wait until `write_nowait` writes something, or raises."""

    def close_write(self) -> None:
        """End the stream towards the bot, which then reads the end of file."""

    def close(self) -> None:
        """Close both streams, and wake whoever waits. What was not read is lost. It may be called again."""


async def first_of(waits: Iterable[Callable[[], Awaitable[None]]]) -> None:
    """Wait in the event loop until the first of these waits is over."""
    async with trio.open_nursery() as nursery:

        async def first(wait: Callable[[], Awaitable[None]]) -> None:
            await wait()
            nursery.cancel_scope.cancel()

        for wait in waits:
            nursery.start_soon(first, wait)


class PipeChannel:
    """A channel over two pipe ends. It owns them, makes them non-blocking, and closes them in `close`."""

    __slots__ = ("_alarmed", "_blocks", "_read_fd", "_write_fd")

    def __init__(self, write_fd: int, read_fd: int) -> None:
        os.set_blocking(write_fd, False)
        os.set_blocking(read_fd, False)
        self._write_fd = write_fd
        self._read_fd = read_fd
        self._blocks = False
        self._alarmed = alarm.here

    @property
    def read_fd(self) -> int:
        """Return the descriptor that is read from, or -1 after `close`."""
        return self._read_fd

    def widen(self, size: int) -> None:
        """Let `size` bytes wait for the other end to read them, where the system allows it."""
        with contextlib.suppress(OSError):
            fcntl.fcntl(self._write_fd, fcntl.F_SETPIPE_SZ, size)

    def write_nowait(self, data: bytes | bytearray) -> int:
        """See `Channel`."""
        if self._write_fd < 0:
            raise BrokenPipeError
        try:
            return _write(self._write_fd, data)
        except BlockingIOError:
            return 0

    def read_nowait(self) -> bytes | None:
        """See `Channel`."""
        if self._read_fd < 0:
            return b""
        if self._blocks:
            self._blocks = False
            os.set_blocking(self._read_fd, False)
        try:
            return _read(self._read_fd, READ_SIZE)
        except BlockingIOError:
            return None

    def read_soon(self, size: int = READ_SIZE) -> bytes | None:
        """See `Channel`."""
        if self._read_fd < 0 or not self._alarmed:
            return self.read_nowait()
        # Made blocking only here, and left so while one quick answer follows another: each change costs a
        # system call.
        if not self._blocks:
            self._blocks = True
            os.set_blocking(self._read_fd, True)
        try:
            return alarm.read(self._read_fd, size)
        except BlockingIOError:
            self._blocks = False
            return None

    async def wait_readable(self) -> None:
        """See `Channel`."""
        if self._read_fd >= 0:
            try:
                await trio.lowlevel.wait_readable(self._read_fd)
            # `close` was called; the next call of `read_nowait` tells it.
            except trio.ClosedResourceError:
                return

    async def wait_writable(self) -> None:
        """See `Channel`."""
        if self._write_fd >= 0:
            try:
                await trio.lowlevel.wait_writable(self._write_fd)
            # `close` was called; the next call of `write_nowait` tells it.
            except trio.ClosedResourceError:
                return

    def close_write(self) -> None:
        """See `Channel`."""
        if self._write_fd >= 0:
            trio.lowlevel.notify_closing(self._write_fd)
            os.close(self._write_fd)
            self._write_fd = -1

    def close(self) -> None:
        """See `Channel`."""
        self.close_write()
        if self._read_fd >= 0:
            trio.lowlevel.notify_closing(self._read_fd)
            os.close(self._read_fd)
            self._read_fd = -1


class _Flow:
    """One direction in memory, which holds at most `capacity` bytes."""

    def __init__(self, capacity: int) -> None:
        self.data = bytearray()
        self.capacity = capacity
        self.ended = False
        self._changed = trio.Event()

    def changed(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    async def wait_for_change(self) -> None:
        await self._changed.wait()


class MemoryChannel:
    """A channel without descriptors. `MemoryChannel.pair()` returns two that are joined."""

    def __init__(self, outgoing: _Flow, incoming: _Flow) -> None:
        self._outgoing = outgoing
        self._incoming = incoming

    @classmethod
    def pair(cls, capacity: int = READ_SIZE) -> tuple[MemoryChannel, MemoryChannel]:
        """Return two ends: what one writes, the other reads. `capacity` bytes fit between, as in a pipe."""
        there, back = _Flow(capacity), _Flow(capacity)
        return cls(there, back), cls(back, there)

    def write_nowait(self, data: bytes | bytearray) -> int:
        """See `Channel`."""
        flow = self._outgoing
        if flow.ended:
            raise BrokenPipeError
        fitting = data[: flow.capacity - len(flow.data)]
        flow.data += fitting
        if fitting:
            flow.changed()
        return len(fitting)

    def read_nowait(self) -> bytes | None:
        """See `Channel`."""
        flow = self._incoming
        if not flow.data:
            return b"" if flow.ended else None
        data = bytes(flow.data[:READ_SIZE])
        del flow.data[:READ_SIZE]
        flow.changed()
        return data

    def read_soon(self, size: int = READ_SIZE) -> bytes | None:
        """See `Channel`. Nothing more can come meanwhile, because the other end is a task of this process."""
        return self.read_nowait()

    async def wait_readable(self) -> None:
        """See `Channel`."""
        while not self._incoming.data and not self._incoming.ended:
            await self._incoming.wait_for_change()

    async def wait_writable(self) -> None:
        """See `Channel`."""
        while len(self._outgoing.data) >= self._outgoing.capacity and not self._outgoing.ended:
            await self._outgoing.wait_for_change()

    def close_write(self) -> None:
        """See `Channel`."""
        self._outgoing.ended = True
        self._outgoing.changed()

    def close(self) -> None:
        """See `Channel`."""
        self.close_write()
        self._incoming.data.clear()
        self._incoming.ended = True
        self._incoming.changed()
