"""A channel on which the past of a seat is lived again: its bot hears all, and its answers of then count.

So a bot knows what it knew, whatever it would answer now. Its answers to the past are read and dropped; what
it said then is handed on as soon as it has answered, or when too much of its time is over. Judges nothing.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from typing import Any

import trio

from arena.bot.channel import READ_SIZE, Channel
from arena.errors import UsageError
from arena.workbench.journal import Past, Turn, digest_of, is_question
from protocol.codec import decode
from protocol.lines import LineSplitter
from protocol.messages import read_answer
from protocol.refusal import BadMessage

__all__ = ["RelivingChannel"]

_OTHERWISE = (
    "This match cannot be gone on with: a seat is asked otherwise than it was. Is this another arena, or was "
    "the league file changed?"
)


class RelivingChannel:
    """The channel `inner` of a seat with this past; see `Channel` for what each method does.

    `patience`: how many seconds to wait for the answer of today before that of then is handed on. 0 for a
    person, who is not asked about the past.
    """

    def __init__(self, inner: Channel, past: Past, patience: float) -> None:
        self._inner = inner
        self._left = deque(past.turns)
        self._settled = past.settled
        self._out = past.out
        self._patience = patience
        self._asked_count = 0
        self._sent, self._came = LineSplitter(), LineSplitter()
        self._given: list[Turn] = []
        """The questions of the past whose old answers are not handed on yet."""
        self._past_ids: set[str] = set()
        self._hand_on_at = 0.0
        self._ready = bytearray()
        self._ended = False

    # Towards the bot

    def write_nowait(self, data: bytes | bytearray) -> int:
        """See `Channel`. Raises UsageError where a question is another one than it was."""
        written = self._inner.write_nowait(data)
        self._sent.feed(bytes(data[:written]))
        while (line := self._sent.next_line()) is not None:
            message = decode(line)
            if is_question(message):
                self._asked(message)
        return written

    def _asked(self, message: Mapping[str, Any]) -> None:
        self._asked_count += 1
        if not self._left:
            return
        turn = self._left.popleft()
        if turn.digest != digest_of(message):
            raise UsageError(_OTHERWISE)
        if self._asked_count <= self._settled:
            self._past_ids.add(message["id"])
            self._given.append(turn)
            self._hand_on_at = trio.current_time() + self._patience
        # A person who has left answers no more, and may have no clock that would notice.
        self._ended = self._ended or (self._out and not self._patience and not turn.said)

    # From the bot

    def read_nowait(self) -> bytes | None:
        """See `Channel`."""
        self._take_in()
        if self._ready:
            data = bytes(self._ready[:READ_SIZE])
            del self._ready[:READ_SIZE]
            return data
        return b"" if self._ended else None

    def read_soon(self, size: int = READ_SIZE) -> bytes | None:
        """See `Channel`. Nobody is waited for outside the event loop."""
        return self.read_nowait()

    def _take_in(self) -> None:
        data = self._inner.read_nowait()
        if data == b"":
            self._ended = True
        elif data is not None and self._is_over and not self._came.partial:
            self._ready += data
        elif data is not None:
            self._came.feed(data)
            while (line := self._came.next_line()) is not None:
                self._said(line)
        if self._given and (trio.current_time() >= self._hand_on_at or self._ended):
            self._hand_on_all()

    @property
    def _is_over(self) -> bool:
        """Return whether nothing is left of the past: then all passes as it is."""
        return not self._left and not self._given and not self._out

    def _said(self, line: bytes) -> None:
        """Drop an answer to the past, and hand on the old one; keep any other line."""
        try:
            answered = getattr(read_answer(line), "id", "")
        except BadMessage:
            answered = ""
        if answered in self._past_ids or (not answered and self._given):
            self._hand_on_all()
        elif not self._out or self._left:
            self._ready += line + b"\n"

    def _hand_on_all(self) -> None:
        for turn in self._given:
            self._ready += b"".join(turn.said)
        self._given.clear()

    async def wait_readable(self) -> None:
        """See `Channel`."""
        while not self._ready and not self._ended:
            with trio.move_on_at(self._hand_on_at if self._given else math.inf):
                await self._inner.wait_readable()
            self._take_in()

    # The rest

    async def wait_writable(self) -> None:
        """See `Channel`."""
        await self._inner.wait_writable()

    def close_write(self) -> None:
        """See `Channel`."""
        self._inner.close_write()

    def close(self) -> None:
        """See `Channel`."""
        self._inner.close()
