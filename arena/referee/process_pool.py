"""The bot processes of one referee: started, seated, used again, ended when too many. Plays nothing.

Match g of each session is always played by replicas g of its bots. No process ever serves two replica
numbers, so no process sees a board twice, and a process can play match g of many sessions at once. It sits at
as many of these tables as it said it would and as are allowed, but never at two seats of one table.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import trio

from arena.bot.launch import BotCommand
from arena.bot.limits import BotOffTurn
from arena.bot.process import BotProcess, StartFailure
from arena.match.stand_in import STAND_IN
from arena.referee.jobs import MatchJob

MAX_PROCESSES = 64
"""The most processes that wait for their next match in a referee of few tables. Beyond it the least recently
used one is ended."""
MAX_MATCHES = 200
"""The number of matches after which a process is retired."""
_MOST_WAITING = 512
_WAITING_A_TABLE = 32
_MEMORY_GROWTH = 2
_MEMORY_FLOOR = 64 << 20
"""The bytes of memory up to which growth does not matter."""


def most_waiting(tables: int) -> int:
    """Return `max_processes` for a referee with so many tables.

    All matches of a session are played before a process of its first match is wanted again. If fewer
    processes might wait than sit at the tables in between, each would be ended just before it is wanted.
    """
    return max(MAX_PROCESSES, min(_MOST_WAITING, _WAITING_A_TABLE * tables))


class ProcessPool:
    """A pool that leases processes to tables. `nursery` must outlive them, and `close` ends those not leased.

    It starts as many at once as there are cores, and only for a match whose clocks do not run yet.
    """

    def __init__(
        self,
        commands: Mapping[str, BotCommand],
        nursery: trio.Nursery,
        hello: dict[str, object],
        max_processes: int = MAX_PROCESSES,
    ) -> None:
        self._commands = commands
        self._nursery = nursery
        self._hello = hello
        self._max_processes = max_processes
        # The least recently used one is first.
        self._idle: list[tuple[str, int, BotProcess]] = []
        self._leased: dict[int, int] = {}
        self._off_turn = {bot: BotOffTurn() for bot in commands}
        self._cores = trio.CapacityLimiter(len(os.sched_getaffinity(0)))

    def lease_idle(self, bot: str, replica: int) -> BotProcess | None:
        """Lease a ready process that waits for its next match, and return it, or None if there is none.

        The caller must give it back or discard it.
        """
        for place, (idle_bot, idle_replica, process) in enumerate(self._idle):
            if idle_replica == replica and idle_bot == bot:
                del self._idle[place]
                if process.usable:
                    self._leased[process.pid] = replica
                    return process
                self.discard(process, "ended between matches")
                break
        return None

    async def lease_new(self, bot: str, replica: int) -> BotProcess | StartFailure:
        """Start a process, lease it, and return it, or return why it does not start.

        The caller must give it back or discard it.
        """
        # Only as many at once as there are cores, so that no start-up takes time from another one.
        async with self._cores:
            started = await BotProcess.start(
                self._commands[bot], self._nursery, self._hello, off_turn=self._off_turn[bot]
            )
        if isinstance(started, BotProcess):
            self._leased[started.pid] = replica
        return started

    def give_back(self, process: BotProcess) -> None:
        """Take back a process whose match is over.

        It may serve another match, unless it has become old or large.
        """
        process.matches += max(1, process.seated)
        # What it said at tables that were over later is kept with them.
        if process.seated > 1:
            process.stderr.clear()
        process.seated = 0
        replica = self._leased.pop(process.pid)
        reason = _why_retire(process)
        if reason is not None:
            self.discard(process, reason)
            return
        self._idle.append((process.command.bot, replica, process))
        if len(self._idle) > self._max_processes:
            _, _, oldest = self._idle.pop(0)
            self.discard(oldest, "too many processes")

    def discard(self, process: BotProcess, reason: str) -> None:
        """End a process in the background. It is not used again."""
        self._leased.pop(process.pid, None)
        self._nursery.start_soon(process.end, reason)

    async def close(self, reason: str) -> None:
        """End all idle processes together, and wait until they are gone."""
        idle, self._idle = self._idle, []
        async with trio.open_nursery() as nursery:
            for _, _, process in idle:
                nursery.start_soon(process.end, reason)


def _why_retire(process: BotProcess) -> str | None:
    if not process.usable:
        return "ended after its match"
    if process.matches >= MAX_MATCHES:
        return f"retired after {MAX_MATCHES} matches"
    memory = process.watchdog.memory_bytes
    if memory > max(_MEMORY_FLOOR, _MEMORY_GROWTH * process.memory_at_ready):
        return "its memory has grown too much"
    return None


# Who sits where

Seat: TypeAlias = tuple[int, int]
"""(match, seat): the place of the match among those to be played, and the seat at its table."""


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
        self.found: dict[Seat, BotProcess | StartFailure] = {}

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
