"""A link over memory, the bot at its other end, and the clock, for tests that drive all three."""

from __future__ import annotations

from collections.abc import Awaitable, Container

import trio
from trio.testing import MockClock

from arena.bot.answers import Wrong
from arena.bot.channel import MemoryChannel
from arena.bot.link import Lateness, Link, Reply, ask
from arena.bot.waits import Meter, Threads, ThreadTimes
from protocol import CardAnswer, LineSplitter, decode

MOVE_US = 1_000_000


def _thread(states: bool, known: Container[int] | None, seconds: float) -> Threads:
    now = trio.current_time()
    return {1: ThreadTimes(round(now * 5e5), round(now * 1e5), round(now * 1e3), ready=False)}


METER = Meter(lambda: round(trio.current_time() * 5e5), _thread, lambda: None)
"""The meter of a bot that uses half of a core, and waits for a core a tenth of the time."""


class Bot:
    """The bot's end of a channel: reads lines and sends bytes when the script says so."""

    def __init__(self, channel: MemoryChannel) -> None:
        self.channel = channel
        self._lines = LineSplitter()

    async def hear(self) -> dict[str, object]:
        """Wait for the next message and return it."""
        while (line := self._lines.next_line()) is None:
            data = self.channel.read_nowait()
            if data is None:
                await self.channel.wait_readable()
            else:
                assert data, "the end of the input came instead of a message"
                self._lines.feed(data)
        return dict(decode(line))

    async def say(self, data: bytes, after: float = 0.0) -> None:
        """Send all these bytes after so many seconds."""
        await trio.sleep(after)
        while data:
            data = data[self.channel.write_nowait(data) :]
            if data:
                await self.channel.wait_writable()


class Sitting:
    """A link and its bot, with a nursery for the bot's actions while the referee waits."""

    def __init__(self, nursery: trio.Nursery, clock: MockClock, capacity: int) -> None:
        ours, theirs = MemoryChannel.pair(capacity)
        self.link = Link(ours)
        self.bot = Bot(theirs)
        self.lateness = Lateness()
        self.clock = clock
        self._nursery = nursery

    def meanwhile(self, *script: Awaitable[None]) -> None:
        """Let the bot perform these actions one after another, beside the referee."""

        async def run() -> None:
            for step in script:
                await step

        self._nursery.start_soon(run)

    async def ask(self, question_id: str = "q1", limit_us: int = MOVE_US) -> Reply:
        message: dict[str, object] = {"type": "play", "id": question_id}
        return await ask(self.link, message, question_id, CardAnswer, limit_us, self.lateness)

    async def wrong(self, question_id: str = "q1", limit_us: int = MOVE_US) -> Wrong:
        settled = (await self.ask(question_id, limit_us)).settled
        assert isinstance(settled, Wrong)
        return settled
