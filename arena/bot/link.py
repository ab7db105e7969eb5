"""Talks to one bot process over a channel: news, questions, deadlines. Judges no card.

Questions are put in batches, which are written together; one question, as `hello` is, is the smallest batch.
A process has one clock, and it runs for the oldest question that is open: it starts when the batch begins to
be written, and again when that question is closed, for the one written after it. So each question has its
whole time. With a clock for each, all running at once, whoever answers one by one would have the less time
the later a question stands in the batch; and with this one nobody gains time by answering out of order.

A deadline is a moment, and covers writing, thinking and reading. A patience for each read would begin anew
with every byte of a bot that sends its answer byte by byte. Time comes from the clock of the event loop
alone, so that a test can drive it. A quick bot is waited for outside that loop, a few milliseconds at most:
waiting in it costs ten times more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import trio

from arena.bot.answers import Inbox, Settled, Wrong, answer_of
from arena.bot.channel import Channel, PipeChannel, first_of
from arena.bot.ending import GRACE_SECONDS
from arena.bot.question_clock import Lateness, QuestionClock
from arena.bot.reply import Closed, Prompt, Reply
from arena.bot.turn_meter import NO_METER, Meter, TurnMeter
from arena.match.fault_wording import FaultSentence
from arena.match.faults import FaultKind
from arena.match.packed import PackedMessage
from protocol.codec import encode, line_of
from protocol.messages import Answer
from protocol.refusal import printable

__all__ = ["OUTBOX_LIMIT", "Link", "line_with"]

LEAST_LINGER_US: Final = 50_000
"""Microseconds of a question's time below which nobody lingers: its end is to be noticed at once."""
_ANSWER_SIZE: Final = 256
"""Bytes that hold the answer to a `play` or `pass`, and for which no buffer has to be allocated at length;
what is longer is read after it."""
OUTBOX_LIMIT: Final = 1 << 20
"""Bytes that a bot may leave unread before its question counts as timed out."""
_OF_THE_PROCESS: Final = (FaultKind.CRASHED, FaultKind.FLOOD, FaultKind.RESOURCE)
"""What ends a process, and so is a fault at each of its open questions."""


def _closed() -> Wrong:
    return Wrong(FaultKind.CRASHED, FaultSentence.CLOSED.say())


