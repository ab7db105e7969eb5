"""One run of an open season: find its field, play a stretch, and with `follow` go on for ever.

What a stretch is, and who plays in it, is `arena.season.arrivals`. Prints nothing and draws no page.
"""

from __future__ import annotations

from collections.abc import Sequence

import trio

from arena.conduct.disqualify import Ruling
from arena.run.coordinator import Ending
from arena.run.season_run import RunOptions, RunWatcher, SeasonRun, agenda_of
from arena.season.arrivals import Arrivals
from arena.season.director import Director
from arena.season.open_field import Candidate
from arena.season.opening import OpenSeason
from arena.season.stretches import unfinished_stretch
from arena.store.history import CUT_SHORT
from arena.store.reader import Reader
from arena.store.writer import Writer

__all__ = ["OpenRun"]

REST_SECONDS = 5.0
"""A stranger's folder is taken when two looks at it, so far apart, find the same."""
LOOK_SECONDS = 30.0
"""The time between two looks for changes while nothing is played."""


class OpenRun(SeasonRun):
    """A run of an open season."""

    def __init__(
        self, season: OpenSeason, reader: Reader, writer: Writer, options: RunOptions, watcher: RunWatcher
    ) -> None:
        super().__init__(season, reader, writer, options, watcher)
        self._arrivals = Arrivals(season.loaded, reader, writer, watcher.say)

    async def _play(self) -> Ending:
        self._writer.interrupt_begun(self._season.view.number, CUT_SHORT)
        self._enter_sandbox()
        while True:
            begun = unfinished_stretch(self._reader) is not None
            if not begun and (why := self._arrivals.closed):
                self._watcher.say(f"{why}; no further stretch of it is played")
                return Ending.COMPLETE
            if not begun and not await self._begin_stretch():
                if not self._options.follow:
                    return Ending.COMPLETE
                await trio.sleep(LOOK_SECONDS)
                continue
            ending = await self._go_on()
            if ending is not Ending.COMPLETE or not self._options.follow:
                return ending

    async def _begin_stretch(self) -> bool:
        """Find out who is there and ready, and open a stretch. Return False if there are too few."""
        found = self._arrivals.field(await self._rested())
        tried = {entry.bot: entry for entry in (*found.entries, *found.instead.values())}
        failed = await self._called(self._placed(self._arrivals.commands(tried.values())))
        self._arrivals.failed({entry: failure.reason for entry, failure in failed.items()})
        return self._arrivals.begin(found.without(failed))

    async def _rested(self) -> list[Candidate]:
        """Return the bots that are there, without the folders that are being changed right now."""
        seen = self._arrivals.candidates()
        if not self._arrivals.unknown(seen):
            return seen
        await trio.sleep(REST_SECONDS)
        again = self._arrivals.candidates()
        restless = {one.bot.id for one in self._arrivals.unknown(again) if one not in seen}
        self._arrivals.unrest(restless)
        return [one for one in again if one.bot.id not in restless]

    async def _go_on(self) -> Ending:
        """Play the stretch that was begun, from wherever it is."""
        found = unfinished_stretch(self._reader)
        assert found is not None, "a stretch was begun"
        stretch, deals = found
        self._season = self._arrivals.season()
        self._director = Director(
            self._season, self._reader, self._writer, self._watcher.say, self._watcher.compared, self._changes
        )
        agenda = agenda_of(self._season.plan, stretch, self._reader)
        ready = {command.bot for command in self._commands}
        if agenda.matches_left and not ready.issuperset(command.bot for command in self._season.commands):
            self._arrivals.keep_copies()
            await self._called(self._placed(self._season.commands))
        return await self._play_stretch(stretch, deals, agenda)

    def _changes(self, rulings: Sequence[Ruling]) -> str:
        return self._arrivals.changes(rulings)
