"""Talks to a bot process that plays at several tables at once: batches of questions, one clock.

All questions of a batch are written together. A process has one clock, and it runs for the oldest
question that is open: it starts when the batch begins to be written, and again when that question is
closed, for the one written after it. So each question has its whole time, whoever answers in order has
it question by question, and nobody gains time by answering out of order. Judges no card.
"""

from __future__ import annotations

from typing import Final

import trio

from arena.bot.answers import Settled, SharedInbox, Wrong, answer_of
from arena.bot.channel import Channel
from arena.bot.link import LEAST_LINGER_US, Link, Prompt, Reply
from arena.bot.question_clock import Lateness, QuestionClock
from arena.bot.watchdog import NO_METER, UNKNOWN, Meter, Used
from arena.match.faults import FaultKind
from protocol.messages import Answer

__all__ = ["SharedLink"]

_OF_THE_PROCESS: Final = (FaultKind.CRASHED, FaultKind.FLOOD, FaultKind.RESOURCE)
"""What ends a process, and so is a fault at each of its open questions."""


class SharedLink(Link):
    """A link that can also have several questions open: `put` them, `write`, then `collect` until none is.

    In between, `waiting_in` and `wait_for_more`. While any is open, nothing else may be asked.
    """

    def __init__(self, channel: Channel, meter: Meter = NO_METER) -> None:
        self._shared = SharedInbox()
        super().__init__(channel, meter, self._shared)
        self._open: dict[str, tuple[int, Lateness]] = {}
        """Time in microseconds and the lateness of its table, by question, in the order they were written."""
        self._clock = QuestionClock(0.0, 0.0, self._lateness)
        self._before: Used | None = None
        self._batch_began = 0.0
        self._batch_before: tuple[Used, int] | None = None
        self._unseen_us = 0

    @property
    def busy(self) -> bool:
        """Whether a question is open."""
        return bool(self._open)

    @property
    def has_late(self) -> bool:
        """Whether `take_late` has something to tell."""
        return self._shared.has_late

    @property
    def deadline(self) -> float:
        """When the time of the question whose clock runs is over."""
        return self._clock.deadline

    def put(
        self, line: bytes, question_id: str, expected: type[Answer], limit_us: int, lateness: Lateness
    ) -> None:
        """One more question of the next batch, a whole line."""
        self._outbox += line
        self._open[question_id] = limit_us, lateness
        self._shared.expect_also(question_id, expected)

    def write(self) -> None:
        """The batch goes out, as far as it goes without waiting, and the first clock starts."""
        self._batch_began = self._now()
        self._batch_before = None
        self._start_clock(self._batch_began)
        self.flush()

    def batch_used(self) -> tuple[int, int | None, int]:
        """Of the last batch, as `Watchdog.turn_ends` is told: microseconds since it was written, the bot's
        processor time, where known, and what had gone by before that was measured."""
        wall_us = round((self._now() - self._batch_began) * 1e6)
        if self._batch_before is None:
            return wall_us, None, 0
        before, unseen_us = self._batch_before
        return wall_us, self._meter.read().since(before).cpu_us, unseen_us

    def collect(self, *, linger: bool) -> list[tuple[str, Prompt | Reply]]:
        """The questions that are closed by now, in the order in which that came about, and what each came
        to. `linger`: nothing else is to be done, so the bot may be waited for a few milliseconds."""
        closed: list[tuple[str, Prompt | Reply]] = []
        if self._ended is not None and self._ended.kind is FaultKind.FLOOD:  # the rest of it is not read
            self._settle((next(iter(self._open)), self._ended), closed)
            return closed
        self.flush()
        data = self._channel.read_soon() if linger and self.may_linger else self._channel.read_nowait()
        while True:
            if data:
                self._take_in(data, closed)
            else:
                self._settle_all(closed)  # what an earlier batch has left
            if not data and self._open:
                why = self._nothing_came() if data is None else self._over() or self._gone()
                if why is None:
                    break
                self._settle((next(iter(self._open)), why), closed)
            if not self._open:
                break
            data = self._channel.read_nowait()
        return closed

    def _take_in(self, data: bytes, closed: list[tuple[str, Prompt | Reply]]) -> None:
        prompt = self._shared.take_choices(data)
        if prompt:
            (first, expected, cards), *others = prompt
            answer = answer_of(expected, first, cards)
            closed.append((first, self._timed(answer, self._now(), self._open.pop(first)[0])))
            for question_id, _, cards in others:  # which came with the first: their clocks have not run
                del self._open[question_id]
                closed.append((question_id, (cards, 0)))
            if self._open:
                self._start_clock(self._now())
        if self._shared.has_unread:
            self._settle_all(closed)

    def _settle_all(self, closed: list[tuple[str, Prompt | Reply]]) -> None:
        while self._open and (found := self._shared.take_one()) is not None:
            self._settle(found, closed)

    def _nothing_came(self) -> Wrong | None:
        why = self._over() or self._choked()
        now = self._now()
        if why is None and self._clock.is_over(now - self._clock.deadline):
            why = self._timeout(now - self._clock.started)
        return why

    def _settle(self, found: tuple[str, Settled], closed: list[tuple[str, Prompt | Reply]]) -> None:
        question_id, settled = found
        if not isinstance(settled, Wrong) or settled.kind not in _OF_THE_PROCESS:
            closed.append((question_id, self._close(question_id, settled)))
            return
        self.end(settled)
        closed += [(each, self._close(each, settled)) for each in list(self._open)]

    def _close(self, question_id: str, settled: Settled) -> Reply:
        now = self._now()
        oldest = question_id == next(iter(self._open))
        if isinstance(settled, Wrong):
            self._shared.give_up_on(question_id)
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
        used = UNKNOWN if self._before is None else self._meter.read().since(self._before)
        if isinstance(settled, Wrong):
            return Reply(settled, round((now - clock.started) * 1e6), used, self._unseen_us)
        clock.found(now - clock.deadline)
        wall_us = round((now - clock.started - clock.ours) * 1e6)
        return Reply(settled, min(wall_us, limit_us), used, self._unseen_us)

    def _start_clock(self, now: float) -> None:
        limit_us, lateness = next(iter(self._open.values()))
        self._clock = QuestionClock(now, now + limit_us / 1e6, lateness)
        self._before = None
        self._unseen_us = 0

    # Waiting

    def waiting_in(self, scope: trio.CancelScope | None) -> None:
        """Its end cancels this scope from now on; None: it is looked at anyway."""
        self._waiting = scope
        if scope is None or self._before is not None:
            return
        now = self._now()
        self._before = self._meter.read()
        self._unseen_us = round((now - self._clock.started) * 1e6)
        if self._batch_before is None:
            self._batch_before = self._before, round((now - self._batch_began) * 1e6)

    @property
    def channel(self) -> Channel:
        """What it reads from, for `wait_soon`; only while everything is written."""
        return self._channel

    @property
    def may_linger(self) -> bool:
        """Whether all is written and the deadline is not near: the bot may be waited for outside the loop."""
        return not self._outbox and (self._clock.deadline - self._now()) * 1e6 >= LEAST_LINGER_US

    async def wait_for_more(self) -> None:
        """Until something can be read, or written if there is something to write."""
        await self._wait_for_more()