class Link:
    """The conversation with one process: `put` questions, `write`, then `collect` until it is not `busy`.

    `waiting` waits in between. `meter` reads what the process has used. `cause` returns why its output has
    ended, as far as that is known.
    """

    def __init__(
        self, channel: Channel, meter: Meter = NO_METER, cause: Callable[[], Wrong] = _closed
    ) -> None:
        self._channel = channel
        self._cause = cause
        self._meter = TurnMeter(meter)
        self._inbox = Inbox()
        self._outbox = bytearray()
        self._broken = False
        self._open: dict[str, tuple[int, Lateness]] = {}
        """Time in microseconds and the lateness of its match, by question, in the order they were put."""
        self._clock = QuestionClock(0.0, 0.0, Lateness())
        self._closed_at: dict[str, float] = {}
        self._waiting: trio.CancelScope | None = None
        self._ended: Wrong | None = None
        self._gone_at: float | None = None
        """When its output was found to have ended."""
        self._now: Callable[[], float] = trio.lowlevel.current_clock().current_time
        """`trio.current_time`, which looks it up each time."""

    # News

    def new_match(self) -> None:
        """A new match begins, maybe beside others."""
        self._inbox.forget()

    def tell(self, message: Mapping[str, object]) -> None:
        """News: goes out ahead of the next question, or with `flush`."""
        self._outbox += line_with(message)

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

    def end(self, why: Wrong) -> None:
        """No answer will come any more, even if the output stays open: each open question comes to `why`,
        and each later one.

        The first cause stands: what is told later follows from it.
        """
        self._ended = self._ended or why
        if self._waiting is not None:
            self._waiting.cancel()

    @property
    def ended(self) -> Wrong | None:
        """Why no answer will come any more, as told by `end`; None while answers may come."""
        return self._ended

    # Questions

    @property
    def busy(self) -> bool:
        """Whether a question is open. Then no other batch may be put."""
        return bool(self._open)

    def put(
        self, line: bytes, question_id: str, expected: type[Answer], limit_us: int, lateness: Lateness
    ) -> None:
        """One more question of the next batch, a whole line. How late the referee itself is with it is noted
        in `lateness`."""
        self._outbox += line
        self._expect(question_id, expected, limit_us, lateness)

    def _expect(self, question_id: str, expected: type[Answer], limit_us: int, lateness: Lateness) -> None:
        self._open[question_id] = limit_us, lateness
        self._inbox.expect(question_id, expected)

    def write(self) -> None:
        """The batch goes out, as far as it goes without waiting, and the first clock starts."""
        self._begin_batch(self._now())
        self.flush()

    def _begin_batch(self, now: float) -> None:
        self._meter.batch_begins(now)
        self._start_clock(now)

    def _start_clock(self, now: float) -> None:
        limit_us, lateness = next(iter(self._open.values()))
        self._clock = QuestionClock(now, now + limit_us / 1e6, lateness)
        self._meter.clock_begins()

    def ask_at_once(
        self, line: bytes, question_id: str, expected: type[Answer], limit_us: int, lateness: Lateness
    ) -> Prompt | None:
        """A batch of one whose answer mostly comes at once: that answer. It is the quickest way, on which
        other tasks stand still a little while, and has no rule of its own: whatever else comes, or nothing,
        leaves the question open as any other (None), and `collect` judges it."""
        now = self._now
        started = now()
        self._write(line)
        lingers = limit_us >= LEAST_LINGER_US and self._ended is None
        data = _read_soon(self._channel) if lingers else None
        if data:
            wall_us = int((now() - started) * 1e6)
            if wall_us < limit_us:
                cards = self._inbox.take_choice(data, question_id, expected)
                if cards is not None:
                    return cards, wall_us
            self._inbox.feed(data)
        self._expect(question_id, expected, limit_us, lateness)
        self._begin_batch(started)
        return None

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

    def batch_used(self) -> tuple[int, int | None, int]:
        """Of the last batch, as `Watchdog.turn_ends` is told."""
        return self._meter.of_batch(self._now())

    # What they come to

    def collect(self, *, linger: bool) -> Closed:
        """The questions that are closed by now. `linger`: nothing else is to be done, so the bot may be
        waited for a few milliseconds."""
        closed: Closed = []
        if self._ended is not None and self._ended.kind is FaultKind.FLOOD:
            self._settle(self._oldest, self._ended, closed)  # the rest of the flood is not read
            return closed
        self.flush()
        data = self._channel.read_soon() if linger and self.may_linger else self._channel.read_nowait()
        while self._open:
            if data:
                self._take_in(data, closed)
            else:
                self._settle_all(closed)  # what an earlier batch has left
            if not data and self._open:
                why = self._why_nothing(at_end=data is not None)
                if why is None:
                    break
                self._settle(self._oldest, why, closed)
            if self._open:
                data = self._channel.read_nowait()
        return closed

    @property
    def _oldest(self) -> str:
        return next(iter(self._open))

    def _take_in(self, data: bytes, closed: Closed) -> None:
        prompt = self._inbox.take_choices(data)
        if prompt:
            (first, expected, cards), *others = prompt
            answer = answer_of(expected, first, cards)
            closed.append((first, self._timed(answer, self._now(), self._open.pop(first)[0])))
            for question_id, _, cards in others:  # which came with the first: their clocks have not run
                del self._open[question_id]
                closed.append((question_id, (cards, 0)))
            if self._open:
                self._start_clock(self._now())
        if self._inbox.has_unread:
            self._settle_all(closed)

    def _settle_all(self, closed: Closed) -> None:
        while (found := self._inbox.take()) is not None:
            self._settle(*found, closed)

    def _settle(self, question_id: str, settled: Settled, closed: Closed) -> None:
        if not isinstance(settled, Wrong) or settled.kind not in _OF_THE_PROCESS:
            closed.append((question_id, self._close(question_id, settled)))
            return
        self.end(settled)
        closed += [(each, self._close(each, settled)) for each in list(self._open)]

    def _close(self, question_id: str, settled: Settled) -> Reply:
        now = self._now()
        oldest = question_id == self._oldest
        if isinstance(settled, Wrong):
            self._inbox.give_up_on(question_id)
            self._closed_at[question_id] = self._clock.deadline if oldest else now
        limit_us, _ = self._open.pop(question_id)
        if not oldest:  # its clock has not run yet
            return Reply(settled, 0)
        reply = self._timed(settled, now, limit_us)
        if self._open:
            self._start_clock(now)
        return reply

    def _timed(self, settled: Settled, now: float, limit_us: int) -> Reply:
        """The reply to the question whose clock has run."""
        clock = self._clock
        used = self._meter.of_question()
        if isinstance(settled, Wrong):
            until = now if self._gone_at is None else max(self._gone_at, clock.started)
            return Reply(settled, round((until - clock.started) * 1e6), used)
        clock.found(now - clock.deadline)
        wall_us = round((now - clock.started - clock.ours) * 1e6)
        return Reply(settled, min(wall_us, limit_us), used)

    def take_late(self) -> list[tuple[str, int]]:
        """First answers that came after their question was closed, since the last call.

        (question id, microseconds after the deadline at which it was noticed at the latest).
        """
        now = self._now()
        return [(name, round((now - self._closed_at.pop(name)) * 1e6)) for name in self._inbox.take_late()]

    @property
    def has_late(self) -> bool:
        """Whether `take_late` has something to tell."""
        return self._inbox.has_late

    # When nothing comes

    def _why_nothing(self, *, at_end: bool) -> Wrong | None:
        """Why the oldest open question is closed, though nothing more has come; None while it is not.
        `at_end`: its output has ended."""
        why = self._over()
        if why is None and at_end:
            return self._gone()  # its clock does not count any more: it can only have crashed
        why = why or self._choked()
        now = self._now()
        if why is None and self._clock.is_over(now - self._clock.deadline):
            why = self._timeout(now - self._clock.started)
        return why

    def _over(self) -> Wrong | None:
        """`ended`, with what had come of an answer: who watches the exit may be the first to know of it."""
        ended, partial = self._ended, self._inbox.partial
        if ended is None or ended.sent or not partial:
            return ended
        return Wrong(ended.kind, ended.reason, printable(partial))

    def _gone(self) -> Wrong | None:
        """Return why its output has ended, or None while the cause may still be told.

        As a rule the process ends just then, and the task that watches it tells the cause in a moment
        (`end`). If that task did not get its turn in time, the link asks for the cause itself.
        """
        now = self._now()
        if self._gone_at is None:
            self._gone_at = now
        if now < self._gone_at + GRACE_SECONDS:
            return None
        cause = self._cause()
        return Wrong(cause.kind, cause.reason, printable(self._inbox.partial))

    def _choked(self) -> Wrong | None:
        if len(self._outbox) <= OUTBOX_LIMIT:
            return None
        return Wrong(FaultKind.TIMEOUT, FaultSentence.UNREAD.say(limit=OUTBOX_LIMIT))

    def _timeout(self, waited: float) -> Wrong:
        partial, seconds = self._inbox.partial, f"{waited:.3f}"
        if partial:
            reason = FaultSentence.NO_NEWLINE.say(count=len(partial), seconds=seconds)
        elif self._outbox:
            reason = FaultSentence.DEAF.say(seconds=seconds)
        else:
            reason = FaultSentence.SILENT.say(seconds=seconds)
        return Wrong(FaultKind.TIMEOUT, reason, printable(partial))

    # Waiting

    @property
    def channel(self) -> Channel:
        """What it reads from, for `wait_soon`; only where it `may_linger`."""
        return self._channel

    @property
    def may_linger(self) -> bool:
        """Whether all is written and the deadline is not near: the bot may be waited for outside the loop."""
        unwritten_or_gone = self._outbox or self._gone_at is not None
        return not unwritten_or_gone and (self._clock.deadline - self._now()) * 1e6 >= LEAST_LINGER_US

    @property
    def deadline(self) -> float:
        """When to `collect` at the latest, whatever comes."""
        return self._clock.deadline if self._gone_at is None else self._gone_at + GRACE_SECONDS

    def waiting_in(self, scope: trio.CancelScope | None) -> None:
        """`end` cancels this scope from now on; None: it is looked at anyway."""
        self._waiting = scope
        if scope is not None and self._gone_at is None:
            self._meter.waiting_begins(self._now())

    async def wait_for_more(self) -> None:
        """Until something can be read, or written if there is something to write."""
        if self._gone_at is not None:
            await trio.sleep_forever()  # nothing will be, but the end of a stream always can
        if self._outbox and not self._broken:
            await first_of([self._channel.wait_readable, self._channel.wait_writable])
        else:
            await self._channel.wait_readable()


# Compiled, these two call the methods of a pipe directly; through the protocol that takes as long again.


def _write_nowait(channel: Channel, line: bytes) -> int:
    if isinstance(channel, PipeChannel):
        return channel.write_nowait(line)
    return channel.write_nowait(line)


def _read_soon(channel: Channel) -> bytes | None:
    if isinstance(channel, PipeChannel):
        return channel.read_soon(_ANSWER_SIZE)
    return channel.read_soon(_ANSWER_SIZE)


def line_with(message: Mapping[str, object]) -> bytes:
    """The line of a message, which mostly is packed already."""
    return line_of(message.packed) if type(message) is PackedMessage else encode(message)
