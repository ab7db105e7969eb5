"""A person who sits at a table where the process of a bot sits. Starts nothing, shows nothing.

To the referee a person is a link like any other: the same lines, the same inbox, the same record. Whoever
shows the table to the person has the other end: `hear` the lines of the referee, and `say` one for each
question. There is no process, so nothing is measured and no limit but that of the clock is watched.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from arena.bot.answers import Wrong
from arena.bot.channel import Channel, MemoryChannel
from arena.bot.link import Link
from arena.bot.process import BotProcess, Tap
from arena.match.faults import FaultKind
from protocol.codec import LineSplitter

LEFT: Final = "the person left the table"
"""The reason of the fault of a person who answers no more. It is not among the sentences of `FaultSentence`,
which are what the author of a bot may read: no bot is ever told this."""


class Person:
    """A person at one table. It must be made in an event loop. `tap` sees what is said (see `BotProcess`).

    Only one task at a time may `hear`.
    """

    watchdog = None
    """Nobody watches what a person uses."""

    def __init__(self, tap: Tap | None = None) -> None:
        ours, self._theirs = MemoryChannel.pair()
        channel: Channel = ours if tap is None else tap(ours)
        self.link = Link(channel)
        self._lines = LineSplitter()

    # The referee's end

    def bye(self, reason: str) -> None:
        """Say that nothing more will be asked."""
        self.link.tell({"type": "bye", "reason": reason})
        self.link.flush()

    # The person's end

    async def hear(self) -> bytes:
        """Wait for the next line of the referee, and return it. The last one of all is `bye`."""
        while (line := self._lines.next_line()) is None:
            data = self._theirs.read_nowait()
            if data is None:
                await self._theirs.wait_readable()
            else:
                self._lines.feed(data)
        return line

    def say(self, line: bytes) -> None:
        """Send a line to the referee. It is the answer to the question that is open, so there is room."""
        written = self._theirs.write_nowait(line)
        assert written == len(line), "one answer fits into an empty channel"

    def leave(self) -> None:
        """Answer no more: the stand-in plays on, as for a bot that has ended."""
        self.link.end(Wrong(FaultKind.CRASHED, LEFT))


Sitter: TypeAlias = BotProcess | Person
"""Who can sit at a table and be asked."""
