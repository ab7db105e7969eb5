"""The bot processes of one referee: started when first needed, used again, closed when too many.

Match g of a session is always played by replicas g of its bots, and no process ever serves two
replica numbers, so no process sees a board twice. Plays nothing itself.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

import trio

from arena.bot.launch import BotCommand
from arena.bot.off_turn import BotOffTurn
from arena.bot.process import BotProcess, StartFailure
from arena.match.faults import FaultKind

__all__ = ["MAX_MATCHES", "MAX_PROCESSES", "ProcessPool", "most_waiting"]

MAX_PROCESSES = 64
"""Processes that wait for their next match, in one referee of few tables; beyond it the least recently used
is ended."""
MAX_MATCHES = 200
"""Matches after which a process is retired."""
_MOST_WAITING = 512
_WAITING_A_TABLE = 32
_LIMITS = (FaultKind.RESOURCE, FaultKind.FLOOD)
"""What we end a process for ourselves: memory or processor time, and output."""
_MEMORY_GROWTH = 2
_MEMORY_FLOOR = 64 << 20
"""Bytes below which growth is nobody's concern."""


def most_waiting(tables: int) -> int:
    """`max_processes` of a referee with so many tables.

    All matches of a session are over before a process of its first is wanted again. If fewer may wait than
    sat at the tables in between, each is ended just before.
    """
    return max(MAX_PROCESSES, min(_MOST_WAITING, _WAITING_A_TABLE * tables))


class ProcessPool:
    """Leases processes to tables. `nursery` outlives them; `close` ends them all.

    Starts as many at once as there are cores, and only for a match whose clocks do not run yet.
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
        self._idle: list[tuple[str, int, BotProcess]] = []  # least recently used first
        self._leased: dict[int, int] = {}
        self._off_turn = {bot: BotOffTurn() for bot in commands}
        self._overran: list[tuple[str, str]] = []
        self._cores = trio.CapacityLimiter(len(os.sched_getaffinity(0)))

    def lease_idle(self, bot: str, replica: int) -> BotProcess | None:
        """A ready process that waits for its next match, if there is one; the caller gives it back or
        discards it."""
        for place, (idle_bot, idle_replica, process) in enumerate(self._idle):
            if idle_replica == replica and idle_bot == bot:
                del self._idle[place]
                if process.usable:
                    self._leased[process.pid] = replica
                    return process
                self._retire(process, "ended between matches")
                break
        return None

    async def lease_new(self, bot: str, replica: int) -> BotProcess | StartFailure:
        """Start a process, and lease it unless it fails to start. The caller gives it back or discards it."""
        async with self._cores:  # so that no start-up stands in the way of another one
            started = await BotProcess.start(
                self._commands[bot], self._nursery, self._hello, off_turn=self._off_turn[bot]
            )
        if isinstance(started, BotProcess):
            self._leased[started.pid] = replica
        return started

    def give_back(self, process: BotProcess) -> None:
        """The match is over and the process may serve another, unless it has become old or large."""
        process.matches += max(1, process.seated)
        if process.seated > 1:
            process.stderr.clear()  # what was said at tables that were over later is with them
        process.seated = 0
        replica = self._leased.pop(process.pid)
        reason = _why_retire(process)
        if reason is not None:
            self._retire(process, reason)
            return
        self._idle.append((process.command.bot, replica, process))
        if len(self._idle) > self._max_processes:
            _, _, oldest = self._idle.pop(0)
            self._retire(oldest, "too many processes")

    def discard(self, process: BotProcess, reason: str) -> None:
        """End a process in the background."""
        self._leased.pop(process.pid, None)
        self._nursery.start_soon(process.end, reason)

    def take_overran(self) -> list[tuple[str, str]]:
        """Whose process was ended for a limit after its match was over, and why, since the last call.

        (bot id, sentence), one for each process: no record of a match tells of it.
        """
        for idle in [idle for idle in self._idle if idle[2].link.ended is not None]:
            self._idle.remove(idle)
            self._retire(idle[2], "ended between matches")
        overran, self._overran = self._overran, []
        return overran

    def _retire(self, process: BotProcess, reason: str) -> None:
        """Give up a process whose last match is over for it."""
        self._note_overrun(process)
        self.discard(process, reason)

    def _note_overrun(self, process: BotProcess) -> None:
        ended = process.link.ended
        if ended is not None and ended.kind in _LIMITS:
            self._overran.append((process.command.bot, ended.reason))

    async def close(self, reason: str) -> None:
        """End all idle processes, together; returns when they are gone."""
        idle, self._idle = self._idle, []
        for _, _, process in idle:
            self._note_overrun(process)
        async with trio.open_nursery() as nursery:
            for _, _, process in idle:
                nursery.start_soon(process.end, reason)


def _why_retire(process: BotProcess) -> str | None:
    if not process.usable:
        return "ended after its match"
    if process.command.fresh_process:
        return "one process a match"
    if process.matches >= MAX_MATCHES:
        return f"retired after {MAX_MATCHES} matches"
    memory = process.watchdog.memory_bytes
    if memory > max(_MEMORY_FLOOR, _MEMORY_GROWTH * process.memory_at_ready):
        return "its memory has grown too much"
    return None
