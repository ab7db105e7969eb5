"""One run of a season: call the roll, play its phases one after another, stop in order.

What differs in an open season is in `arena.runner.open_run`. The season is opened and locked already. Prints
nothing and draws no page: `arena.runner.pages` has the pages written, and a `RunWatcher` hears how the run
goes.
"""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version

import trio

from arena.bot.build import Builder
from arena.bot.launch import BotCommand
from arena.bot.process import StartFailure
from arena.bot.roll_call import call_the_roll, causes, not_ready
from arena.cluster.address import OnCluster
from arena.deals import PhaseDeals
from arena.errors import BotsBroken, one_error
from arena.league.model import League
from arena.league.reader import LoadedLeague
from arena.linux.machine import Host, this_host
from arena.match.record import Terms
from arena.papayoo import hand_size
from arena.referee.jobs import Setup
from arena.runner.cluster import ClusterState, connect_of, write_state
from arena.runner.cluster_referees import ClusterNews, ClusterReferees, ClusterSoFar
from arena.runner.coordinator import Coordinator, Ending, Settings
from arena.runner.director import Changes, Director
from arena.runner.pages import check_folder, keep_pages
from arena.runner.referees import LocalReferees, Referees
from arena.runner.results import Remarks, RunWatcher
from arena.runner.seasons import (
    OpenSeason,
    open_phase,
    season_now,
    unfinished_phase,
    why_nothing_is_left,
)
from arena.sandbox import NONE, Failure, Sandbox
from arena.sandbox.for_league import league_sandbox
from arena.season.agenda import Agenda
from arena.season.forecast import referee_count
from arena.season.opening import now_ms
from arena.store import read, write
from arena.store.database import Database
from arena.store.history import CUT_SHORT, LogLine
from arena.store.stage import stage_of
from arena.store.stored_season import season_plan
from arena.store.views import PhaseView, Reported

