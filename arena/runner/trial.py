"""The trial of a dry run: as many referees as in a run play a session each, for the time that matches take.

It is a run of its own, of the bots that sit in the next sessions, which ends after a while. All that is
written lies in a temporary folder that is removed; the league's own is only read.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

import trio

from arena.deals import PhaseDeals
from arena.errors import BotsBroken, InternalError, Interrupted
from arena.league.reader import LoadedLeague
from arena.linux.family import adopting_orphans
from arena.match.record import MatchRecord
from arena.runner.coordinator import Ending
from arena.runner.results import RunWatcher
from arena.runner.season_run import RunOptions, SeasonRun
from arena.runner.seasons import open_season
from arena.season.agenda import Agenda
from arena.season.forecast import Forecast
from arena.store.database import Database
from arena.store.views import PhaseView

MOST_SECONDS = 60.0
"""The time that the sessions may take: then it is judged by the matches that are over."""


def try_sessions(seen: Forecast, options: RunOptions, say: Callable[[str], None]) -> float | str:
    """Play sessions as a run would, one at each table of all referees, and return the seconds of a match.

    They share the cores as in a run, where several referees play beside each other. Return in words
    why nothing is known where no match ends within `MOST_SECONDS`, or the referees fail. `say`: is told what
    a run would warn of. Raises UsageError where a run would not begin, and Interrupted when somebody stops
    it.
    """
    there = seen.next_sessions
    referees, tables = seen.referees(options.jobs), seen.loaded.league.process.tables
    sessions = [there[number % len(there)] for number in range(referees * tables)]
    ids = {number: seen.players[bot].section.id for number, bot in seen.bots.items() if bot in seen.players}
    rows = [row for one in sessions for row in one.rows]
    asked = replace(options, jobs=referees, pages=False, new_season=None)
    with TemporaryDirectory(prefix="arena-trial-") as folder:
        loaded = _alone(seen, {ids[bot] for row in rows for bot in row if bot in ids}, Path(folder))
        with Database.open(Path(folder) / "trial.db", create=True) as database, adopting_orphans():
            trial = _Trial(open_season(loaded, database), database, asked, _Watcher(len(rows), say))
            try:
                ending = trio.run(trial.play)
            except BotsBroken as error:
                raise BotsBroken(_with_own_folders(str(error), trial.copies())) from None
    if ending is Ending.IDLE:
        raise Interrupted("the dry run was stopped while it played sessions")
    return trial.match_seconds


def _with_own_folders(text: str, copies: Mapping[str, Path]) -> str:
    """Return a text about bots with their folders instead of the copies, which nobody can look at later."""
    for copy, folder in copies.items():
        text = text.replace(copy, str(folder))
    return text


@dataclass(frozen=True, slots=True)
class _Apart(LoadedLeague):
    """A league with its copies elsewhere. Its own files stay where they are, so bots see none of them."""

    folder: Path = Path()

    @property
    def arena_folder(self) -> Path:
        return self.folder


def _alone(seen: Forecast, bots: Collection[str], folder: Path) -> LoadedLeague:
    """Return those bots that sit in the sessions as a closed league of their own."""
    league = seen.loaded.league
    sections = tuple(
        one.section.model_copy(update={"folder": str(one.folder.resolve())})
        for one in seen.players.values()
        if one.section.id in bots
    )
    closed = league.league.model_copy(update={"open": False, "entries": None})
    alone = league.model_copy(update={"league": closed, "bots": sections, "stages": ()})
    return _Apart(seen.loaded.path, alone, seen.loaded.text, seen.loaded.digest, folder)


class _Watcher(RunWatcher):
    """Takes the times of so many matches. `say` is told what a run would warn of, until there are enough."""

    def __init__(self, wanted: int, say: Callable[[str], None]) -> None:
        self._wanted = wanted
        self._say = say
        self.enough: Callable[[], None] = lambda: None
        self.times: list[int] = []
        """Of each match, in milliseconds."""

    def finished(self, record: MatchRecord, matches_left: int) -> None:
        self.times.append(record.finished_at - record.started_at)
        if len(self.times) == self._wanted:
            self.enough()

    def say(self, text: str) -> None:
        if len(self.times) < self._wanted:
            self._say(text)

    def remark(self, text: str) -> None:
        """Say nothing: nobody will see these matches."""


class _Trial(SeasonRun):
    """A run that ends when its watcher has seen enough.

    `match_seconds`: the mean time of a match, or at several tables its share, or why there is none.
    """

    match_seconds: float | str = ""

    def copies(self) -> Mapping[str, Path]:
        """Return the folder of each bot, by the path of its copy."""
        sections = {bot.id: Path(bot.folder) for bot in self._league.bots}
        return {one.folder: sections[one.bot] for one in self._season.commands if one.bot in sections}

    async def _heed(self, signals: AsyncIterator[int], everything: trio.CancelScope) -> None:
        async for _ in signals:  # nothing of it is kept, so nothing is waited for
            everything.cancel()

    async def _coordinate(self, phase: PhaseView, deals: PhaseDeals, agenda: Agenda) -> Ending:
        watcher = self._watcher
        assert isinstance(watcher, _Watcher), "it was given one"
        watcher.enough = self._stop
        self.match_seconds = f"no match of a session was over after {MOST_SECONDS:g} s"
        try:
            with trio.move_on_after(MOST_SECONDS):
                await super()._coordinate(phase, deals, agenda)
        except InternalError as error:
            self.match_seconds = error.message
        if watcher.times:
            self.match_seconds = fmean(watcher.times) / 1000 / self._league.process.tables
        return Ending.STOPPED

    def _stop(self) -> None:
        if self._coordinator is not None:
            self._coordinator.stop()
