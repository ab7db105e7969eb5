"""One run of a league, from its file to its last match: open the season, call the roll, play its stretches.

Prints nothing and draws no page: `arena.run.pages` writes the pages, and a `Watcher` hears how the run goes.
"""

from __future__ import annotations

import math
import os
import signal
import time
from collections.abc import AsyncIterator, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path

import trio

from arena.bot.build import build_all
from arena.bot.roll_call import call_the_roll, causes, not_ready
from arena.bot.snapshot import Snapshot, is_intact
from arena.deals import StretchDeals
from arena.errors import BotsBroken, UsageError, one_error
from arena.league.house import field_of
from arena.league.reader import LoadedLeague
from arena.linux.cgroups import open_home
from arena.linux.leftovers import end_leftovers, mark_of
from arena.linux.machine import SUBJECT as MACHINE
from arena.linux.machine import this_machine
from arena.linux.strays import adopting_orphans
from arena.match.record import Terms
from arena.match.stand_in import STAND_IN, STAND_IN_NAME
from arena.referee.jobs import Setup
from arena.run.coordinator import Coordinator, Ending, Settings
from arena.run.guard import while_there
from arena.run.pages import keep_writing, refresh_pages
from arena.run.results import Watcher
from arena.sandbox import Failure
from arena.sandbox.of_league import NONE, check_sandbox, league_sandbox, talkative, unprotected
from arena.schedule import Plan
from arena.season.agenda import OVER, Agenda, Played
from arena.season.director import Director
from arena.season.forecast import referee_count
from arena.season.opening import OpenSeason, now_ms, open_season, open_stretch, why_nothing_is_left
from arena.season.shards import Shard, undecided
from arena.standings import Answer, NoLook
from arena.store.database import Database
from arena.store.history import CUT_SHORT, TIME_IS_UP, LogLine
from arena.store.lock import RunLock
from arena.store.migration import bring_up_to_date
from arena.store.reader import Reader
from arena.store.views import Reported, StretchView
from arena.store.writer import Writer

__all__ = ["RunOptions", "RunWatcher", "begin_league", "run_league"]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The organiser's choices on the command line.

    `new_season`: why a new season is begun, or None. `allow_broken`: whether the stand-in plays from the
    start for bots that are not ready. `jobs`: the number of referee processes, or None to take it from the
    league file. `pages`: whether pages are written during the run. `sandbox`: "auto", "require" or "off" for
    this run, or None to take it from the league file. `shard`: the part of the league that is played; its
    database must have been prepared (`arena.season.shards`).
    """

    new_season: str | None = None
    allow_broken: bool = False
    jobs: int | None = None
    pages: bool = False
    sandbox: str | None = None
    shard: Shard | None = None


class RunWatcher(Watcher):
    """A watcher that is also told what is about to be played."""

    def opened(self, season: OpenSeason) -> None:
        """Take note that the season is open and its bots are copied."""

    def stretch(self, stretch: StretchView, planned: int, matches_left: int) -> None:
        """Take note that this stretch is played now; its deals were committed to before.

        `planned`: its matches. `matches_left`: the matches that are not over. Where only a part of the league
        is played, both count that part.
        """

    def compared(self, answer: Answer | NoLook) -> None:
        """Take note of a gauntlet's answer after one more cycle."""


def run_league(loaded: LoadedLeague, options: RunOptions, watcher: RunWatcher) -> Ending:
    """Play what the league file asks for and is not played yet, and return how the run ended.

    Raises every kind of ArenaError, see `arena.errors`; whatever was reported by then is stored.
    """
    check_sandbox(loaded, _sandbox_mode(loaded, options))
    with _locked(loaded.locks) as locks, _opened(loaded, watcher) as database:
        reader, writer = Reader(database), Writer(database)
        season = open_season(loaded, reader, writer, options.new_season)
        _tell_of(season, watcher)
        _note_machine(season, reader, writer)
        season = _in_groups(season)
        _end_leftovers(loaded, writer, watcher)
        with adopting_orphans():
            play = _Run(season, reader, writer, options, watcher).play
            ending = trio.run(while_there, play, (database.lost, *(lock.lost for lock in locks)))
        _tell_of_changed_copies(season, writer, watcher)
        return ending


def _tell_of(season: OpenSeason, watcher: RunWatcher) -> None:
    watcher.opened(season)
    if season.remark:
        watcher.say(season.remark)


def _sandbox_mode(loaded: LoadedLeague, options: RunOptions) -> str:
    return options.sandbox or loaded.league.sandbox.mode


def begin_league(loaded: LoadedLeague, new_season: str | None, watcher: RunWatcher) -> str:
    """Open the season and commit to its deals, but play nothing, so that parts can share season and deals.

    Returns what to tell when nothing is left to play, else an empty text. Raises what `run_league` raises.
    """
    with _locked(loaded.locks), _opened(loaded, watcher) as database:
        reader, writer = Reader(database), Writer(database)
        season = open_season(loaded, reader, writer, new_season)
        _tell_of(season, watcher)
        found = open_stretch(season, reader, writer)
        if found is None:
            all_played = "nothing is left to play; for more, raise [schedule] cycles"
            return why_nothing_is_left(season, reader) or all_played
        stretch, _ = found
        agenda = _agenda(season.plan, stretch, reader)
        watcher.stretch(stretch, agenda.planned, agenda.matches_left)
        return ""


