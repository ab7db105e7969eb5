"""One run of an open season: find its field, play a phase, and with `follow` go on for ever.

Who plays in a phase is found by `arena.runner.arrivals`; who comes meanwhile is made ready by
`arena.runner.newcomers`. Prints nothing and draws no page.
"""

from __future__ import annotations

import trio

from arena.bot.build import Builder
from arena.bot.roll_call import last_words
from arena.runner.arrivals import Arrivals
from arena.runner.coordinator import Ending
from arena.runner.newcomers import AT_ONCE, Newcomers, Workshop
from arena.runner.results import RunWatcher
from arena.runner.season_run import RunOptions, SeasonRun
from arena.runner.seasons import OpenSeason, unfinished_phase
from arena.season.agenda import Agenda
from arena.season.opening import now_ms
from arena.store import write
from arena.store.acts import FailedStart
from arena.store.database import Database
from arena.store.history import LogLine
from arena.store.views import PhaseView


class OpenRun(SeasonRun):
    """A run of an open season."""

    def __init__(
        self, season: OpenSeason, database: Database, options: RunOptions, watcher: RunWatcher
    ) -> None:
        super().__init__(season, database, options, watcher)
        loaded = season.loaded
        self._arrivals = Arrivals(loaded, database, watcher.say)
        self._builder = Builder(loaded.arena_folder / "built", self._building, AT_ONCE)
        workshop = Workshop(loaded, self._arrivals, self._builder, self._placed, self._in_use)
        self._newcomers = Newcomers(self._arrivals, workshop)
        self._has_played = False

    async def _play_phases(self) -> Ending:
        self._enter_sandbox()
        async with trio.open_nursery() as beside:
            beside.start_soon(self._newcomers.keep_looking)
            ending = await super()._play_phases()
            beside.cancel_scope.cancel()
        return ending

    async def _begin_phase(self) -> bool:
        if self._has_played and not self._options.follow:
            return False
        while unfinished_phase(self._database) is None:
            if why := self._arrivals.closed:
                self._watcher.say(f"{why}; no further phase of it is played")
                return False
            if await self._begin_next():
                break
            if not self._options.follow:
                return False
            await self._newcomers.other_bots()
        return True

    def _another_follows(self) -> bool:
        return self._options.follow or super()._another_follows()

    async def _begin_next(self) -> bool:
        """Find out who is there and ready, and open a phase. Return False if there are too few."""
        self._newcomers.try_again()
        if self._options.follow:
            await self._newcomers.enough_ready()
        else:
            await self._newcomers.all_ready()
        found = self._arrivals.field()
        tried = {entry.bot: entry for entry in found.tried}
        failed = await self._called(self._placed(self._arrivals.commands(tried.values())))
        self._arrivals.failed(
            {entry: FailedStart(failure.reason, last_words(failure)) for entry, failure in failed.items()}
        )
        return self._arrivals.begin(found.without(failed))

    async def _go_on(self) -> Ending:
        self._has_played = True
        return await super()._go_on()

    def _meet(self, phase: PhaseView) -> None:
        self._season = self._arrivals.season()
        self._director = self._new_director(self._arrivals.changes)

    async def _start_bots(self, agenda: Agenda) -> None:
        """Start the bots of a phase that an earlier run has begun. Those of a new one have been started."""
        ready = {command.bot for command in self._commands}
        if not ready.issuperset(command.bot for command in self._season.commands):
            self._arrivals.keep_copies()
            await self._called(self._placed(self._season.commands))

    def _in_use(self) -> frozenset[str]:
        """Return the folders that the bots of the phase are started in."""
        return frozenset(command.folder for command in self._commands)

    def _building(self, said: str) -> None:
        write.log(self._database, LogLine(now_ms(), "info", "build", said))
        self._watcher.say(said)
