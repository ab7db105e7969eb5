"""Asks one bot: writes questions, waits, takes the answers, gives each its time or its fault. Judges no card.

Read it downwards: `ask` is the whole of it for one question. Questions are put in batches, which are written
together; the smallest batch is one question, as `hello` is. A process has one clock, which runs for the
oldest open question. It starts when the batch begins to be written, and starts again when that question is
closed, for the question written after it. So each question has its whole time. If each question had a clock
and all of them ran at once, a bot that answers one by one would have less time the later a question stands in
the batch. With the one clock, nobody gains time by answering out of order.

A deadline is a moment, and covers writing, thinking and reading. A patience for each read would begin anew
with every byte of a bot that sends its answer byte by byte. Time comes only from the clock of the event loop,
so that a test can drive it. A quick bot is waited for outside that loop, for a few milliseconds at most,
because waiting in the loop costs ten times more.

Which line answers which question is for `answers`, bytes and pipes are for `channel`, and how long the bot
had no core for `waits`. That is looked at only when the deadline has come, since it takes long.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import trio

from arena.bot.answers import Inbox, Settled, Wrong, answer_of
from arena.bot.channel import Channel, PipeChannel, first_of
from arena.bot.waits import LEAST_WAIT, NO_METER, UNKNOWN, WAITED_SHARE, Meter, TurnMeter, Used
from arena.match.fault_wording import FaultSentence
from arena.match.faults import FaultKind
from arena.match.packed import PackedMessage
from arena.match.record import NO_LIMIT_US
from protocol.codec import encode, line_of
from protocol.messages import Answer
from protocol.refusal import guess, printable

GRACE_SECONDS: Final = 0.2
"""The time between asking a process to go and killing it. A process that has closed its output may take as
long to end, because its exit code says more than the closed output."""
LATE_LOOP: Final = 0.010
"""The seconds by which the referee may find a deadline passed without counting as late itself."""
LEAST_EXTENSION: Final = 0.050
"""The least seconds that a bot gets when the referee was late."""
OUTBOX_LIMIT: Final = 1 << 20
"""The bytes that a bot may leave unread before its question counts as timed out."""
LEAST_LINGER_US: Final = 50_000
"""The least time of a question, in microseconds, for its bot to be waited for outside the event loop. The
end of a shorter time is to be noticed at once."""
_ANSWER_SIZE: Final = 256
"""The bytes of the first read of an answer. They hold any answer to a `play` or `pass`, and a buffer for them
is quickly allocated. What is longer is read after it."""
_OF_THE_PROCESS: Final = (FaultKind.CRASHED, FaultKind.FLOOD, FaultKind.RESOURCE)
"""The kinds of faults that end a process, and so are a fault at each of its open questions."""
_MOST: Final = 0.5
"""The share of the time from which on the processor, or the wait for it, explains a silence."""


@dataclass(slots=True)
class Lateness:
    """The number of times that the referee was late in a match, and its worst lateness in seconds.

    `grace`: the most seconds by which a deadline of the match moves for a bot that had no core.
    """

    count: int = 0
    worst: float = 0.0
    grace: float = 0.0

    def add(self, seconds: float) -> None:
        """Note that the referee was late once, by so many seconds."""
        self.count += 1
        self.worst = max(self.worst, seconds)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer, or what was wrong.

    `wall_us`: the microseconds since the clock of the question began. In the time of an answer, the lateness
    of the referee itself does not count. `used`: what the bot has used since the referee began to wait for it
    in the event loop. Nothing is known of an answer that came before that. `extended_us`: by how much its
    deadline moved because the bot had no core; that does not count in the time of an answer either.
    """

    settled: Settled
    wall_us: int
    used: Used = UNKNOWN
    extended_us: int = 0


Prompt: TypeAlias = tuple[tuple[str, ...], int]
"""The cards of an answer that came at once, and its time in microseconds as in `Reply`. It is a plain pair,
because nearly every decision makes one."""
_Closed: TypeAlias = list[tuple[str, Prompt | Reply]]
"""Closed questions, as (id, result), in the order in which they were closed."""


# Asking, and waiting for what was asked


async def ask(
    link: Link,
    message: Mapping[str, object],
    question_id: str,
    expected: type[Answer],
    limit_us: int,
    lateness: Lateness | None = None,
) -> Reply:
    """Put one question by itself, wait until it is closed, and return the reply.

    It is closed at the latest when its time is over: `limit_us` in microseconds, and what the referee itself
    was late.
    """
    link.put(_line_with(message), question_id, expected, limit_us, lateness or Lateness())
    link.write()
    while not (closed := link.collect(linger=False)):
        await wait_for_any([link])
    ((_, reply),) = closed
    assert isinstance(reply, Reply), "only what came behind another answer is a plain pair"
    return reply


