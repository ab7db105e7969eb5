"""Finds or starts a process for every seat of matches that are played at the same time. Plays nothing.

Match g of each session is played by replicas g of the bots. So a process can play match g of many sessions at
once and still never sees a board twice. A process sits at as many of these tables as it said it would and as
are allowed, but never at two seats of one table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import trio

from arena.bot.process import BotProcess, StartFailure
from arena.match.stand_in import STAND_IN
from arena.referee.jobs import MatchJob
from arena.referee.process_pool import ProcessPool

__all__ = ["Found", "Seat", "Seats"]

Seat: TypeAlias = tuple[int, int]
"""(match, seat): the place of the match among those to be played, and the seat at its table."""
Found: TypeAlias = BotProcess | StartFailure


@dataclass(slots=True)
class _Leased:
    """A process and the matches that it sits in. `leave`: why it is not to be used again, or empty."""

    process: BotProcess
    matches: set[int] = field(default_factory=set)
    leave: str = ""


@dataclass(slots=True)
class _Row:
    """Seats of one bot at which nobody sits yet, at most one in each match."""

    bot: str
    replica: int
    seats: list[Seat] = field(default_factory=list)


class Seats:
    """The seats of some matches, `tables` at most.

    `find` must be called once, and `release` once in any case. `introduce` is told of each process that is
    used.
    """

    def __init__(self, pool: ProcessPool, tables: int, introduce: Callable[[BotProcess], None]) -> None:
        self._pool = pool
        self._tables = tables
        self._introduce = introduce
        self._leased: dict[int, _Leased] = {}
        self.found: dict[Seat, Found] = {}

    async def find(self, matches: Sequence[MatchJob]) -> None:
        """Find or start a process for every seat, and put it into `found`. Bots start at the same time.

        A failure to start counts for one seat only: for the next seat the bot is started again.
        """
        rows = _rows_of(matches)
        for row in rows:
            while row.seats and (idle := self._pool.lease_idle(row.bot, row.replica)) is not None:
                self._sit(idle, row)
        # Tested first, because a nursery takes as long as several decisions.
        if any(row.seats for row in rows):
            async with trio.open_nursery() as nursery:
                for row in rows:
                    nursery.start_soon(self._start, row)

    async def _start(self, row: _Row) -> None:
        while row.seats:
            started = await self._pool.lease_new(row.bot, row.replica)
            if isinstance(started, StartFailure):
                self.found[row.seats.pop(0)] = started
            else:
                self._sit(started, row)

    def _sit(self, process: BotProcess, row: _Row) -> None:
        """Seat a process at as many of these seats as it will take."""
        ready = process.ready
        room = min(1 if ready is None else ready.tables, self._tables)
        taken, row.seats = row.seats[:room], row.seats[room:]
        self._leased[process.pid] = _Leased(process, {number for number, _ in taken})
        self.found |= dict.fromkeys(taken, process)
        self._introduce(process)

    def leave(self, process: BotProcess, reason: str) -> None:
        """Take a process away whose match is over for it before its end.

        It is not used again, and is ended when it plays no other match.
        """
        leased = self._leased[process.pid]
        leased.leave = leased.leave or reason
        if not process.plays:
            self._let_go(process)

    def leave_match(self, number: int, reason: str) -> None:
        """Let no process of a match be used again. They may be in the middle of it."""
        for leased in [one for one in self._leased.values() if number in one.matches]:
            leased.leave = leased.leave or reason

    def release(self, reason: str = "") -> None:
        """Let go of all processes, because all matches are over. With a reason, none is used again."""
        for leased in list(self._leased.values()):
            leased.leave = leased.leave or reason
            self._let_go(leased.process)

    async def gone(self, number: int) -> None:
        """Wait until each process that sat in a match has ended, after `release` or `leave`."""
        for (match, _), found in self.found.items():
            if match == number and isinstance(found, BotProcess):
                await found.gone()

    def _let_go(self, process: BotProcess) -> None:
        leased = self._leased.pop(process.pid)
        if leased.leave:
            self._pool.discard(process, leased.leave)
        else:
            self._pool.give_back(process)


def _rows_of(matches: Sequence[MatchJob]) -> list[_Row]:
    """Return the seats of the matches as rows.

    A bot at several seats of a match has as many rows, because no process sits at two seats of a table.
    """
    rows: dict[tuple[str, int, int], _Row] = {}
    for number, job in enumerate(matches):
        for seat, bot in enumerate(job.seats):
            if bot != STAND_IN:
                before = job.seats[:seat].count(bot)
                row = rows.setdefault((bot, job.key.order, before), _Row(bot, job.key.order))
                row.seats.append((number, seat))
    return list(rows.values())
