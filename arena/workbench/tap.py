"""Channels between the referee and a bot: one that reports every line, and one that changes lines as well.

`TappedChannel` changes nothing. `Relay` makes a match hostile but legal: a bot must bear keys and messages
that it does not know, ids of any form, and lines that come in pieces or together.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import trio

from arena.bot.channel import READ_SIZE, Channel, first_of
from protocol.codec import LineSplitter, decode, encode
from protocol.refusal import BadMessage

Hearer: TypeAlias = Callable[[bool, bytes], None]
"""A function that is told of each line: whether the bot wrote it, and its bytes without the newline."""

Message: TypeAlias = Mapping[str, Any]

_PAUSE = 0.01
"""The seconds between two pieces of a line."""


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


class Relay(TappedChannel):
    """A channel that changes what the referee sends; `hear` is told what the bot really gets.

    It changes nothing until `begin`.
    """

    def __init__(self, inner: Channel, hear: Hearer) -> None:
        super().__init__(inner, hear)
        self._change: Callable[[Message], Iterable[Message]] | None = None
        self._ids: Iterator[str] = iter(())
        self._cuts: Iterator[Sequence[int]] = iter(())
        self._together = False
        self._from_referee = LineSplitter()
        self._held = b""
        """News that goes out with the next question."""
        self._unsent = b""
        self._true_ids: dict[str, str] = {}
        """The ids that the referee gave, by those that the bot was shown instead."""
        self._answers = LineSplitter()

    def begin(
        self,
        change: Callable[[Message], Iterable[Message]],
        ids: Iterable[str] = (),
        cuts: Iterable[Sequence[int]] = (),
        *,
        together: bool = False,
    ) -> None:
        """Change what is sent from now on.

        `change` returns the messages that are sent in place of one. `ids`: those of the next questions.
        `cuts`: for each of the next questions the sizes of the pieces in which its line comes, but for the
        last piece. `together`: news is held back until the next question, so that all comes in one write.
        """
        self._change, self._ids, self._cuts, self._together = change, iter(ids), iter(cuts), together

    def write_nowait(self, data: bytes | bytearray) -> int:
        """See `Channel`. It takes all or nothing."""
        if self._change is None:
            return super().write_nowait(data)
        self._send()
        if self._unsent:
            return 0
        self._from_referee.feed(bytes(data))
        asked = False
        while (line := self._from_referee.next_line()) is not None:
            message = decode(line)
            asked = asked or "id" in message
            self._held += b"".join(encode(self._with_id(each)) for each in self._change(message))
        if asked or not self._together:
            self._unsent, self._held = self._held, b""
            self._send(next(self._cuts, ()) if asked else ())
        return len(data)

    def _with_id(self, message: Message) -> Message:
        if message["type"] in ("pass", "play") and (shown := next(self._ids, "")):
            self._true_ids[shown] = message["id"]
            return {**message, "id": shown}
        return message

    def _send(self, sizes: Sequence[int] = ()) -> None:
        """Send what waits, as far as it fits, in pieces of these sizes and the rest."""
        for number, size in enumerate([*sizes, len(self._unsent)]):
            if number:
                time.sleep(_PAUSE)  # it delays nobody else: one bot is checked by itself
            piece = self._unsent[:size]
            while piece and (written := super().write_nowait(piece)):
                piece, self._unsent = piece[written:], self._unsent[written:]

    def read_nowait(self) -> bytes | None:
        """See `Channel`."""
        return self._with_true_ids(super().read_nowait())

    def read_soon(self, size: int = READ_SIZE) -> bytes | None:
        """See `Channel`."""
        return self._with_true_ids(super().read_soon(size))

    def _with_true_ids(self, data: bytes | None) -> bytes | None:
        if not data or not self._true_ids:
            return data
        self._answers.feed(data)
        lines = iter(self._answers.next_line, None)
        # Nothing rather than b"", which would be the end, where only a part of a line has come.
        return b"".join(self._true(line) for line in lines) or None

    def _true(self, line: bytes) -> bytes:
        try:
            message = decode(line)
        except BadMessage:
            return line + b"\n"
        shown = message.get("id")
        if isinstance(shown, str) and shown in self._true_ids:
            return encode({**message, "id": self._true_ids[shown]})
        return line + b"\n"

    async def wait_readable(self) -> None:
        """See `Channel`. What did not fit is sent meanwhile, and it returns as soon as that was done."""
        if not self._unsent:
            await super().wait_readable()
            return
        await first_of([self._inner.wait_readable, self._inner.wait_writable])
        try:
            self._send()
        except BrokenPipeError:
            self._unsent = b""

    async def wait_writable(self) -> None:
        """See `Channel`. While something is left, `wait_readable` beside it waits for that."""
        if self._unsent:
            await trio.sleep_forever()
        await super().wait_writable()