async def wait_for_any(links: Sequence[Link]) -> None:
    """Wait until one of these links is to be looked at. Each must have an open question.

    It is when something more has come, when its time is over, or when it has been ended.
    """
    with trio.CancelScope(deadline=min([link.deadline for link in links])) as scope:
        for link in links:
            link.waiting_in(scope)
        try:
            # A single link is waited for without a nursery, which takes as long as several decisions.
            if len(links) == 1:
                await links[0].wait_for_more()
            else:
                await first_of([link.wait_for_more for link in links])
        finally:
            for link in links:
                link.waiting_in(None)


@dataclass(slots=True)
class _Clock:
    """The clock of the oldest open question, which charges no bot for a late referee or a busy core.

    All times are in seconds. `ours`: the part of the time since `started` in which the referee itself was
    late. `extended`: by how much the deadline moved because the bot had no core.
    """

    started: float
    deadline: float
    lateness: Lateness
    ours: float = 0.0
    extended: float = 0.0
    moved: bool = False
    """Whether the deadline has moved because the referee was late."""

    def found(self, now: float) -> None:
        """Note that a line was found at this time."""
        late = now - self.deadline
        # It may have been there in time while the referee did not look. Nobody can tell, so it stands, and
        # the time since the deadline counts as the referee's.
        if late > LATE_LOOP:
            self.lateness.add(late)
            self.ours += late

    def is_over(self, now: float, waited: Callable[[float], float]) -> bool:
        """Return whether the time is over, when nothing was found. If not, `deadline` may have moved.

        `waited` returns for how many seconds the bot was ready and others had its core.
        """
        late = now - self.deadline
        if late < 0:
            return False
        # It moves only once: a referee that is late every time would wait for a silent bot for ever.
        if late > LATE_LOOP and not self.moved:
            self.moved = True
            self.lateness.add(late)
            self.ours += late
            # `late` leads to this moment, and from here the bot has as much again, but LEAST_EXTENSION at
            # least.
            self.deadline += max(late, LEAST_EXTENSION) + late
            return False
        if self.extended or not self.lateness.grace:
            return True
        seconds = waited(now)
        if seconds <= max(LEAST_WAIT, WAITED_SHARE * (now - self.started)):
            return True
        # The bot gets all of it from now on, however late the deadline was found passed. But it gets no more
        # than the grace, and only once.
        self.ours += late
        self.extended = min(seconds, self.lateness.grace)
        self.deadline = now + self.extended
        return False


def _closed() -> Wrong:
    return Wrong(FaultKind.CRASHED, FaultSentence.CLOSED.say())


