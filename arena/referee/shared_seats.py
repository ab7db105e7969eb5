"""Finds the processes for several matches that are played at the same time, of different sessions.

A process sits at as many of these tables as it said it would and as are allowed, but never at two seats
of one. All matches have the same number in their sessions, hence the same replicas. Plays nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import trio

from arena.bot.process import BotProcess, StartFailure
from arena.match.stand_in import STAND_IN
from arena.referee.jobs import MatchJob
from arena.referee.replicas import Replicas

__all__ = ["Seat", "SharedSeats"]

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
