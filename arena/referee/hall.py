"""Plays several matches at the same time: what is due at one process is asked together, in batches.

Every table is a state machine that is told answers and says what is due next (`table`); a batch and its
clock are the link's (`shared_link`). A process gets its next batch when its last one is closed.
Knows nothing of sessions, starts and ends no process.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import trio

from arena.bot.answers import Wrong
from arena.bot.channel import wait_soon
from arena.bot.link import Prompt, Reply
from arena.bot.process import BotProcess
from arena.bot.shared_link import SharedLink
from arena.match.faults import FaultKind
from arena.match.game import Question
from arena.referee.table import Table

__all__ = ["Hall"]

YIELD_SECONDS: Final = 0.004
"""Bots that always answer at once are never waited for; after this long other tasks get their turn."""


@dataclass(eq=False, slots=True)
class _Desk:
    """One process: who is to be asked there next, and what it has been asked, by question id."""

    process: BotProcess
    due: dict[tuple[Table, int], None] = field(default_factory=dict)
    asked: dict[str, tuple[Table, Question]] = field(default_factory=dict)


class Hall:
    """Some tables, from the first card to the last. `over` is told of each table whose match is over, and
    `failed` of one that is given up for an error of ours, with its traceback.

    `together`: whether several processes may be asked at the same time; else one after another, the one
    with most questions next.
    """

    def __init__(
        self, over: Callable[[Table], None], failed: Callable[[Table, str], None], *, together: bool
    ) -> None:
        self._over = over
        self._failed = failed
        self._together = together
        self._playing: set[Table] = set()
        self._desks: dict[BotProcess, _Desk] = {}
        self._waiting: dict[_Desk, None] = {}  # with something due, but not asked
        self._busy: list[_Desk] = []
        self._aside: trio.Nursery
        self._wake: trio.CancelScope | None = None

    async def play(self, tables: Sequence[Table]) -> None:
        """Play all these matches out."""
        self._playing.update(tables)
        async with trio.open_nursery() as self._aside:
            for table in tables:
                self._begin(table)
            yielded = trio.current_time()
            while self._playing:
                if not self._step() and not self._linger():
                    await self._wait()
                elif trio.current_time() - yielded < YIELD_SECONDS:
                    continue
                await trio.lowlevel.checkpoint()
                yielded = trio.current_time()

    # One step

    def _step(self) -> bool:
        """Ask who can be asked and take in what has come; whether anything has."""
        self._ask()
        progress = False
        for desk in self._busy:
            link = desk.process.link
            closed = link.collect(linger=not self._together)
            if link.has_late:
                self._take_late(desk)
            for question_id, reply in closed:
                progress = True
                table, question = desk.asked.pop(question_id)
                if table in self._playing:
                    self._settle(table, question, question_id, reply)
            if not link.busy:
                desk.process.watchdog.turn_ends(*link.batch_used())
                if desk.due:
                    self._waiting[desk] = None
        self._busy = [desk for desk in self._busy if desk.process.link.busy]
        return progress or bool(self._waiting and not self._busy)

    def _ask(self) -> None:
        if self._together:
            asked, self._waiting = list(self._waiting), {}
        elif self._waiting and not self._busy:
            asked = [max(self._waiting, key=lambda desk: len(desk.due))]
            del self._waiting[asked[0]]
        else:
            return
        for desk in asked:
            self._ask_batch(desk)

    def _ask_batch(self, desk: _Desk) -> None:
        """Write all that is due at one process."""
        due, desk.due = desk.due, {}
        link = desk.process.link
        desk.process.watchdog.turn_begins()
        for table, seat in due:
            try:
                question_id, question = table.put(seat, link)
            except Exception:
                self._give_up(table)
            else:
                desk.asked[question_id] = table, question
        if link.busy:
            link.write()
            self._busy.append(desk)

    def _settle(self, table: Table, question: Question, question_id: str, reply: Prompt | Reply) -> None:
        try:
            if isinstance(reply, tuple):
                cards, took_us = reply
                table.chosen(question, cards, took_us)
            elif not isinstance(reply.settled, Wrong):
                table.answered(question, reply.settled, reply.wall_us, reply.used)
            elif reply.settled.kind is not FaultKind.CRASHED:
                table.misdeed_now(question, question_id, reply.settled, reply)
            else:  # how it ended takes a moment to find out
                self._aside.start_soon(self._misdeed, table, question, question_id, reply)
                return
        except Exception:
            self._give_up(table)
            return
        self._go_on(table)

    async def _misdeed(self, table: Table, question: Question, question_id: str, reply: Reply) -> None:
        assert isinstance(reply.settled, Wrong), "it is a misdeed"
        try:
            await table.misdeed(question, question_id, reply.settled, reply)
        except Exception:
            self._give_up(table)
        self._go_on(table)
        if self._wake is not None:
            self._wake.cancel()

    def _take_late(self, desk: _Desk) -> None:
        for late_id, late_us in desk.process.link.take_late():
            for table in self._playing:
                if table.late_answer(late_id, late_us):
                    break

    def _begin(self, table: Table) -> None:
        try:
            table.begin()
        except Exception:
            self._give_up(table)
        self._go_on(table)

    def _go_on(self, table: Table) -> None:
        """Something has been decided at this table: note what is due there now, or that it is over."""
        if table not in self._playing:
            return
        try:
            for seat, process in table.due():
                desk = self._desks.get(process)
                if desk is None:
                    desk = self._desks[process] = _Desk(process)
                desk.due[table, seat] = None
                if not desk.asked:
                    self._waiting[desk] = None
        except Exception:
            self._give_up(table)
            return
        if table.over:
            self._playing.discard(table)
            self._over(table)

    # Errors of ours

    def _give_up(self, table: Table) -> None:
        """An error of ours is the match's end, and costs no other table anything."""
        self._playing.discard(table)
        for desk in self._desks.values():
            desk.due = {place: None for place in desk.due if place[0] is not table}
        self._failed(table, traceback.format_exc())

    # Waiting

    def _linger(self) -> bool:
        """Wait a little outside the event loop, as that costs ten times less; whether something has come."""
        links = [desk.process.link for desk in self._busy]
        if not self._together or not links or not all(link.may_linger for link in links):
            return False
        return wait_soon(link.channel for link in links)

    async def _wait(self) -> None:
        """Until something has come from a process that was asked, or the time of one is over."""
        links = [desk.process.link for desk in self._busy]
        deadline = min((link.deadline for link in links), default=math.inf)
        with trio.CancelScope(deadline=deadline) as scope:
            self._wake = scope
            for link in links:
                link.waiting_in(scope)
            try:
                if len(links) == 1:
                    await links[0].wait_for_more()
                else:
                    await _first_of(links)
            finally:
                self._wake = None
                for link in links:
                    link.waiting_in(None)


async def _first_of(links: Sequence[SharedLink]) -> None:
    """Wait until there is more from any; for ever if there are none."""
    async with trio.open_nursery() as nursery:

        async def wait(link: SharedLink) -> None:
            await link.wait_for_more()
            nursery.cancel_scope.cancel()

        for link in links:
            nursery.start_soon(wait, link)
        if not links:
            await trio.sleep_forever()