def _agenda(plan: Plan, stretch: StretchView, reader: Reader, shard: Shard | None = None) -> Agenda:
    number = stretch.season
    played = Played(
        reader.session_states(number),
        reader.finished(number),
        reader.attempts(number),
        reader.aborted_counts(number),
    )
    return Agenda(plan, stretch.cycles_planned, played, held=True, shard=shard)


@contextmanager
def _locked(paths: Iterable[Path]) -> Iterator[list[RunLock]]:
    with ExitStack() as stack:
        yield [stack.enter_context(RunLock(path)) for path in paths]


def _opened(loaded: LoadedLeague, watcher: Watcher) -> Database:
    """Open the league's database, which is locked, for a run; an older one is brought up to date first."""
    if said := bring_up_to_date(loaded.database):
        watcher.say(said)
    return Database.open(loaded.database, create=True)


def _note_machine(season: OpenSeason, reader: Reader, writer: Writer) -> None:
    """Log the machine: once a season, and again when the season goes on elsewhere or in other versions."""
    said = this_machine(season.loaded.path.name).to_text()
    noted = [
        line.text for line in reader.logs() if line.subject == MACHINE and line.at >= season.view.opened_at
    ]
    if not noted or noted[-1] != said:
        writer.log(LogLine(now_ms(), "info", MACHINE, said))


def _in_groups(season: OpenSeason) -> OpenSeason:
    """Return the season with its bots in control groups of their own, where the arena was given one."""
    home = open_home()
    if home is None:
        return season
    return replace(season, commands=tuple(replace(one, cgroup=str(home)) for one in season.commands))


def _end_leftovers(loaded: LoadedLeague, writer: Writer, watcher: Watcher) -> None:
    left = end_leftovers(mark_of(loaded.arena_folder))
    if left:
        processes = "1 process" if left == 1 else f"{left} processes"
        said = f"ended {processes} that bots of an earlier run had left running"
        writer.log(LogLine(now_ms(), "warning", "run", said))
        watcher.say(said)


def _tell_of_changed_copies(season: OpenSeason, writer: Writer, watcher: RunWatcher) -> None:
    """Warn of each bot whose copy was changed during the run.

    A bot without a sandbox can write into its copy. The next run replaces the copy.
    """
    store = season.loaded.arena_folder / "bots"
    for entry in season.view.entries:
        copy = Snapshot(entry.digest, store / entry.digest)
        if entry.digest and not is_intact(copy):
            said = f"the copy of {entry.bot} that this run played was changed during the run ({copy.path})"
            writer.log(LogLine(now_ms(), "warning", "run", said))
            watcher.say(said)


