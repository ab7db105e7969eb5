"""Several sessions at the same time in one referee: their first matches together, then the second ones, ...

Match g of each session is played by replicas g of the bots, so a process can play match g of many
sessions at once and still never sees a board twice. A process sits at as many of these tables as it said
it would and as are allowed, but never at two seats of one. Plays no card: `Hall` does.
"""

from __future__ import annotations

import time
import traceback
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import trio

from arena.bot.even_shares import EvenShares
from arena.bot.process import BotProcess, StartFailure
from arena.deals import Deals
from arena.match.stand_in import STAND_IN, from_deals
from arena.referee.hall import Hall
from arena.referee.jobs import Aborted, Begun, Finished, JobMessage, MatchJob, SessionDone, SessionJob, Setup
from arena.referee.match_setup import match_setup
from arena.referee.replicas import Replicas
from arena.referee.table import Player, Table

__all__ = ["Outside", "Seat", "SharedSeats", "SideBySide", "gather"]

GATHER_SECONDS = 0.1
"""How long to wait for one more session before those that are there are begun."""


async def gather(jobs: trio.MemoryReceiveChannel[SessionJob], most: int) -> list[SessionJob]:
    """The next sessions, those that follow one another closely; none when there will be no more."""
    together: list[SessionJob] = []
    patience = float("inf")
    while len(together) < most:
        with trio.move_on_after(patience) as waited:
            try:
                together.append(await jobs.receive())
            except trio.EndOfChannel:
                break
        if waited.cancelled_caught:
            break
        patience = GATHER_SECONDS
    return together


@dataclass(frozen=True, slots=True)
class Outside:
    """What a referee is needed for: to send messages, to tell who a bot is, and whether to begin no more."""

    send: Callable[[JobMessage], Awaitable[None]]
    introduce: Callable[[str, BotProcess | StartFailure], Awaitable[None]]
    stopping: Callable[[], bool]


class SideBySide:
    """Plays sessions together, as a `Referee` with `tables` above 1 does."""

    def __init__(self, setup: Setup, replicas: Replicas, outside: Outside) -> None:
        self._setup = setup
        self._replicas = replicas
        self._outside = outside

    async def play(self, sessions: Sequence[SessionJob]) -> None:
        """Play them to their ends, or until the referee is to begin no more."""
        deals = {key: Deals(bytes.fromhex(key)) for key in {job.deals_key for job in sessions}}
        left = [{match.key.order: match for match in job.matches} for job in sessions]
        for order in sorted({order for matches in left for order in matches}):
            if self._outside.stopping():
                return
            now = [
                (deals[job.deals_key], matches[order])
                for job, matches in zip(sessions, left, strict=True)
                if order in matches
            ]
            await _HallRun(self._setup, self._replicas, self._outside).play(now)
        for job in sessions:
            await self._outside.send(SessionDone(job.cycle, job.index))


class _HallRun:
    """The matches of one hall, from finding their processes to letting go of them."""

    def __init__(self, setup: Setup, replicas: Replicas, outside: Outside) -> None:
        self._setup = setup
        self._outside = outside
        self._seats = SharedSeats(replicas, setup.tables, outside.introduce)
        self._jobs: dict[Table, MatchJob] = {}
        self._unfinished: list[MatchJob] = []
        self._cpu = EvenShares()
        self._began = 0.0

    async def play(self, matches: Sequence[tuple[Deals, MatchJob]]) -> None:
        self._unfinished = [job for _, job in matches]
        await self._outside.send(Begun(tuple(job.key for job in self._unfinished)))
        try:
            await self._seats.find(self._unfinished)
            await self._play(matches)
        except Exception as error:  # an error of ours: the matches are not the bots' to lose
            self._seats.release("its matches were given up")
            for job in self._unfinished:
                await self._outside.send(Aborted(job.key, _first_cause(error)))
        except BaseException:
            self._seats.release("its matches were given up")
            raise
        else:
            self._seats.release()

    async def _play(self, matches: Sequence[tuple[Deals, MatchJob]]) -> None:
        tables = [self._table(number, *match) for number, match in enumerate(matches)]
        cpu_ns = time.process_time_ns()
        for _ in tables:
            self._began = self._cpu.join(cpu_ns)
        async with trio.open_nursery() as self._sending:
            await Hall(self._over, self._failed, together=self._setup.together).play(tables)

    def _table(self, number: int, deals: Deals, job: MatchJob) -> Table:
        found = self._seats.found
        players = [Player(bot, found.get((number, seat))) for seat, bot in enumerate(job.seats)]
        setup = match_setup(self._setup, deals, job)
        chooser = from_deals(deals, job.key)
        table = Table(setup, chooser, players, self._seats.leave, together=self._setup.together)
        self._jobs[table] = job
        return table

    def _over(self, table: Table) -> None:
        job = self._jobs[table]
        record = table.record(job.key, self._setup.sandbox)
        self._unfinished.remove(job)
        cpu_us = self._cpu.leave(time.process_time_ns(), self._began) // 1000
        self._sending.start_soon(self._outside.send, Finished(record, cpu_us))

    def _failed(self, table: Table, reason: str) -> None:
        job = self._jobs[table]
        self._seats.leave_match(list(self._jobs).index(table), "a match of it was given up")
        self._unfinished.remove(job)
        self._cpu.leave(time.process_time_ns(), self._began)
        self._sending.start_soon(self._outside.send, Aborted(job.key, reason))


