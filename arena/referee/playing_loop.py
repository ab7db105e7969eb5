"""Plays matches to their ends: asks, waits, and takes in what comes. Starts and ends no process.

There may be several matches at the same time, or one alone, which is the ordinary case and goes the same way.
Every table is a state machine that is told answers and says what is due next (`table`). What is due at one
process is asked together, in a batch, and the link has the clock of the batch. A process gets its next batch
when its last one is closed. The loop knows nothing of sessions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

import trio

from arena.bot.link import Prompt, Reply, wait_for_any
from arena.bot.person import Sitter
from arena.deals import MatchKey
from arena.match.game import Question
from arena.match.record import MatchRecord
from arena.referee.table import Table

YIELD_SECONDS: Final = 0.004
"""The time after which the other tasks get their turn: those that watch limits, exits and standard error.
They would get none beside bots that always answer at once, which are never waited for in the event loop."""


@dataclass(eq=False, slots=True)
class _Desk:
    """One process, or a person, with its questions.

    `due`: the (table, seat) pairs that are to be asked there next. `asked`: the open questions, by id.
    """

    sitter: Sitter
    due: dict[tuple[Table, int], None] = field(default_factory=dict)
    asked: dict[str, tuple[Table, Question]] = field(default_factory=dict)


class PlayingLoop:
    """Some tables, from the first card to the last.

    `over` is told of each table whose match is over. `failed` is told of each that is given up for an error
    of the arena's own. `together`: whether several processes may be asked at the same time. Otherwise one is
    asked after another, and the one with most questions is next.
    """

    def __init__(
        self,
        over: Callable[[Table], None],
        failed: Callable[[Table, Exception], None],
        *,
        together: bool,
    ) -> None:
        self._over = over
        self._failed = failed
        self._together = together
        self._playing: set[Table] = set()
        self._desks: dict[Sitter, _Desk] = {}
        # Those with something due that have not been asked.
        self._waiting: dict[_Desk, None] = {}
        self._busy: list[_Desk] = []
        self._now: Callable[[], float] = trio.lowlevel.current_clock().current_time

    async def play(self, tables: Sequence[Table]) -> None:
        """Play all these matches out. They end, whatever the bots do."""
        self._playing.update(tables)
        for table in tables:
            self._begin(table)
        yield_at = self._now() + YIELD_SECONDS
        while self._playing:
            if self._now() >= yield_at:
                await trio.lowlevel.checkpoint()
                yield_at = self._now() + YIELD_SECONDS
            in_vain = self._ask(yield_at)
            # Such a bot was waited for outside the event loop just now, in vain. So not there again.
            progress = self._collect(linger=not in_vain)
            if self._busy and not progress and not (self._together and self._waiting):
                await wait_for_any([desk.sitter.link for desk in self._busy])
                yield_at = self._now() + YIELD_SECONDS

    # Asking

    def _ask(self, yield_at: float) -> bool:
        """Ask whoever can be asked. Return whether that was a bot which did not answer at once."""
        if self._together:
            asked, self._waiting = list(self._waiting), {}
        elif self._waiting and not self._busy:
            asked = [max(self._waiting, key=lambda desk: len(desk.due))]
            del self._waiting[asked[0]]
        else:
            return False
        if len(asked) == 1 and len(asked[0].due) == 1 and not self._busy:
            return self._ask_at_once(asked[0], yield_at)
        for desk in asked:
            self._ask_batch(desk)
        return False

    def _ask_at_once(self, desk: _Desk, yield_at: float) -> bool:
        """Ask one question while nothing else can be asked, and wait a little for its answer.

        Where one match is played by itself and bots answer at once, decision after decision is made here: a
        league mostly has one table a referee, and going through the books of the desks each time would cost
        the referee a tenth more. This way has no rule of its own: nothing that has to be judged is taken in.
        Returns whether a question is left open.
        """
        ((table, seat),) = desk.due
        desk.due = {}
        alone = len(self._playing) == 1
        if alone:
            # All that is due is at this table, and is noted again below.
            for other in self._waiting:
                other.due = {}
            self._waiting = {}
        together, now, left_open = self._together, self._now, None
        try:
            while seat >= 0 and left_open is None:
                left_open = table.ask_at_once(seat)
                if left_open is not None:
                    question_id, question = left_open
                    desk = self._desk_of(table.sitter_at(seat))
                    desk.asked[question_id] = table, question
                    self._busy.append(desk)
                elif alone and now() < yield_at:
                    seat = table.next_alone(together=together)
                else:
                    seat = -1
        except Exception as error:
            self._give_up(table, error)
        self._go_on(table)
        return left_open is not None

    def _ask_batch(self, desk: _Desk) -> None:
        """Write all that is due at one process."""
        due, desk.due = desk.due, {}
        link, watchdog = desk.sitter.link, desk.sitter.watchdog
        for table, seat in due:
            if table not in self._playing:  # its other seat at this desk has cost it
                continue
            try:
                question_id, question = table.put(seat, link)
            except Exception as error:
                self._give_up(table, error)
            else:
                desk.asked[question_id] = table, question
        if link.busy:
            # First the bot may run, then its clock does.
            if watchdog is not None:
                watchdog.turn_begins()
            link.write()
            self._busy.append(desk)

    # Taking in

    def _collect(self, *, linger: bool) -> bool:
        """Take in what has come. Return whether there was anything."""
        progress = False
        for desk in self._busy:
            link, watchdog = desk.sitter.link, desk.sitter.watchdog
            closed = link.collect(linger=linger and not self._together)
            if link.has_late:
                for late_id, late_us in link.take_late():
                    self._take_late(late_id, late_us)
            # Before anything is settled: this may have been the last turn of a match, and what was used in it
            # must be counted before the match is over.
            if watchdog is not None and not link.busy:
                watchdog.turn_ends(*link.batch_used())
            for question_id, reply in closed:
                progress = True
                table, question = desk.asked.pop(question_id)
                if table in self._playing:
                    self._settle(table, question, question_id, reply)
            if not link.busy and desk.due:
                self._waiting[desk] = None
        if progress:
            self._busy = [desk for desk in self._busy if desk.sitter.link.busy]
        return progress

    def _settle(self, table: Table, question: Question, question_id: str, reply: Prompt | Reply) -> None:
        try:
            table.settle(question, question_id, reply)
        except Exception as error:
            self._give_up(table, error)
            return
        self._go_on(table)

    def _take_late(self, question_id: str, late_us: int) -> None:
        for table in self._playing:
            # Where no table knows it, it belongs to an earlier match, which is over.
            if table.late_answer(question_id, late_us):
                return

    def _begin(self, table: Table) -> None:
        try:
            table.begin()
        except Exception as error:
            self._give_up(table, error)
        self._go_on(table)

    def _go_on(self, table: Table) -> None:
        """Note what is due at this table after a decision, or that its match is over."""
        if table not in self._playing:
            return
        try:
            for seat, sitter in table.due():
                desk = self._desk_of(sitter)
                desk.due[table, seat] = None
                if not desk.asked:
                    self._waiting[desk] = None
        except Exception as error:
            self._give_up(table, error)
            return
        if table.over:
            self._playing.discard(table)
            self._over(table)

    def _desk_of(self, sitter: Sitter) -> _Desk:
        desk = self._desks.get(sitter)
        if desk is None:
            desk = self._desks[sitter] = _Desk(sitter)
        return desk

    def _give_up(self, table: Table, error: Exception) -> None:
        """End the match of a table after an error of the arena's own, at no cost to the other tables."""
        self._playing.discard(table)
        for desk in self._desks.values():
            desk.due = {place: None for place in desk.due if place[0] is not table}
        self._failed(table, error)


async def play_one(table: Table, key: MatchKey, sandbox: str, *, together: bool) -> MatchRecord:
    """Play a match by itself and return its record. An error of the arena's own is raised."""

    def failed(_table: Table, error: Exception) -> None:
        raise error

    await PlayingLoop(lambda _table: None, failed, together=together).play([table])
    return table.record(key, sandbox)