_MARGIN_SECONDS = 60.0
"""For what has no clock: a referee starts, ends processes, waits for the disk or for an engine."""


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The organiser's choices on the command line.

    `new_season`: why a new season is begun, or None. `allow_broken`: whether the stand-in plays from the
    start for bots that are not ready. `jobs`: the number of referee processes, or None for one on each
    usable core. `pages`: whether pages are written during the run. `sandbox`: "auto", "require" or "off" for
    this run, or None to take it from the league file. `follow`: whether the run of an open season goes on
    with phase after phase, until it is stopped. `on`: the cluster to play on, or None for this machine.
    `cluster`: what it knows of its cluster: one that was there is waited for in every phase.
    """

    new_season: str | None = None
    allow_broken: bool = False
    jobs: int | None = None
    pages: bool = False
    sandbox: str | None = None
    follow: bool = False
    on: OnCluster | None = None
    cluster: ClusterSoFar = field(default_factory=ClusterSoFar)


def sandbox_mode(loaded: LoadedLeague, options: RunOptions) -> str:
    """Return the mode of the sandbox: the command line's, else the league file's."""
    return options.sandbox or loaded.league.sandbox.mode


def _stop_signals() -> list[signal.Signals]:
    """Return the signals that stop a run, without those that the caller ignores, as nohup does."""
    polite = (signal.SIGINT, signal.SIGHUP)
    return [signal.SIGTERM, *(number for number in polite if signal.getsignal(number) != signal.SIG_IGN)]


class SeasonRun:
    def __init__(
        self, season: OpenSeason, database: Database, options: RunOptions, watcher: RunWatcher
    ) -> None:
        self._season = season
        self._database = database
        self._options = options
        self._watcher = watcher
        self._league = season.loaded.league
        self._arena = version("papayoo-arena")
        self._coordinator: Coordinator | None = None
        self._director = self._new_director()
        self._commands: Sequence[BotCommand] = ()
        self._builder = Builder(season.loaded.arena_folder / "built", watcher.say)
        self._sandbox: Sandbox | None = None
        self._beside: trio.Nursery
        self._writes_pages = False
        self._stopping = False
        self._remarks = Remarks()

    async def play(self) -> Ending:
        """Play phase after phase until nothing is left or the run is stopped."""
        # The result when a signal comes while no match is being played, as during the roll call.
        ending = Ending.IDLE
        if self._options.pages:
            check_folder(self._season.loaded)
        with one_error(), trio.open_signal_receiver(*_stop_signals()) as signals:
            async with trio.open_nursery() as self._beside:
                everything = self._beside.cancel_scope
                self._beside.start_soon(self._heed, signals, everything)
                ending = await self._play()
                everything.cancel()
        return ending

    async def _heed(self, signals: AsyncIterator[int], everything: trio.CancelScope) -> None:
        async for _ in signals:
            if self._coordinator is None:
                everything.cancel()
            else:
                self._stopping = True
                self._coordinator.stop()

    async def _play(self) -> Ending:
        # What a killed run had begun is closed first: each of these matches gets a new attempt.
        write.interrupt_begun(self._database, self._season.view.number, CUT_SHORT)
        write_state(self._season.loaded.arena_folder, None)
        return await self._play_phases()

    async def _play_phases(self) -> Ending:
        while await self._begin_phase():
            ending = await self._go_on()
            if ending is not Ending.COMPLETE:
                return ending
            # What was being played when the stop came may have been the last of the phase.
            if self._stopping and self._another_follows():
                return Ending.STOPPED
        return Ending.COMPLETE

    def _another_follows(self) -> bool:
        """Return whether this run goes on to a stage or a phase after the one that is being played."""
        stage = stage_of(self._season.view)
        return stage is not None and stage.number < stage.of

    async def _begin_phase(self) -> bool:
        """Begin a phase, unless one has begun and is not over. Return False when nothing is left to play."""
        if open_phase(self._season, self._database) is not None:
            return True
        if told := why_nothing_is_left(self._season, self._database):
            self._watcher.say(told)
        return False

    async def _go_on(self) -> Ending:
        """Play the phase that was begun, from wherever it is."""
        found = unfinished_phase(self._database)
        assert found is not None, "a phase was begun"
        phase, deals = found
        self._meet(phase)
        agenda = self._directed(phase)
        if agenda.matches_left:
            await self._start_bots(agenda)
        return await self._play_phase(phase, deals, agenda)

    def _meet(self, phase: PhaseView) -> None:
        """Begin from what is stored, if this phase follows one that was played in this run."""
        if phase.number <= max(0, len(self._season.view.phases) - 1):
            return
        now = season_now(self._database)
        plan = season_plan(now.view, now.rulings)
        self._season = replace(self._season, view=now.view, plan=plan)
        self._director = self._new_director()

    async def _start_bots(self, agenda: Agenda) -> None:
        """Call the roll once, and not at all when there is nothing to play."""
        # On a cluster each host calls the roll for itself.
        if not self._commands and self._options.on is None:
            self._enter_sandbox()
            await self._roll_call(agenda.cycles)

    def _new_director(self, changes: Changes | None = None) -> Director:
        return Director(self._season, self._database, self._watcher.say, self._watcher.compared, changes)

    def _directed(self, phase: PhaseView) -> Agenda:
        """Have the director direct a phase, and return what is left of it to play."""
        self._director.read_again()
        decisions = self._director.begin(phase)
        played = read.so_far(self._database, phase.season)
        agenda = Agenda(self._director.plan, phase.cycles_planned, played, decisions)
        agenda.end(self._director.ends())
        return agenda

    async def _play_phase(self, phase: PhaseView, deals: PhaseDeals, agenda: Agenda) -> Ending:
        """Play a phase, and store its end when nothing is left of it."""
        self._watcher.phase(phase, agenda.planned, agenda.matches_left)
        ending = await self._coordinate(phase, deals, agenda)
        if ending is not Ending.COMPLETE:
            return ending
        end = self._director.end()
        write.end_phase(self._database, phase.season, phase.number, end.reason, now_ms(), end.cycles)
        return ending

    async def _coordinate(self, phase: PhaseView, deals: PhaseDeals, agenda: Agenda) -> Ending:
        settings = Settings(
            season=phase.season,
            phase=phase.number,
            bots=self._season.bots,
            deals=deals,
            referees=self._referees(len(agenda)),
            longest_silence=longest_silence(self._league, self._season.commands),
            remarks=self._remarks,
            copies={} if self._options.on else {command.bot: command.folder for command in self._commands},
        )
        self._begin_pages()
        self._coordinator = Coordinator(settings, agenda, self._director, self._database, self._watcher)
        try:
            return await self._coordinator.run()
        finally:
            self._coordinator = None

    def _begin_pages(self) -> None:
        """Have the pages written from now on to the end of the run, unless that has begun."""
        if self._options.pages and not self._writes_pages:
            self._writes_pages = True
            self._beside.start_soon(keep_pages, self._season.loaded, self._warn)

    def _warn(self, text: str) -> None:
        write.log(self._database, LogLine(now_ms(), "warning", "run", text))
        self._watcher.say(text)

    def _enter_sandbox(self) -> None:
        """Decide once how bots are started in this run. Raises UsageError without a required sandbox."""
        found = league_sandbox(self._season.loaded, sandbox_mode(self._season.loaded, self._options))
        if isinstance(found, Failure):
            write.log(self._database, LogLine(now_ms(), "warning", "sandbox", f"none: {found}"))
            self._watcher.say(found.warning)
        elif found is not None:
            self._sandbox = found
            if found.warning:
                write.log(self._database, LogLine(now_ms(), "warning", "sandbox", f"weaker: {found.weaker}"))
                self._watcher.say(found.warning)

    def _placed(self, commands: Iterable[BotCommand]) -> tuple[BotCommand, ...]:
        """Return the commands in the sandbox."""
        return tuple(replace(one, sandbox=self._sandbox) for one in commands)

    async def _called(
        self, commands: Sequence[BotCommand], out: Collection[str] = ()
    ) -> Mapping[str, StartFailure]:
        """Build bots and start all but those `out`. Keep what they say, and return why some are not ready."""
        self._commands, unbuilt = await self._builder.build_all(commands)
        called = [command for command in self._commands if command.bot not in out]
        failed = {bot: failure for bot, failure in unbuilt.items() if bot not in out}
        roll = await call_the_roll(called, self._arena, failed, self._league.process.tables)
        for bot, ready in roll.ready.items():
            said = Reported(ready.name, ready.version, ready.language or "", ready.author or "")
            write.note_reported(self._database, self._season.view.number, bot, said)
        return roll.failed

    async def _roll_call(self, cycles: Collection[int]) -> None:
        """Build and start every bot that plays in one of these cycles."""
        # No process is started for a bot that is out, so it does not matter whether it would be ready.
        out = set(self._season.bots).difference(*map(self._director.plays, cycles))
        failed = await self._called(self._placed(self._season.commands), out)
        if not failed:
            return
        table = causes(self._commands, failed)
        if not self._options.allow_broken:
            called = sum(command.bot not in out for command in self._commands)
            raise BotsBroken(
                f"{not_ready(len(failed), called)}; no match was played.\n{table}\n"
                "Repair them, or let the stand-in play for them: --allow-broken"
            )
        self._watcher.say(f"not ready, the stand-in plays for them:\n{table}")

    def _referees(self, sessions: int) -> Referees:
        loaded, on = self._season.loaded, self._options.on
        if on is None:
            setups = self._setups(sessions)
            host = write.note_host(self._database, this_host(setups[0].sandbox), now_ms())
            return LocalReferees(setups, loaded.arena_folder, host)
        mode = sandbox_mode(loaded, self._options)
        # Here too an entrant that does not start ends no open league: it has faults then.
        broken = self._options.allow_broken or self._season.view.open
        connect = connect_of(on, loaded, self._season.commands, self._setup(0), mode, broken)
        log = loaded.arena_folder / "bridge.log"
        return ClusterReferees(connect, log, self._cluster_news(), self._options.cluster)

    def _cluster_news(self) -> ClusterNews:
        def store(host: Host) -> int:
            return write.note_host(self._database, host, now_ms())

        def show(state: ClusterState | None) -> None:
            write_state(self._season.loaded.arena_folder, state)
            if state is not None:
                self._watcher.cluster(state)

        return ClusterNews(store, self._warn, show)

    def _setups(self, sessions: int) -> tuple[Setup, ...]:
        cores = sorted(os.sched_getaffinity(0))
        jobs = referee_count(self._options.jobs, sessions)
        return tuple(self._setup(cores[job % len(cores)]) for job in range(jobs))

    def _setup(self, core: int) -> Setup:
        league = self._league
        terms = Terms(
            league.time.move_ms, league.time.bank_ms, league.faults.fault_points, league.faults.max_faults
        )
        return Setup(
            commands=tuple(self._commands),
            terms=terms,
            rounds=league.league.rounds,
            core=core,
            arena=self._arena,
            sandbox=NONE if self._sandbox is None else self._sandbox.level.value,
            tables=league.process.tables,
        )


def longest_silence(league: League, commands: Iterable[BotCommand]) -> float:
    """Return the seconds after which a referee that has matches of these bots and says nothing hangs.

    It tells of each match when that is over, and of little else. So it may be silent for as long as the
    matches of all its tables take together, one after another, by their clocks:

        60 s + 2 * tables * seats * (start + bank + rounds * (1 + cards) * move)

    Each seat has a process started, in `start_seconds` at most, has its bank once, and is asked for a pass
    and for each of its cards in every round. Twice, because a deadline moves by as much again for a bot that
    had no core. Faults only shorten a match, so `max_faults` has no part in it. Every league has clocks.
    """
    start_ms = max((command.start_ms for command in commands), default=league.time.start_ms)
    asked_ms = league.league.rounds * (1 + hand_size(league.league.seats)) * league.time.move_ms
    seat_ms = start_ms + league.time.bank_ms + asked_ms
    return _MARGIN_SECONDS + 2 * league.process.tables * league.league.seats * seat_ms / 1000
