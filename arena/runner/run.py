"""One run of a league, from its file to its end: lock it, open its season and have it played.

Prints nothing and draws no page. What is played is `arena.runner.season_run`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import trio

from arena.bot.snapshot import Snapshot, is_intact
from arena.league.reader import LoadedLeague
from arena.linux.leftovers import end_leftovers, mark_of
from arena.linux.machine import SUBJECT as MACHINE
from arena.linux.machine import this_machine
from arena.linux.strays import adopting_orphans
from arena.runner.cluster import check_cluster, hide_memory
from arena.runner.coordinator import Ending
from arena.runner.guard import while_there
from arena.runner.open_run import OpenRun
from arena.runner.results import Watcher
from arena.runner.season_run import RunOptions, RunWatcher, SeasonRun, sandbox_mode
from arena.sandbox.of_league import check_sandbox
from arena.season.next_stage import begin_next_stage
from arena.season.opening import OpenSeason, now_ms, open_season, stored_season
from arena.store import read, write
from arena.store.database import Database
from arena.store.history import LogLine
from arena.store.lock import RunLock
from arena.store.patience import Patience
from arena.store.planned import playing
from arena.store.postgres import ServerLock
from arena.store.views import Entry

__all__ = ["begin_season", "run_league"]


def run_league(loaded: LoadedLeague, options: RunOptions, watcher: RunWatcher) -> Ending:
    """Play what the league file asks for and is not played yet, and return how the run ended.

    Raises every kind of ArenaError, see `arena.errors`; whatever was reported by then is stored.
    """
    if options.on is None:
        check_sandbox(loaded, sandbox_mode(loaded, options))
    else:
        if warning := check_cluster(options.on, sandbox_mode(loaded, options)):
            watcher.say(warning)
        hide_memory()
    with _locked(loaded.locks) as locks, _opened(loaded, watcher, locks) as database:
        new_season = options.new_season
        while True:
            season = open_season(loaded, database, new_season)
            watcher.opened(season)
            if season.remark:
                watcher.say(season.remark)
            _note_machine(season, database)
            _end_leftovers(loaded, database, watcher)
            with adopting_orphans():
                runner = OpenRun if season.view.open else SeasonRun
                play = runner(season, database, options, watcher).play
                ending = trio.run(while_there, play, (database.lost, *(lock.lost for lock in locks)))
            _tell_of_changed_copies(season, _played(season, database), database, watcher)
            over = ending is Ending.COMPLETE
            if not over or not begin_next_stage(loaded, database, watcher.say):
                return ending
            new_season = None


def begin_season(loaded: LoadedLeague) -> None:
    """Open the season that a run would play, so that an act on it can be stored; play nothing.

    Raises what `run_league` raises.
    """
    with _locked(loaded.locks) as locks, _opened(loaded, RunWatcher(), locks) as database:
        open_season(loaded, database)


@contextmanager
def _locked(places: Iterable[Path | str]) -> Iterator[list[RunLock | ServerLock]]:
    with ExitStack() as stack:
        locks: list[RunLock | ServerLock] = []
        for place in places:
            lock = ServerLock(place) if isinstance(place, str) else RunLock(place)
            stack.enter_context(lock)
            locks.append(lock)
        yield locks


def _opened(loaded: LoadedLeague, watcher: Watcher, locks: Iterable[RunLock | ServerLock]) -> Database:
    """Open the league's database, which is locked, for a run."""

    def when_back() -> None:
        for lock in locks:
            if isinstance(lock, ServerLock):
                lock.regain()

    patience = Patience(say=watcher.say, when_back=when_back)
    database = Database.open(loaded.database, create=True, patience=patience)
    database.claim()
    return database


def _note_machine(season: OpenSeason, database: Database) -> None:
    """Log the machine: once a season, and again when the season goes on elsewhere or in other versions."""
    said = this_machine(season.loaded.path.name).to_text()
    noted = [
        line.text
        for line in read.logs(database)
        if line.subject == MACHINE and line.at >= season.view.opened_at
    ]
    if not noted or noted[-1] != said:
        write.log(database, LogLine(now_ms(), "info", MACHINE, said))


def _end_leftovers(loaded: LoadedLeague, database: Database, watcher: Watcher) -> None:
    left = end_leftovers(mark_of(loaded.arena_folder))
    if left:
        processes = "1 process" if left == 1 else f"{left} processes"
        said = f"ended {processes} that bots of an earlier run had left running"
        write.log(database, LogLine(now_ms(), "warning", "run", said))
        watcher.say(said)


def _played(season: OpenSeason, database: Database) -> tuple[Entry, ...]:
    """Return who may have been started: in an open season who is in the field that was played last."""
    if not season.view.open:
        return season.view.entries
    view = stored_season(database)
    field = set(playing(view))
    return tuple(entry for entry in view.entries if entry.bot in field)


def _tell_of_changed_copies(
    season: OpenSeason, entries: Iterable[Entry], database: Database, watcher: RunWatcher
) -> None:
    """Warn of each bot whose copy was changed during the run.

    A bot without a sandbox can write into its copy. The next run replaces the copy.
    """
    store = season.loaded.arena_folder / "bots"
    for entry in entries:
        copy = Snapshot(entry.digest, store / entry.digest)
        if entry.digest and not is_intact(copy):
            said = f"the copy of {entry.bot} that this run played was changed during the run ({copy.path})"
            write.log(database, LogLine(now_ms(), "warning", "run", said))
            watcher.say(said)
