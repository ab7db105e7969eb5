"""One run of a league, from its file to its last match: open the season, call the roll, play its stretches.

Prints nothing and writes no page; whoever calls is told through a `Watcher`.
"""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from importlib.metadata import version

import trio

from arena.agenda import Agenda, Played
from arena.coordinator import Coordinator, Ending, Settings, Watcher
from arena.deals import Deals
from arena.errors import BotsBroken
from arena.jobs import Setup
from arena.league.reader import LoadedLeague
from arena.one_error import one_error
from arena.record import Terms
from arena.roll_call import call_the_roll, causes
from arena.season import OpenSeason, now_ms, open_season, open_stretch
from arena.store.database import Database
from arena.store.lock import RunLock
from arena.store.reader import Reader
from arena.store.views import Reported, StretchView
from arena.store.writer import Writer

__all__ = ["RunOptions", "RunWatcher", "run_league"]

_COMPLETE = "its cycles were played"


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What the organiser asked for on the command line.

    `new_season`: why a new season is begun, or None. `allow_broken`: whether bots that are not ready
    are replaced by the stand-in from the start. `jobs`: referee processes, None as in the league
    file. `refresh` writes the pages; it is called in a thread.
    """

    new_season: str | None = None
    allow_broken: bool = False
    jobs: int | None = None
    refresh: Callable[[], object] | None = None


class RunWatcher(Watcher):
    """A watcher that is also told what is about to be played."""

    def opened(self, season: OpenSeason) -> None:
        """The season is open and its bots are copied."""

    def stretch(self, stretch: StretchView, matches_left: int) -> None:
        """This stretch is played now; its commitment was stored before."""


def run_league(loaded: LoadedLeague, options: RunOptions, watcher: RunWatcher) -> Ending:
    """Play what the league file asks for and is not played yet.

    Raises ArenaError in all its kinds, see `arena.errors`; whatever was played by then is stored.
    """
    with RunLock(loaded.lock), Database.open(loaded.database, create=True) as database:
        reader, writer = Reader(database), Writer(database)
        season = open_season(loaded, reader, writer, options.new_season)
        watcher.opened(season)
        return trio.run(_Run(season, reader, writer, options, watcher).play)


def _stop_signals() -> list[signal.Signals]:
    """What stops a run; not what the caller has it ignore, as nohup does with the end of the terminal."""
    polite = (signal.SIGINT, signal.SIGHUP)
    return [signal.SIGTERM, *(number for number in polite if signal.getsignal(number) != signal.SIG_IGN)]


class _Run:
    def __init__(
        self, season: OpenSeason, reader: Reader, writer: Writer, options: RunOptions, watcher: RunWatcher
    ) -> None:
        self._season = season
        self._reader = reader
        self._writer = writer
        self._options = options
        self._watcher = watcher
        self._league = season.loaded.league
        self._arena = version("papayoo-arena")
        self._coordinator: Coordinator | None = None

    async def play(self) -> Ending:
        """Stretch after stretch, until nothing is left or the run is stopped."""
        ending = Ending.IDLE
        with one_error(), trio.open_signal_receiver(*_stop_signals()) as signals:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._heed, signals, nursery.cancel_scope)
                ending = await self._play()
                nursery.cancel_scope.cancel()
        return ending

    async def _heed(self, signals: AsyncIterator[int], everything: trio.CancelScope) -> None:
        async for _ in signals:
            if self._coordinator is None:
                everything.cancel()
            else:
                await self._coordinator.stop()

    async def _play(self) -> Ending:
        self._writer.interrupt_begun(self._season.view.number, "the run before did not end in order")
        called = False
        while (found := open_stretch(self._season, self._reader, self._writer)) is not None:
            stretch, deals = found
            agenda = self._agenda(stretch)
            if agenda.matches_left and not called:
                await self._roll_call()
                called = True
            self._watcher.stretch(stretch, agenda.matches_left)
            ending = await self._play_stretch(stretch, deals, agenda)
            if ending is not Ending.COMPLETE:
                return ending
            self._writer.end_stretch(stretch.season, stretch.number, _COMPLETE, now_ms())
        return Ending.COMPLETE

    def _agenda(self, stretch: StretchView) -> Agenda:
        number = stretch.season
        played = Played(
            self._reader.session_states(number),
            self._reader.finished(number),
            self._reader.attempts(number),
            self._reader.aborted_counts(number),
        )
        return Agenda(self._season.plan, stretch.cycles_planned, played)

    async def _play_stretch(self, stretch: StretchView, deals: Deals, agenda: Agenda) -> Ending:
        if self._options.refresh is not None:
            await trio.to_thread.run_sync(self._options.refresh)
        settings = Settings(
            season=stretch.season,
            stretch=stretch.number,
            bots=self._season.bots,
            setups=self._setups(len(agenda)),
            logs=self._season.loaded.arena_folder,
            refresh=self._options.refresh,
            refresh_seconds=self._league.report.refresh_seconds,
        )
        self._coordinator = Coordinator(settings, deals, agenda, self._writer, self._watcher)
        try:
            return await self._coordinator.run()
        finally:
            self._coordinator = None

    async def _roll_call(self) -> None:
        commands = self._season.commands
        roll = await call_the_roll(commands, self._arena)
        for bot, ready in roll.ready.items():
            said = Reported(ready.name, ready.version, ready.language or "", ready.author or "")
            self._writer.reported(self._season.view.number, bot, said)
        if not roll.failed:
            return
        table = causes(commands, roll.failed)
        if not self._options.allow_broken:
            raise BotsBroken(
                f"{len(roll.failed)} of {len(commands)} bots are not ready; no match was played.\n{table}\n"
                "Mend them, or play on with the stand-in in their seats: --allow-broken"
            )
        self._watcher.say(f"not ready, the stand-in plays for them:\n{table}")

    def _setups(self, sessions: int) -> tuple[Setup, ...]:
        process = self._league.process
        cores = sorted(os.sched_getaffinity(0))
        asked = len(cores) if process.jobs == "auto" else process.jobs
        jobs = max(1, min(self._options.jobs or asked, sessions))
        pinned = process.pin == "auto" or process.pin
        return tuple(self._setup(cores[job % len(cores)] if pinned else None) for job in range(jobs))

    def _setup(self, core: int | None) -> Setup:
        league = self._league
        terms = Terms(
            league.time.move_ms, league.time.bank_ms, league.faults.fault_points, league.faults.max_faults
        )
        names = {bot.id: bot.name for bot in league.bots} if league.league.show_names else None
        return Setup(
            commands=self._season.commands,
            terms=terms,
            rounds=league.league.rounds,
            names=names,
            core=core,
            together=core is None,
            arena=self._arena,
        )
