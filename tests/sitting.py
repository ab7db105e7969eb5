"""A link over memory and the bot at its other end, for tests that drive both and the clock."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

import trio

from arena.bot.answers import Wrong
from arena.bot.channel import READ_SIZE, MemoryChannel
from arena.bot.link import Lateness, Link, Prompt, Reply, wait_for_any
from arena.bot.waits import NO_METER, Meter, Threads, ThreadTimes
from protocol import CardAnswer, answer_line
from protocol.messages import Answer

MOVE_US = 1_000_000
IDS = tuple(f"{number:012x}" for number in range(1, 9))


def card(number: int) -> bytes:
    """Return the usual answer to a question of a desk."""
    return answer_line(IDS[number], "S7")


@dataclass
class Machine:
    """A machine on which each thread of a bot runs and waits for a fixed share of the time."""

    ran: float
    queued: float
    threads: int = 1
    looks: int = 0

    def meter(self) -> Meter:
        return Meter(
            lambda: round(trio.current_time() * 1e6 * self.ran * self.threads), self._read, self._look
        )

    def _read(self, states: bool, known: Container[int] | None, seconds: float) -> Threads:
        now_us = trio.current_time() * 1e6
        # It sleeps between two readings, so that the kernel's own count of its waits is what counts.
        times = ThreadTimes(round(now_us * self.ran), round(now_us * self.queued), round(now_us), ready=False)
        return dict.fromkeys(range(self.threads), times)

    def _look(self) -> None:
        self.looks += 1


@dataclass
class Closed:
    """What became of a question, when (seconds), and the times that it was charged and given."""

    name: str
    at: float
    wall_us: int
    wrong: Wrong | None
    extended_us: int


class Desk:
    """A link with its bot at the other end; asks batches as the playing loop does."""

    def __init__(self, nursery: trio.Nursery, meter: Meter = NO_METER, capacity: int = READ_SIZE) -> None:
        ours, self.bot = MemoryChannel.pair(capacity)
        self.link = Link(ours, meter)
        self.lateness = [Lateness() for _ in IDS]
        self.nursery = nursery

    def answers(self, *when: tuple[float, bytes]) -> None:
        """The bot sends these bytes so many seconds from now."""
        for after, data in when:
            self.nursery.start_soon(self.say, data, after)

    async def say(self, data: bytes, after: float = 0.0) -> None:
        """Send all these bytes after so many seconds."""
        await trio.sleep(after)
        while data := data[self.bot.write_nowait(data) :]:
            await self.bot.wait_writable()

    def put(self, number: int, limit_us: int = MOVE_US, expected: type[Answer] = CardAnswer) -> None:
        self.link.put(b"question %d\n" % number, IDS[number], expected, limit_us, self.lateness[number])

    async def ask(self, count: int = 1, limit_us: int = MOVE_US, first: int = 0) -> list[Closed]:
        """Put so many questions in one batch, after those put before; all that becomes of them, in order."""
        began = trio.current_time()
        for number in range(first, first + count):
            self.put(number, limit_us)
        self.link.write()
        closed: list[Closed] = []
        while self.link.busy:
            closed += self.collect(began)
            if self.link.busy:
                await wait_for_any([self.link])
        return closed

    def collect(self, began: float = 0.0) -> list[Closed]:
        """What has become of questions until now."""
        return [
            _closed(name, trio.current_time() - began, reply)
            for name, reply in self.link.collect(linger=False)
        ]


def _closed(name: str, at: float, reply: Prompt | Reply) -> Closed:
    if isinstance(reply, tuple):
        return Closed(name, at, reply[1], None, 0)
    wrong = reply.settled if isinstance(reply.settled, Wrong) else None
    return Closed(name, at, reply.wall_us, wrong, reply.extended_us)
