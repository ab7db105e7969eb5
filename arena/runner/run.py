"""One run of a league, from its file to its end: lock it, open its season and have it played.

Prints nothing and draws no page. What is played is `arena.runner.season_run`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import trio

from arena.bot.snapshot import Snapshot, is_intact
from arena.league.reader import LoadedLeague
from arena.linux.family import adopting_orphans
from arena.runner.cluster import check_cluster
from arena.runner.coordinator import Ending
from arena.runner.open_run import OpenRun
from arena.runner.results import RunWatcher
from arena.runner.season_run import RunOptions, SeasonRun, sandbox_mode
from arena.runner.seasons import begin_next_stage, open_season, season_now
from arena.sandbox.for_league import asked_sandbox
from arena.season.opening import now_ms
from arena.store import write
from arena.store.database import Database
from arena.store.history import LogLine
from arena.store.lock import RunLock
from arena.store.postgres import ServerLock
from arena.store.stored_season import playing
from arena.store.transaction import Patience


def run_league(loaded: LoadedLeague, options: RunOptions, watcher: RunWatcher) -> Ending:
    """Play what the league file asks for and is not played yet, and return how the run ended.

    Raises every kind of ArenaError, see `arena.errors`; whatever was reported by then is stored.
    """
    return _LeagueRun(loaded, options, watcher).play()


def begin_season(loaded: LoadedLeague) -> None:
    """Open the season that a run would play, so that an act on it can be stored; play nothing.

    Raises what `run_league` raises.
    """
    _LeagueRun(loaded, RunOptions(), RunWatcher()).begin()


class _LeagueRun:
    """A run of a league: it holds the league's locks and its database, and plays stage after stage."""

    def __init__(self, loaded: LoadedLeague, options: RunOptions, watcher: RunWatcher) -> None:
        self._loaded = loaded
        self._options = options
        self._watcher = watcher
        self._database: Database

    def begin(self) -> None:
        with self._opened():
            open_season(self._loaded, self._database)

    def play(self) -> Ending:
        self._check_sandbox()
        with self._opened():
            new_season = self._options.new_season
            while (ending := self._play_season(new_season)) is Ending.COMPLETE:
                if not begin_next_stage(self._loaded, self._database, self._watcher.say):
                    break
                new_season = None
            return ending

    def _check_sandbox(self) -> None:
        """Refuse a run whose bots cannot be kept apart as it is asked for, before anything is written."""
        mode, on = sandbox_mode(self._loaded, self._options), self._options.on
        if on is not None:
            check_cluster(on, mode)
        elif mode != "off":
            asked_sandbox(self._loaded.league.sandbox, mode, ())  # what is to be hidden is there only later

    @contextmanager
    def _opened(self) -> Iterator[None]:
        """Lock the league and open its database."""
        with ExitStack() as stack:
            places = self._loaded.locks
            locks = [ServerLock(place) if isinstance(place, str) else RunLock(place) for place in places]
            for lock in locks:
                stack.enter_context(lock)

            def when_back() -> None:
                for lock in locks:
                    if isinstance(lock, ServerLock):
                        lock.regain()

            patience = Patience(say=self._watcher.say, when_back=when_back)
            database = Database.open(self._loaded.database, create=True, patience=patience)
            self._database = stack.enter_context(database)
            self._database.claim()
            yield

    def _play_season(self, new_season: str | None) -> Ending:
        season = open_season(self._loaded, self._database, new_season)
        self._watcher.opened(season)
        if season.remark:
            self._watcher.say(season.remark)
        with adopting_orphans():
            runner = OpenRun if season.view.open else SeasonRun
            ending = trio.run(runner(season, self._database, self._options, self._watcher).play)
        self._tell_of_changed_copies()
        return ending

    def _tell_of_changed_copies(self) -> None:
        """Warn of each bot whose copy was changed during the run, of those who may have been started.

        A bot without a sandbox can write into its copy. The next run replaces the copy.
        """
        view, store = season_now(self._database).view, self._loaded.arena_folder / "bots"
        played = set(playing(view)) if view.open else {entry.bot for entry in view.entries}
        for entry in view.entries:
            copy = Snapshot(entry.digest, store / entry.digest)
            if entry.bot in played and entry.digest and not is_intact(copy):
                self._warn(
                    f"the copy of {entry.bot} that this run played was changed during the run ({copy.path})"
                )

    def _warn(self, said: str) -> None:
        write.log(self._database, LogLine(now_ms(), "warning", "run", said))
        self._watcher.say(said)
