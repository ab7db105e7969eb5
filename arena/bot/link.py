"""Talks to one bot process over a channel: news, questions, deadlines. Judges no card.

The deadline of a question is absolute and covers writing, thinking and reading. A quick bot is
waited for outside the event loop, a few milliseconds at most: waiting in it costs ten times more.
Time comes from `trio.current_time` alone, so that a test can drive it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import trio

from arena.bot.answers import Inbox, Settled, Wrong, answer_of
from arena.bot.channel import Channel, PipeChannel
from arena.bot.question_clock import LEAST_EXTENSION, Lateness, QuestionClock
from arena.bot.watchdog import NO_METER, UNKNOWN, Meter, Used
from arena.match.fault_wording import FaultSentence
from arena.match.faults import FaultKind
from arena.match.packed import PackedMessage
from protocol.codec import encode, line_of
from protocol.messages import Answer, Ready
from protocol.refusal import printable

__all__ = ["LEAST_EXTENSION", "Lateness", "Link", "Prompt", "Reply"]

LEAST_LINGER_US: Final = 50_000
"""Microseconds of a question's time below which nobody lingers: its end is to be noticed at once."""
_ANSWER_SIZE: Final = 256
"""Bytes that hold the answer to a `play` or `pass`, and for which no buffer has to be allocated at length;
what is longer is read after it."""
OUTBOX_LIMIT: Final = 1 << 20
"""Bytes that a bot may leave unread before its question counts as timed out."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a question came to: an answer, or what was wrong. Times are microseconds since it was put;
    what the referee was late itself is not in the time of an answer.

    `used` is what the bot has used since the referee began to wait for it; nothing is known of an
    answer that came while lingering. `unseen_us`: what had gone by until then.
    """

    settled: Settled
    wall_us: int
    used: Used = UNKNOWN
    unseen_us: int = 0


Prompt: TypeAlias = tuple[tuple[str, ...], int]
"""The cards of an answer that came at once, and its time in microseconds as in `Reply`: a plain pair, for
nearly every decision makes one."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question that was not answered at once, and what it came to if it came to something else."""

    question_id: str
    started: float
    limit_us: int
    settled: Settled | None


