"""Talks to one bot process over a channel: news, questions, deadlines. Judges no card.

Questions are put in batches, which are written together. The smallest batch is one question, as `hello` is.
A process has one clock, which runs for the oldest open question. It starts when the batch begins to be
written, and starts again when that question is closed, for the question written after it. So each question
has its whole time. If each question had a clock and all of them ran at once, a bot that answers one by one
would have less time the later a question stands in the batch. With the one clock, nobody gains time by
answering out of order.

A deadline is a moment, and covers writing, thinking and reading. A patience for each read would begin anew
with every byte of a bot that sends its answer byte by byte. Time comes only from the clock of the event loop,
so that a test can drive it. A quick bot is waited for outside that loop, for a few milliseconds at most,
because waiting in the loop costs ten times more.

Whether a bot had a core is looked at only when its deadline has come, since that takes long.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

import trio

from arena.bot.answers import Inbox, Settled, Wrong, answer_of
from arena.bot.channel import Channel, PipeChannel, first_of
from arena.bot.ending import GRACE_SECONDS
from arena.bot.outbox import OUTBOX_LIMIT, Outbox
from arena.bot.question_clock import Lateness, QuestionClock
from arena.bot.reply import Closed, Prompt, Reply
from arena.bot.silence import silence, unended
from arena.bot.turn_meter import NO_METER, Meter, TurnMeter
from arena.match.fault_wording import FaultSentence
from arena.match.faults import FaultKind
from arena.match.packed import PackedMessage
from arena.match.record import NO_LIMIT_US
from protocol.codec import encode, line_of
from protocol.messages import Answer
from protocol.refusal import printable

__all__ = ["Link", "line_with"]

LEAST_LINGER_US: Final = 50_000
"""The least time of a question, in microseconds, for its bot to be waited for outside the event loop. The
end of a shorter time is to be noticed at once."""
_ANSWER_SIZE: Final = 256
"""The bytes of the first read of an answer. They hold any answer to a `play` or `pass`, and a buffer for them
is quickly allocated. What is longer is read after it."""
_OF_THE_PROCESS: Final = (FaultKind.CRASHED, FaultKind.FLOOD, FaultKind.RESOURCE)
"""The kinds of faults that end a process, and so are a fault at each of its open questions."""


def _closed() -> Wrong:
    return Wrong(FaultKind.CRASHED, FaultSentence.CLOSED.say())


class Link:
    """The conversation with one process: `put` questions, `write`, then `collect` until it is not `busy`.

    `arena.bot.waiting` waits in between. `meter` reads what the process has used. `cause` returns why its
    output has ended, as far as that is known.
    """

    def __init__(
        self, channel: Channel, meter: Meter = NO_METER, cause: Callable[[], Wrong] = _closed
    ) -> None:
        self._channel = channel
        self._cause = cause
        self._meter = TurnMeter(meter)
        self._inbox = Inbox()
        self._outbox = Outbox(channel)
        self._open: dict[str, tuple[int, Lateness]] = {}
        """The time in microseconds and the lateness of the match, by question id, in the order of `put`."""
        self._clock = QuestionClock(0.0, 0.0, Lateness())
        self._closed_at: dict[str, float] = {}
        self._waiting: trio.CancelScope | None = None
        self._ended: Wrong | None = None
        self._gone_at: float | None = None
        """The moment at which its output was found to have ended."""
        self._now: Callable[[], float] = trio.lowlevel.current_clock().current_time
        """The same as `trio.current_time`, which looks the clock up each time."""

    # News

    def new_match(self) -> None:
        """Begin a new match, maybe beside others."""
        self._inbox.forget()

    def tell(self, message: Mapping[str, object]) -> None:
        """Queue news, which goes out ahead of the next question, or with `flush`."""
        self._outbox.add(line_with(message))

    def flush(self) -> None:
        """Write what fits now, without waiting."""
        self._outbox.flush()

    def end(self, why: Wrong) -> None:
        """Expect no more answers, even if the output stays open.

        Each open question and each later one is closed with `why`. The first cause stands, because what is
        told later follows from it.
        """
        self._ended = self._ended or why
        if self._waiting is not None:
            self._waiting.cancel()

    @property
    def ended(self) -> Wrong | None:
        """Return why no answer will come any more, as `end` was told, or None while answers may come."""
        return self._ended

    # Questions

    @property
    def busy(self) -> bool:
        """Return whether a question is open. Then no other batch may be put."""
        return bool(self._open)

    def put(
        self, line: bytes, question_id: str, expected: type[Answer], limit_us: int, lateness: Lateness
    ) -> None:
        """Add a question to the next batch.

        `line`: the question as a whole line. `limit_us`: its time in microseconds, NO_LIMIT_US for no limit.
        `lateness`: notes how late the referee itself is with this question.
        """
        self._outbox.add(line)
        self._expect(question_id, expected, limit_us, lateness)

    def _expect(self, question_id: str, expected: type[Answer], limit_us: int, lateness: Lateness) -> None:
        self._open[question_id] = limit_us, lateness
        self._inbox.expect(question_id, expected)

    def write(self) -> None:
        """Write the batch, as far as that is possible without waiting, and start the clock."""
        self._begin_batch(self._now())
        self.flush()

    def _begin_batch(self, now: float) -> None:
        self._meter.batch_begins(now)
        self._start_clock(now)

    def _start_clock(self, now: float) -> None:
        limit_us, lateness = next(iter(self._open.values()))
        deadline = math.inf if limit_us >= NO_LIMIT_US else now + limit_us / 1e6
        self._clock = QuestionClock(now, deadline, lateness)
        self._meter.clock_begins()

    def ask_at_once(
        self, line: bytes, question_id: str, expected: type[Answer], limit_us: int, lateness: Lateness
    ) -> Prompt | None:
        """Put and write one question as a batch, and return its answer if that comes at once, else None.

        This is the quickest way; other tasks stand still for a little while. It has no rule of its own: when
        anything else comes, or nothing does, the question is left open like any other, and `collect` judges
        it.
        """
        now = self._now
        started = now()
        self._outbox.send(line)
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

    def batch_used(self) -> tuple[int, int | None, int]:
        """Return what the last batch used, as `Watchdog.turn_ends` is told."""
        return self._meter.of_batch(self._now())

    # What they come to

    def collect(self, *, linger: bool) -> Closed:
        """Take in what has come, and return the questions that are closed by it or by their time.

        `linger`: there is nothing else to do, so the bot may be waited for a few milliseconds.
        """
        closed: Closed = []
        # The rest of a flood is not read.
        if self._ended is not None and self._ended.kind is FaultKind.FLOOD:
            self._settle(self._oldest, self._ended, closed)
            return closed
        self.flush()
        data = self._channel.read_soon() if linger and self.may_linger else self._channel.read_nowait()
        # All that has come is read and judged before anything is said of time or of an end: an answer that is
        # there counts, whenever the referee finds it.
        while self._open:
            if data:
                self._take_in(data, closed)
            else:
                # Lines that came during an earlier batch may be left.
                self._settle_all(closed)
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
            # The others came together with the first, so the clock has not run for them.
            for question_id, _, cards in others:
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
            deadline = self._clock.deadline
            self._closed_at[question_id] = deadline if oldest and deadline < math.inf else now
        limit_us, _ = self._open.pop(question_id)
        # The clock has not run yet for a question that is not the oldest.
        if not oldest:
            return Reply(settled, 0)
        reply = self._timed(settled, now, limit_us)
        if self._open:
            self._start_clock(now)
        return reply

    def _timed(self, settled: Settled, now: float, limit_us: int) -> Reply:
        """Return the reply to the question for which the clock has run.

        An answer is not charged the lateness of the referee, what the deadline moved by because the bot had
        no core, nor more than the whole time of its question.
        """
        clock = self._clock
        extended_us = round(clock.extended * 1e6)
        used = self._meter.of_question(now).having_waited(extended_us)
        if isinstance(settled, Wrong):
            until = now if self._gone_at is None else max(self._gone_at, clock.started)
            return Reply(settled, round((until - clock.started) * 1e6), used, extended_us)
        clock.found(now - clock.deadline)
        wall_us = round((now - clock.started - clock.ours - clock.extended) * 1e6)
        return Reply(settled, min(wall_us, limit_us), used, extended_us)

    def take_late(self) -> list[tuple[str, int]]:
        """Return the first answers that came after their question was closed, since the last call.

        Each is (question id, microseconds): the time from the deadline, or from when the question was closed
        if the clock had not run for it, until now.
        """
        now = self._now()
        return [(name, round((now - self._closed_at.pop(name)) * 1e6)) for name in self._inbox.take_late()]

    @property
    def has_late(self) -> bool:
        """Return whether `take_late` has something to tell."""
        return self._inbox.has_late

    # When nothing comes

    def _why_nothing(self, *, at_end: bool) -> Wrong | None:
        """Return why the oldest open question is closed although nothing more came, or None while it is not.

        `at_end`: the output of the process has ended.
        """
        why = self._over()
        # The clock does not count any more once the output has ended: the process can only have crashed.
        if why is None and at_end:
            return self._gone()
        why = why or self._choked()
        now = self._now()
        if why is None and self._clock.is_over(now - self._clock.deadline) and not self._gets_more(now):
            why = self._timeout(now)
        return why

    def _gets_more(self, now: float) -> bool:
        """Return whether the deadline moves, which has come, because the bot had no core."""
        return self._clock.may_extend and self._clock.extend(self._meter.waited(now), now)

    def _over(self) -> Wrong | None:
        """Return `ended`, with what had come of an answer, or None.

        Whoever watches the exit may know of the end before the output is read to its end.
        """
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
        if not self._outbox.overflows:
            return None
        return Wrong(FaultKind.TIMEOUT, FaultSentence.UNREAD.say(limit=OUTBOX_LIMIT))

    def _timeout(self, now: float) -> Wrong:
        waited = now - self._clock.started
        partial = self._inbox.partial
        if partial:
            reason = unended(waited, partial)
        elif self._outbox:
            reason = FaultSentence.DEAF.say(seconds=f"{waited:.3f}")
        else:
            reason = silence(waited, self._meter.of_question(now))
        return Wrong(FaultKind.TIMEOUT, reason, printable(partial))

    # Waiting

    @property
    def channel(self) -> Channel:
        """Return the channel, for `wait_soon`. Only to be used while `may_linger` is true."""
        return self._channel

    @property
    def may_linger(self) -> bool:
        """Return whether the bot may be waited for outside the event loop.

        It may while all is written, the output has not ended and the deadline is not near.
        """
        unwritten_or_gone = self._outbox or self._gone_at is not None
        return not unwritten_or_gone and (self._clock.deadline - self._now()) * 1e6 >= LEAST_LINGER_US

    @property
    def deadline(self) -> float:
        """Return the latest moment at which to `collect`, whatever comes."""
        return self._clock.deadline if self._gone_at is None else self._gone_at + GRACE_SECONDS

    def waiting_in(self, scope: trio.CancelScope | None) -> None:
        """Let `end` cancel this scope from now on. None: nobody waits, and the link is looked at anyway."""
        self._waiting = scope
        if scope is not None and self._gone_at is None:
            self._meter.waiting_begins(self._now())

    async def wait_for_more(self) -> None:
        """Wait until something can be read, or written if there is something to write."""
        # Nothing more will come, and a wait for it would return at once, for the end of a stream can always
        # be read. So this sleeps until `end` or the deadline of the caller cancels it.
        if self._gone_at is not None:
            await trio.sleep_forever()
        if self._outbox.can_go_on:
            await first_of([self._channel.wait_readable, self._channel.wait_writable])
        else:
            await self._channel.wait_readable()


def _read_soon(channel: Channel) -> bytes | None:
    # Compiled, this calls the method of a pipe directly. Through the protocol a call takes twice as long.
    if isinstance(channel, PipeChannel):
        return channel.read_soon(_ANSWER_SIZE)
    return channel.read_soon(_ANSWER_SIZE)


def line_with(message: Mapping[str, object]) -> bytes:
    """Return the line of a message. Most messages are packed already."""
    return line_of(message.packed) if type(message) is PackedMessage else encode(message)
