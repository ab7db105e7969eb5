"""One run of an open season: find its field, play a phase, and with `follow` go on for ever.

What a phase is, and who plays in it, is `arena.season.arrivals`; who comes meanwhile is made ready by
`arena.runner.newcomers`. Prints nothing and draws no page.
"""

from __future__ import annotations

import trio

from arena.bot.build import Builder
from arena.bot.roll_call import last_words
from arena.runner.coordinator import Ending
from arena.runner.newcomers import Newcomers
from arena.runner.season_run import RunOptions, RunWatcher, SeasonRun
from arena.runner.workshop import AT_ONCE, BotWorkshop
from arena.season.arrivals import Arrivals
from arena.season.opening import OpenSeason, now_ms
from arena.season.phases import unfinished_phase
from arena.store import write
from arena.store.acts import FailedStart
from arena.store.database import Database
from arena.store.history import CUT_SHORT, LogLine

__all__ = ["OpenRun"]


class OpenRun(SeasonRun):
    """A run of an open season."""

    def __init__(
        self, season: OpenSeason, database: Database, options: RunOptions, watcher: RunWatcher
    ) -> None:
        super().__init__(season, database, options, watcher)
        loaded = season.loaded
        self._arrivals = Arrivals(loaded, database, watcher.say)
        self._builder = Builder(loaded.arena_folder / "built", self._building, AT_ONCE)
        workshop = BotWorkshop(loaded, self._arrivals, self._builder, self._placed, self._in_use)
        self._newcomers = Newcomers(self._arrivals, workshop)

    async def _play(self) -> Ending:
        write.interrupt_begun(self._database, self._season.view.number, CUT_SHORT)
        self._enter_sandbox()
        async with trio.open_nursery() as beside:
            beside.start_soon(self._newcomers.keep_looking)
            ending = await self._play_phases()
            beside.cancel_scope.cancel()
        return ending

    async def _play_phases(self) -> Ending:
        while True:
            begun = unfinished_phase(self._database) is not None
            if not begun and (why := self._arrivals.closed):
                self._watcher.say(f"{why}; no further phase of it is played")
                return Ending.COMPLETE
            if not begun and not await self._begin_phase():
                if not self._options.follow:
                    return Ending.COMPLETE
                await self._newcomers.other_bots()
                continue
            ending = await self._go_on()
            if ending is not Ending.COMPLETE or not self._options.follow:
                return ending

    async def _begin_phase(self) -> bool:
        """Find out who is there and ready, and open a phase. Return False if there are too few."""
        self._newcomers.try_again()
        if self._options.follow:
            await self._newcomers.enough_ready()
        else:
            await self._newcomers.all_ready()
        found = self._arrivals.field()
        tried = {entry.bot: entry for entry in (*found.entries, *found.instead.values())}
        failed = await self._called(self._placed(self._arrivals.commands(tried.values())))
        self._arrivals.failed(
            {entry: FailedStart(failure.reason, last_words(failure)) for entry, failure in failed.items()}
        )
        return self._arrivals.begin(found.without(failed))

    async def _go_on(self) -> Ending:
        """Play the phase that was begun, from wherever it is."""
        found = unfinished_phase(self._database)
        assert found is not None, "a phase was begun"
        phase, deals = found
        self._season = self._arrivals.season()
        self._director = self._new_director(self._arrivals.changes)
        agenda = self._directed(phase)
        ready = {command.bot for command in self._commands}
        if agenda.matches_left and not ready.issuperset(command.bot for command in self._season.commands):
            self._arrivals.keep_copies()
            await self._called(self._placed(self._season.commands))
        ending = await self._play_phase(phase, deals, agenda)
        if ending is Ending.COMPLETE:
            self._arrivals.rose(phase)
        return ending

    def _in_use(self) -> frozenset[str]:
        """Return the folders that the bots of the phase are started in."""
        return frozenset(command.folder for command in self._commands)

    def _building(self, said: str) -> None:
        write.log(self._database, LogLine(now_ms(), "info", "build", said))
        self._watcher.say(said)