class Link:
    """The conversation with one process. `meter` tells what it has used; `inbox`: a new one by default."""

    def __init__(self, channel: Channel, meter: Meter = NO_METER, inbox: Inbox | None = None) -> None:
        self._channel = channel
        self._lateness = Lateness()
        self._meter = meter
        self._inbox = inbox or Inbox()
        self._outbox = bytearray()
        self._broken = False
        self._waiting: trio.CancelScope | None = None
        self._closed_at: dict[str, float] = {}
        self._ended: Wrong | None = None
        self._asked: _Asked | None = None
        self._now: Callable[[], float] = trio.lowlevel.current_clock().current_time
        """`trio.current_time`, which looks it up each time."""

    def tell(self, message: Mapping[str, object]) -> None:
        """News: goes out ahead of the next question, or with `flush`."""
        self._outbox += _line(message)

    def flush(self) -> None:
        """Write what fits now, without waiting."""
        while self._outbox and not self._broken:
            try:
                written = self._channel.write_nowait(self._outbox)
            except BrokenPipeError:
                self._broken = True
                return
            if not written:
                return
            del self._outbox[:written]

    def _write(self, line: bytes) -> None:
        """`flush` with this line behind, which mostly fits and has nothing before it."""
        if not self._outbox and not self._broken:
            try:
                written = _write_nowait(self._channel, line)
            except BrokenPipeError:
                self._broken = True
            else:
                if written == len(line):
                    return
                line = line[written:]
        self._outbox += line
        self.flush()

    def end(self, why: Wrong) -> None:
        """No answer will come any more, even if the output stays open: who waits for one gets `why`.

        The first cause stands: what is told later follows from it.
        """
        self._ended = self._ended or why
        if self._waiting is not None:
            self._waiting.cancel()

    @property
    def ended(self) -> Wrong | None:
        """Why no answer will come any more, as told by `end`; None while answers may come."""
        return self._ended

    def new_match(self, lateness: Lateness) -> None:
        """A new match begins; the referee's lateness towards this bot is noted in `lateness`."""
        self._inbox.forget()
        self._lateness = lateness

    def take_late(self) -> list[tuple[str, int]]:
        """First answers that came after their question was closed, since the last call.

        (question id, microseconds after the deadline at which it was noticed at the latest).
        """
        late = self._inbox.take_late()
        if not late:
            return []
        return [(name, _us_since(self._closed_at.pop(name))) for name in late]

    async def ask(
        self,
        message: Mapping[str, object],
        question_id: str,
        expected: type[Answer],
        limit_us: int,
    ) -> Reply:
        """Put one question and return what it came to, at the latest when `limit_us` are over."""
        prompt = self.ask_now(_line(message), question_id, expected, limit_us)
        if prompt is None:
            return await self.reply()
        cards, wall_us = prompt
        return Reply(answer_of(expected, question_id, cards), wall_us)

    def ask_now(
        self,
        line: bytes,
        question_id: str,
        expected: type[Answer],
        limit_us: int,
        linger: bool = True,
    ) -> Prompt | None:
        """The part of `ask` that waits for nobody else: put one question, a whole line.

        The cards, if its answer comes at once. None: `reply` must be awaited next. `linger`: other tasks may
        stand still for it a little while.
        """
        now = self._now
        started = now()
        inbox = self._inbox
        inbox.expect(question_id, expected)
        self._write(line)
        data = _read_soon(self._channel) if linger and limit_us >= LEAST_LINGER_US else None
        settled: Settled | None = None
        if data:
            cards = inbox.take_choice(data)
            if cards is None:
                settled = inbox.take_from(data)
                cards = _chosen(settled)
            if cards is not None and not inbox.has_late:
                wall_us = int((now() - started) * 1e6)
                # Whatever held us up since it was written was not the bot.
                return cards, wall_us if wall_us < limit_us else limit_us
        self._asked = _Asked(question_id, started, limit_us, settled or self._look())
        return None

    async def reply(self) -> Reply:
        """What the question came to that `ask_now` left open, at the latest when its time is over."""
        asked = self._asked
        assert asked is not None, "a question has been put and not been answered at once"
        self._asked = None
        deadline = asked.started + asked.limit_us / 1e6
        if asked.settled is None:
            reply = await self._wait_for_answer(QuestionClock(asked.started, deadline, self._lateness))
        else:
            reply = Reply(asked.settled, min(asked.limit_us, _us_since(asked.started)))
        if isinstance(reply.settled, Wrong):
            self._inbox.give_up()
            self._closed_at[asked.question_id] = deadline
        return reply

    async def _wait_for_answer(self, clock: QuestionClock) -> Reply:
        before = self._meter.read()
        unseen_us = _us_since(clock.started)
        settled: Settled | None = None
        while settled is None:
            await self._wait(clock.deadline)
            late = trio.current_time() - clock.deadline
            settled = self._look()
            if settled is not None:
                clock.found(late)
            elif clock.is_over(late):
                settled = self._timeout(trio.current_time() - clock.started)
        used = self._meter.read().since(before)
        ours = 0.0 if isinstance(settled, Wrong) else clock.ours  # then nothing is left to be spared
        return Reply(settled, _us_since(clock.started + ours), used, unseen_us)

    async def _wait(self, deadline: float) -> None:
        """Until something can be read, or written if there is something to write, or the deadline."""
        with trio.CancelScope(deadline=deadline) as scope:
            self._waiting = scope
            try:
                await self._wait_for_more()
            finally:
                self._waiting = None

    async def _wait_for_more(self) -> None:
        if self._outbox and not self._broken:
            await self._wait_either_way()
        else:
            await self._channel.wait_readable()

    async def _wait_either_way(self) -> None:
        async with trio.open_nursery() as nursery:

            async def first(wait: Callable[[], Awaitable[None]]) -> None:
                await wait()
                nursery.cancel_scope.cancel()

            nursery.start_soon(first, self._channel.wait_readable)
            nursery.start_soon(first, self._channel.wait_writable)

    def _look(self) -> Settled | None:
        """Write and read what goes without waiting; what settles the open question, if anything does."""
        if self._outbox:
            self.flush()
        while True:
            data = self._channel.read_nowait()
            settled = self._inbox.take_from(data) if data else self._inbox.take()
            if settled is not None:
                return settled
            if data is None:
                return self._over() or self._choked()
            if not data:
                return self._over() or self._gone()

    def _over(self) -> Wrong | None:
        """`ended`, with what had come of an answer: who watches the exit may be the first to know of it."""
        ended, partial = self._ended, self._inbox.partial
        if ended is None or ended.sent or not partial:
            return ended
        return Wrong(ended.kind, ended.reason, printable(partial))

    def _choked(self) -> Wrong | None:
        if len(self._outbox) <= OUTBOX_LIMIT:
            return None
        return Wrong(FaultKind.TIMEOUT, FaultSentence.UNREAD.say(limit=OUTBOX_LIMIT))

    def _gone(self) -> Wrong:
        return Wrong(FaultKind.CRASHED, FaultSentence.CLOSED.say(), printable(self._inbox.partial))

    def _timeout(self, waited: float) -> Wrong:
        partial, seconds = self._inbox.partial, f"{waited:.3f}"
        if partial:
            reason = FaultSentence.NO_NEWLINE.say(count=len(partial), seconds=seconds)
        elif self._outbox:
            reason = FaultSentence.DEAF.say(seconds=seconds)
        else:
            reason = FaultSentence.SILENT.say(seconds=seconds)
        return Wrong(FaultKind.TIMEOUT, reason, printable(partial))


# Compiled, these two call the methods of a pipe directly; through the protocol that takes as long again.


def _write_nowait(channel: Channel, line: bytes) -> int:
    if isinstance(channel, PipeChannel):
        return channel.write_nowait(line)
    return channel.write_nowait(line)


def _read_soon(channel: Channel) -> bytes | None:
    if isinstance(channel, PipeChannel):
        return channel.read_soon(_ANSWER_SIZE)
    return channel.read_soon(_ANSWER_SIZE)


def _chosen(settled: Settled | None) -> tuple[str, ...] | None:
    """The cards of a right answer to `play` or `pass`."""
    return None if settled is None or isinstance(settled, Wrong | Ready) else settled.cards


def _line(message: Mapping[str, object]) -> bytes:
    return line_of(message.packed) if type(message) is PackedMessage else encode(message)


def _us_since(started: float) -> int:
    return round((trio.current_time() - started) * 1e6)