def _first_cause(error: BaseException) -> str:
    """The traceback of an error, of the first one where nurseries have gathered several."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return "".join(traceback.format_exception(error))


Seat: TypeAlias = tuple[int, int]
"""A match, by its place among those to be played, and a seat at its table."""
Found: TypeAlias = BotProcess | StartFailure


@dataclass(slots=True)
class _Leased:
    """A process and the matches it sits in. `leave`: why it is not to be used again."""

    process: BotProcess
    matches: set[int] = field(default_factory=set)
    leave: str = ""


class SharedSeats:
    """The processes of one hall. `find` once, `release` once in any case."""

    def __init__(
        self, replicas: Replicas, tables: int, introduce: Callable[[str, Found], Awaitable[None]]
    ) -> None:
        self._replicas = replicas
        self._tables = tables
        self._introduce = introduce
        self._leased: dict[int, _Leased] = {}
        self.found: dict[Seat, Found] = {}

    async def find(self, matches: Sequence[MatchJob]) -> None:
        """Find or start what sits at every seat, into `found`; bots start at the same time.

        A failure to start is one seat's alone: for the next one the bot is started again.
        """
        seats: defaultdict[tuple[str, int], list[Seat]] = defaultdict(list)
        for number, job in enumerate(matches):
            for seat, bot in enumerate(job.seats):
                if bot != STAND_IN:
                    seats[bot, job.key.order].append((number, seat))
        async with trio.open_nursery() as nursery:
            for (bot, replica), wanted in seats.items():
                nursery.start_soon(self._find, bot, replica, wanted)

    async def _find(self, bot: str, replica: int, wanted: list[Seat]) -> None:
        ours: list[_Leased] = []
        for number, seat in wanted:
            leased = next((one for one in ours if self._has_room(one, number)), None)
            if leased is None:
                found = await self._replicas.lease(bot, replica)
                if isinstance(found, StartFailure):
                    self.found[number, seat] = found
                    continue
                leased = self._leased[found.pid] = _Leased(found)
                ours.append(leased)
                await self._introduce(bot, found)
            leased.matches.add(number)
            self.found[number, seat] = leased.process

    def _has_room(self, leased: _Leased, number: int) -> bool:
        ready, command = leased.process.ready, leased.process.command
        said = 1 if ready is None or command.fresh_process else ready.tables
        return number not in leased.matches and len(leased.matches) < min(said, self._tables)

    def leave(self, process: BotProcess, reason: str) -> None:
        """A match of it is over before its end: it is not used again, and ended when it plays no other."""
        leased = self._leased[process.pid]
        leased.leave = leased.leave or reason
        if not process.plays:
            self._let_go(process)

    def leave_match(self, number: int, reason: str) -> None:
        """The same for all processes of a match; they may be in the middle of it."""
        for leased in [one for one in self._leased.values() if number in one.matches]:
            leased.leave = leased.leave or reason

    def release(self, reason: str = "") -> None:
        """All matches are over. With a reason, no process is used again."""
        for leased in list(self._leased.values()):
            leased.leave = leased.leave or reason
            self._let_go(leased.process)

    def _let_go(self, process: BotProcess) -> None:
        leased = self._leased.pop(process.pid)
        if leased.leave:
            self._replicas.discard(process, leased.leave)
        else:
            self._replicas.give_back(process)