def _stop_signals() -> list[signal.Signals]:
    """Return the signals that stop a run, without those that the caller ignores, as nohup does."""
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
        self._director = Director(season, reader, writer, watcher.say, watcher.compared)
        self._began = time.monotonic()
        self._commands = season.commands
        self._level = NONE

    async def play(self) -> Ending:
        """Play stretch after stretch until nothing is left or the run is stopped."""
        # The result when a signal comes while no match is being played, as during the roll call.
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
        # What a killed run had begun is closed first: each of these matches gets a new attempt.
        self._writer.interrupt_begun(self._season.view.number, CUT_SHORT)
        # Bots are started for the roll call once, and not at all when there is nothing to play.
        called = False
        while (found := open_stretch(self._season, self._reader, self._writer)) is not None:
            stretch, deals = found
            self._check_shard(stretch)
            self._director.read_again()
            agenda = _agenda(self._director.plan, stretch, self._reader, self._options.shard)
            if agenda.matches_left and not called:
                self._enter_sandbox()
                await self._roll_call(agenda.cycles)
                called = True
            self._watcher.stretch(stretch, agenda.planned, agenda.matches_left)
            ending = await self._play_stretch(stretch, deals, agenda)
            if ending is Ending.OUT_OF_TIME:
                self._note_time()
            if ending is not Ending.COMPLETE:
                return ending
            # Only the whole league can tell whether the stretch is over.
            if self._options.shard is not None:
                return Ending.PART
            end = self._director.end(stretch)
            self._writer.end_stretch(stretch.season, stretch.number, end.reason, now_ms(), end.cycles)
        if told := why_nothing_is_left(self._season, self._reader):
            self._watcher.say(told)
        return Ending.COMPLETE

    def _check_shard(self, stretch: StretchView) -> None:
        """Raise UsageError where something is decided that a part cannot know."""
        if self._options.shard is None:
            return
        states = self._reader.session_states(stretch.season)
        why = undecided(
            (stretch.cycles_planned, self._director.plan.sessions_in),
            {key for key, state in states.items() if state in OVER},
            {
                'whether the league is settled (stop = "settled")': self._director.may_stop_early,
                "who is disqualified (disqualify_share below 1)": self._league.faults.disqualify_share < 1,
            },
        )
        if why:
            raise UsageError(f"{self._season.loaded.path}: no part of this league can be played: {why}")

    def _note_time(self) -> None:
        hours = self._league.schedule.max_hours
        said = f"a run ended after max_hours = {hours:g}; the next run resumes"
        self._writer.log(LogLine(now_ms(), "info", TIME_IS_UP, said))

    def _seconds_left(self) -> float:
        """Return the seconds until this run begins no more sessions."""
        hours = self._league.schedule.max_hours
        return self._began + hours * 3600 - time.monotonic() if hours else math.inf

    async def _play_stretch(self, stretch: StretchView, deals: StretchDeals, agenda: Agenda) -> Ending:
        settings = Settings(
            season=stretch.season,
            stretch=stretch.number,
            bots=self._season.bots,
            deals=deals,
            setups=self._setups(len(agenda)),
            logs=self._season.loaded.arena_folder,
            max_seconds=self._seconds_left(),
        )
        async with trio.open_nursery() as nursery:
            await self._begin_pages(nursery)
            self._coordinator = Coordinator(settings, agenda, self._director, self._writer, self._watcher)
            try:
                ending = await self._coordinator.run()
            finally:
                self._coordinator = None
            nursery.cancel_scope.cancel()
        return ending

    async def _begin_pages(self, nursery: trio.Nursery) -> None:
        """Write the pages once, so that there is something to look at, then again at intervals."""
        if not self._options.pages:
            return
        write = partial(refresh_pages, self._season.loaded)
        await trio.to_thread.run_sync(write)
        if seconds := self._league.report.refresh_seconds:
            nursery.start_soon(keep_writing, write, seconds, self._warn)

    def _warn(self, text: str) -> None:
        self._writer.log(LogLine(now_ms(), "warning", "run", text))
        self._watcher.say(text)

    def _enter_sandbox(self) -> None:
        """Decide once how bots are started in this run. Raises UsageError without a required sandbox."""
        found = league_sandbox(self._season.loaded, _sandbox_mode(self._season.loaded, self._options))
        if isinstance(found, Failure):
            self._writer.log(LogLine(now_ms(), "warning", "sandbox", f"none: {found}"))
            self._watcher.say(unprotected(found))
        elif found is not None:
            self._level = found.level.value
            if warning := talkative(found):
                self._writer.log(LogLine(now_ms(), "warning", "sandbox", f"weaker: {found.weaker}"))
                self._watcher.say(warning)
            self._commands = tuple(replace(command, sandbox=found) for command in self._commands)

    async def _roll_call(self, cycles: Collection[int]) -> None:
        """Build and start every bot that plays in one of these cycles."""
        store = self._season.loaded.arena_folder / "built"
        self._commands, unbuilt = await build_all(self._commands, store, self._watcher.say)
        # No process is started for a bot that is out, so it does not matter whether it would be ready.
        out = set(self._season.bots).difference(*map(self._director.plays, cycles))
        commands = tuple(command for command in self._commands if command.bot not in out)
        failed = {bot: failure for bot, failure in unbuilt.items() if bot not in out}
        roll = await call_the_roll(commands, self._arena, failed, self._league.process.tables)
        for bot, ready in roll.ready.items():
            said = Reported(ready.name, ready.version, ready.language or "", ready.author or "")
            self._writer.reported(self._season.view.number, bot, said)
        if not roll.failed:
            return
        table = causes(commands, roll.failed)
        if not self._options.allow_broken:
            raise BotsBroken(
                f"{not_ready(len(roll.failed), len(commands))}; no match was played.\n{table}\n"
                "Repair them, or let the stand-in play for them: --allow-broken"
            )
        self._watcher.say(f"not ready, the stand-in plays for them:\n{table}")

    def _setups(self, sessions: int) -> tuple[Setup, ...]:
        process = self._league.process
        cores = sorted(os.sched_getaffinity(0))
        jobs = referee_count(process, self._options.jobs, sessions)
        pinned = process.pin == "auto" or process.pin
        return tuple(self._setup(cores[job % len(cores)] if pinned else None) for job in range(jobs))

    def _setup(self, core: int | None) -> Setup:
        league = self._league
        terms = Terms(
            league.time.move_ms, league.time.bank_ms, league.faults.fault_points, league.faults.max_faults
        )
        names = {bot.id: bot.name for bot in field_of(league)} | {STAND_IN: STAND_IN_NAME}
        return Setup(
            commands=self._commands,
            terms=terms,
            rounds=league.league.rounds,
            names=names if league.league.show_names else None,
            core=core,
            together=core is None,
            arena=self._arena,
            sandbox=self._level,
            tables=league.process.tables,
        )
