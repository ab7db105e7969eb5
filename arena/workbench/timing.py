"""The speed of one bot: real matches through real referees, the stand-in at all other seats. Prints nothing.

The stand-in has no process, so every question waits for the bot alone, and only the bot and its pipes are
measured. Each referee is pinned to a core with its bot, as in a league.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import count
from pathlib import Path
from statistics import median

import trio

from arena.bot.process import BotProcess, StartFailure
from arena.bot.roll_call import causes
from arena.deals import MatchKey, StretchDeals, seeded_secret
from arena.errors import BotsBroken, InternalError, one_error
from arena.linux.alarm import run
from arena.linux.process_tree import below, resident_bytes
from arena.linux.strays import adopting_orphans
from arena.match.record import MatchRecord, Terms
from arena.match.stand_in import STAND_IN
from arena.referee.jobs import Aborted, Finished, MatchJob, SessionDone, SessionJob, Setup, Stop
from arena.run.referee_client import RefereeClient
from arena.run.referees import End
from arena.workbench.bots import Bot
from protocol.messages import PROTOCOL

__all__ = ["Load", "Plan", "Timing", "time_bot"]

_STARTS = 3
_AHEAD = 2
"""Sessions that a referee knows of, so that it never waits for the next one."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of the measurements.

    `seconds`: the length of each of the two. `tables`: the tables at once in the second.
    """

    seats: int
    seconds: float
    tables: int
    terms: Terms


@dataclass(slots=True)
class Load:
    """The measurement of `tables` tables at once, with a process for each.

    `cpu_us`: processor time in microseconds. `memory`: the most resident bytes of one process and its
    children.
    """

    tables: int
    began: int = 0
    ended: int = 0
    """The first match's beginning and the last one's end, in milliseconds since 1970."""
    took_us: list[int] = field(default_factory=list)
    """The time of every decision, in microseconds."""
    cpu_us: int = 0
    memory: int = 0
    faults: list[str] = field(default_factory=list)
    """The reasons of the faults, in words."""

    @property
    def per_second(self) -> float:
        """Return the decisions a second, all tables together."""
        return 1000 * len(self.took_us) / max(1, self.ended - self.began)

    def quantile(self, share: float) -> int:
        """Return the time in microseconds within which this share of the decisions was made."""
        ordered = sorted(self.took_us)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0

    def add(self, record: MatchRecord) -> None:
        """Add a match in which the bot sat at one seat."""
        (of_bot,) = (seat for seat in record.seats if seat.bot != STAND_IN)
        self.began = min(self.began or record.started_at, record.started_at)
        self.ended = max(self.ended, record.finished_at)
        # The stand-in's decisions take no time.
        self.took_us += [took for played in record.rounds for took in played.took_us if took]
        self.cpu_us += of_bot.cpu_us or 0
        self.faults += [f"{fault.kind.value}: {fault.reason}" for fault in record.faults]
        self.memory = max(self.memory, resident_bytes(member.pid for member in below(of_bot.pid)))


@dataclass(frozen=True, slots=True)
class Timing:
    """The measurements of a bot: at one table, and at several.

    `start_seconds`: the median of several starts. `ready_memory`: the most bytes that it used when ready.
    """

    bot: Bot
    plan: Plan
    start_seconds: float
    ready_memory: int
    one: Load
    many: Load


def time_bot(bot: Bot, plan: Plan, done: Callable[[], object] = lambda: None) -> Timing:
    """Measure a bot: its starts, one table, several tables. `done` is called after each of these parts.

    Raises BotsBroken if the bot does not start.
    """
    with one_error(), adopting_orphans():
        return run(_time, bot, plan, done)


async def _time(bot: Bot, plan: Plan, done: Callable[[], object]) -> Timing:
    starts = [await _start(bot) for _ in range(_STARTS)]
    done()
    one = await _load(bot, plan, 1)
    done()
    many = await _load(bot, plan, plan.tables) if plan.tables > 1 else one
    done()
    seconds = median(seconds for seconds, _ in starts)
    return Timing(bot, plan, seconds, max(memory for _, memory in starts), one, many)


async def _start(bot: Bot) -> tuple[float, int]:
    """Return the seconds until the bot was ready, and its memory in bytes then."""
    hello: dict[str, object] = {"protocol": PROTOCOL, "arena": version("papayoo-arena"), "tables_max": 1}
    async with trio.open_nursery() as nursery:
        began = trio.current_time()
        process = await BotProcess.start(bot.command, nursery, hello)
        took = trio.current_time() - began
        if isinstance(process, StartFailure):
            table = causes([bot.command], {bot.command.bot: process})
            raise BotsBroken(f"the bot is not ready; nothing was measured.\n{table}")
        await process.end("its start was measured")
        nursery.cancel_scope.cancel()
    return took, process.memory_at_ready


async def _load(bot: Bot, plan: Plan, tables: int) -> Load:
    load = Load(tables)
    # The last cores first: the system's own work gathers on the first.
    cores = sorted(os.sched_getaffinity(0), reverse=True)
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        async with trio.open_nursery() as nursery:
            for number in range(tables):
                setup = _setup(bot, plan, cores[number % len(cores)])
                log = Path(folder) / f"referee-{number}.log"
                nursery.start_soon(_table, setup, plan, _sessions(bot, plan.seats, number), log, load)
    return load


async def _table(setup: Setup, plan: Plan, jobs: Iterator[SessionJob], log: Path, load: Load) -> None:
    """Run one referee with its own process of the bot until the time is up."""
    client = RefereeClient(log, 0, setup, host=0)
    try:
        for _ in range(_AHEAD):
            await client.send(next(jobs))
        until = trio.current_time() + plan.seconds
        async with aclosing(client.messages()) as messages:
            async for message in messages:
                match message:
                    case Finished(record):
                        load.add(record)
                    case Aborted(reason=reason):
                        raise InternalError(f"a match was given up: {reason}")
                    case SessionDone():
                        await client.send(next(jobs) if trio.current_time() < until else Stop())
    finally:
        ended = await client.close()
    if ended.end is not End.IN_ORDER:
        raise InternalError(f"{ended.how}{ended.last_words}")


def _setup(bot: Bot, plan: Plan, core: int) -> Setup:
    level = bot.command.sandbox.level.value if bot.command.sandbox is not None else "off"
    arena = version("papayoo-arena")
    return Setup((bot.command,), plan.terms, 1, None, core, together=False, arena=arena, sandbox=level)


def _sessions(bot: Bot, seats: int, number: int) -> Iterator[SessionJob]:
    """Yield sessions of one match without end; the bot sits at every seat in turn."""
    stretch = StretchDeals(seeded_secret("arena bench", number))
    for index in count():
        row = [STAND_IN] * seats
        row[index % seats] = bot.command.bot
        deals = stretch.session(0, index)
        match = MatchJob(MatchKey(0, index, 0), tuple(row))
        yield SessionJob(0, index, deals.key.hex(), (match,))