class Link:
    """The conversation with one process: `put` questions, `write`, then `collect` until it is not `busy`.

    `wait_for_any` waits in between. `meter` reads what the process has used. `cause` returns why its output
    has ended, as far as that is known.
    """

    def __init__(
        self, channel: Channel, meter: Meter = NO_METER, cause: Callable[[], Wrong] = _closed
    ) -> None:
        self.channel = channel
        self._pipes = channel if isinstance(channel, PipeChannel) else None
        """The same channel, if it has pipes: compiled, its methods are called directly, which takes half as
        long as through the protocol."""
        self._cause = cause
        self._meter = TurnMeter(meter)
        self._inbox = Inbox()
        self._unwritten = bytearray()
        self._deaf = False
        """Whether nobody will ever read what is written."""
        self._open: dict[str, tuple[int, Lateness]] = {}
        """The time in microseconds and the lateness of the match, by question id, in the order of `put`."""
        self._clock = _Clock(0.0, 0.0, Lateness())
        self._closed_at: dict[str, float] = {}
        self._waiting: trio.CancelScope | None = None
        self._ended: Wrong | None = None
        self._gone_at: float | None = None
        """The moment at which its output was found to have ended."""
        self._now: Callable[[], float] = trio.lowlevel.current_clock().current_time
        """The same as `trio.current_time`, which looks the clock up each time."""

    # News, and the end

    def new_match(self) -> None:
        """Begin a new match, maybe beside others."""
        self._inbox.forget()

    def tell(self, message: Mapping[str, object]) -> None:
        """Queue news, which goes out ahead of the next question, or with `flush`."""
        self._unwritten += _line_with(message)

    def flush(self) -> None:
        """Write what fits now, without waiting. What nobody will ever read is only kept."""
        while self._unwritten and not self._deaf:
            try:
                written = self.channel.write_nowait(self._unwritten)
            except BrokenPipeError:
                self._deaf = True
                return
            if not written:
                return
            del self._unwritten[:written]

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

    # Writing questions

    @property
    def busy(self) -> bool:
        """Return whether a question is open. Once a batch is written, no other may be put until it is not."""
        return bool(self._open)

    def put(
        self, line: bytes, question_id: str, expected: type[Answer], limit_us: int, lateness: Lateness
    ) -> None:
        """Add a question to the next batch.

        `line`: the whole line. `expected`: the type of its answer. `limit_us`: its time in microseconds,
        NO_LIMIT_US for no limit. `lateness`: notes how late the referee itself is with it.
        """
        self._unwritten += line
        self._open[question_id] = limit_us, lateness
        self._inbox.expect(question_id, expected)

    def write(self) -> None:
        """Write the batch, as far as that is possible without waiting, and start the clock."""
        now = self._now()
        self._meter.batch_begins(now)
        self._start_clock(now)
        self.flush()

    def _start_clock(self, now: float) -> None:
        limit_us, lateness = next(iter(self._open.values()))
        deadline = math.inf if limit_us >= NO_LIMIT_US else now + limit_us / 1e6
        self._clock = _Clock(now, deadline, lateness)
        self._meter.clock_begins()

    def ask_at_once(
        self, line: bytes, question_id: str, expected: type[Answer], limit_us: int, lateness: Lateness
    ) -> Prompt | None:
        """Put and write one question as a batch, and return its answer if that comes at once, else None.

        The arguments are those of `put`. This is the quickest way; other tasks stand still for a
        little while. It has no rule of its own: when anything else comes, or nothing does, the question is
        left open like any other, and `collect` judges it.
        """
        now, channel, pipes = self._now, self.channel, self._pipes
        started = now()
        # Mostly nothing stands before the line, and it fits.
        written = 0
        if not self._unwritten and not self._deaf:
            try:
                written = channel.write_nowait(line) if pipes is None else pipes.write_nowait(line)
            except BrokenPipeError:
                self._deaf = True
        if written != len(line):
            self._unwritten += line[written:]
            self.flush()
        data = None
        if limit_us >= LEAST_LINGER_US and self._ended is None:
            data = channel.read_soon(_ANSWER_SIZE) if pipes is None else pipes.read_soon(_ANSWER_SIZE)
        if data:
            wall_us = int((now() - started) * 1e6)
            if wall_us < limit_us:
                cards = self._inbox.take_choice(data, question_id, expected)
                if cards is not None:
                    return cards, wall_us
            self._inbox.feed(data)
        self._open[question_id] = limit_us, lateness
        self._inbox.expect(question_id, expected)
        self._meter.batch_begins(started)
        self._start_clock(started)
        return None

    def batch_used(self) -> tuple[int, int | None, int]:
        """Return what the last batch used, as `Watchdog.turn_ends` is told."""
        return self._meter.of_batch(self._now())

    # Waiting

    @property
    def may_linger(self) -> bool:
        """Return whether the bot may be waited for outside the event loop.

        It may while all is written, the output has not ended and the deadline is not near.
        """
        unwritten_or_gone = self._unwritten or self._gone_at is not None
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
        if self._unwritten and not self._deaf:
            await first_of([self.channel.wait_readable, self.channel.wait_writable])
        else:
            await self.channel.wait_readable()

    # Taking answers

    def collect(self, *, linger: bool) -> _Closed:
        """Take in what has come, and return the questions that are closed by it or by their time.

        `linger`: there is nothing else to do, so the bot may be waited for a few milliseconds.
        """
        closed: _Closed = []
        # The rest of a flood is not read.
        if self._ended is not None and self._ended.kind is FaultKind.FLOOD:
            self._settle(self._oldest, self._ended, closed)
            return closed
        self.flush()
        data = self.channel.read_soon() if linger and self.may_linger else self.channel.read_nowait()
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
                data = self.channel.read_nowait()
        return closed

    @property
    def _oldest(self) -> str:
        return next(iter(self._open))

    def _take_in(self, data: bytes, closed: _Closed) -> None:
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

    def _settle_all(self, closed: _Closed) -> None:
        while (found := self._inbox.take()) is not None:
            self._settle(*found, closed)

    # Time or fault

    def _why_nothing(self, *, at_end: bool) -> Wrong | None:
        """Return why the oldest open question is closed although nothing more came, or None while it is not.

        `at_end`: the output of the process has ended.
        """
        clock, now = self._clock, self._now()
        why = self._ended
        # The clock does not count any more once the output has ended: the process can only have crashed. As a
        # rule it ends just then, and the task that watches it tells the cause in a moment (`end`). If that
        # task did not get its turn in time, the link asks for the cause itself.
        if why is None and at_end:
            self._gone_at = now if self._gone_at is None else self._gone_at
            if now < self._gone_at + GRACE_SECONDS:
                return None
            why = self._cause()
        # Whoever watches the exit may know of the end before the output is read to its end.
        if why is not None:
            return Wrong(why.kind, why.reason, why.sent or printable(self._inbox.partial))
        if len(self._unwritten) > OUTBOX_LIMIT:
            return Wrong(FaultKind.TIMEOUT, FaultSentence.UNREAD.say(limit=OUTBOX_LIMIT))
        if not clock.is_over(now, self._meter.waited):
            return None
        seconds, partial = now - clock.started, self._inbox.partial
        if partial:
            reason = unended(seconds, partial)
        elif self._unwritten:
            reason = FaultSentence.DEAF.say(seconds=f"{seconds:.3f}")
        else:
            reason = silence(seconds, self._meter.of_question(now))
        return Wrong(FaultKind.TIMEOUT, reason, printable(partial))

    def _settle(self, question_id: str, settled: Settled, closed: _Closed) -> None:
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

        A line that came, good or bad, is not charged the lateness of the referee, what the deadline moved by
        because the bot had no core, nor more than the whole time of its question.
        """
        clock = self._clock
        extended_us = round(clock.extended * 1e6)
        used = self._meter.of_question(now).having_waited(extended_us)
        if isinstance(settled, Wrong) and settled.kind is not FaultKind.BAD_MESSAGE:
            until = now if self._gone_at is None else max(self._gone_at, clock.started)
            return Reply(settled, round((until - clock.started) * 1e6), used, extended_us)
        clock.found(now)
        wall_us = round((now - clock.started - clock.ours - clock.extended) * 1e6)
        return Reply(settled, min(wall_us, limit_us), used, extended_us)

    @property
    def has_late(self) -> bool:
        """Return whether `take_late` has something to return."""
        return self._inbox.has_late

    def take_late(self) -> list[tuple[str, int]]:
        """Return the first answers that came after their question was closed, since the last call.

        Each is (question id, microseconds): the time from the deadline, or from when the question was closed
        if the clock had not run for it, until now.
        """
        late = self._inbox.take_late()
        return [(name, round((self._now() - self._closed_at.pop(name)) * 1e6)) for name in late]


def _line_with(message: Mapping[str, object]) -> bytes:
    # Most messages are packed already.
    return line_of(message.packed) if type(message) is PackedMessage else encode(message)


# The sentences of a fault at which nothing whole came


def unended(seconds: float, partial: bytes) -> str:
    """Return the sentence about a bot whose line had begun and not ended after so many seconds."""
    count, shown = len(partial), f"{seconds:.3f}"
    looks = guess(partial).rstrip(".")
    if not looks:
        return FaultSentence.NO_NEWLINE.say(count=count, seconds=shown)
    return FaultSentence.NO_NEWLINE_LOOKS.say(count=count, seconds=shown, looks=looks)


def silence(seconds: float, used: Used) -> str:
    """Return the sentence about a bot of which nothing came in so many seconds.

    Its likely cause is told where the bot's use of the processor shows one: it had no core, it computed, or
    it waited for something, which is mostly a buffer that nobody empties.
    """
    shown = f"{seconds:.3f}"
    if used.cpu_us is None or seconds <= 0:
        return FaultSentence.SILENT.say(seconds=shown)
    cpu, queued = used.cpu_us / 1e6, (used.queued_us or 0) / 1e6
    if queued >= _MOST * seconds:
        return FaultSentence.SILENT_WITHOUT_CORE.say(seconds=shown, queued=f"{queued:.3f}")
    if cpu >= _MOST * seconds:
        return FaultSentence.SILENT_AT_WORK.say(seconds=shown, cpu=f"{cpu:.3f}")
    if used.at_rest(seconds):
        return FaultSentence.SILENT_AT_REST.say(seconds=shown, cpu=f"{cpu:.3f}")
    return FaultSentence.SILENT_BETWEEN.say(seconds=shown, cpu=f"{cpu:.3f}", queued=f"{queued:.3f}")
