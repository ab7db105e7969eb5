"""The trial of a dry run: as many referees as in a run play a session each, for the time that matches take.

The bots, their copies, builds and sandbox, the roll call, the referee process and its setup are those of a
run. All that is written lies in a temporary folder that is removed; the league's own is only read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

import trio

from arena.deals import MatchKey
from arena.errors import BotsBroken, Interrupted
from arena.league.reader import LoadedLeague
from arena.linux.family import adopting_orphans
from arena.match.stand_in import STAND_IN
from arena.referee.jobs import Aborted, Finished, MatchJob, SessionDone, SessionJob, Setup
from arena.runner.coordinator import Ending
from arena.runner.local_referees import local_referee
from arena.runner.referee_client import RefereeClient
from arena.runner.season_run import RunOptions, RunWatcher, SeasonRun
from arena.runner.seasons import open_phase, open_season
from arena.season.forecast import Forecast
from arena.store.database import Database

__all__ = ["MOST_SECONDS", "try_sessions"]

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
    tried = [[tuple(ids.get(bot, STAND_IN) for bot in row) for row in one.rows] for one in sessions]
    with TemporaryDirectory(prefix="arena-trial-") as folder:
        loaded = _alone(seen, {bot for rows in tried for row in rows for bot in row}, Path(folder))
        with Database.open(Path(folder) / "trial.db", create=True) as database, adopting_orphans():
            trial = _Trial(open_season(loaded, database), database, options, _Speaker(say))
            trial.sessions = tried
            try:
                ending = trio.run(trial.play)
            except BotsBroken as error:
                raise BotsBroken(_with_own_folders(str(error), trial.copies)) from None
    if ending is not Ending.COMPLETE:
        raise Interrupted("the dry run was stopped while it played sessions")
    return trial.match_seconds


def _with_own_folders(text: str, copies: Mapping[str, Path]) -> str:
    """Return a text about bots with their folders instead of the copies, which nobody can look at later."""
    for copy, folder in copies.items():
        text = text.replace(copy, str(folder))
    return text


class _Speaker(RunWatcher):
    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    def say(self, text: str) -> None:
        self._say(text)


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


class _Trial(SeasonRun):
    """A run that ends after a session at each table."""

    sessions: Sequence[Sequence[tuple[str, ...]]] = ()
    match_seconds: float | str = ""

    @property
    def copies(self) -> Mapping[str, Path]:
        """Return the folder of each bot, by the path of its copy."""
        sections = {bot.id: Path(bot.folder) for bot in self._league.bots}
        return {one.folder: sections[one.bot] for one in self._season.commands if one.bot in sections}

    async def _play(self) -> Ending:
        found = open_phase(self._season, self._database)
        assert found is not None, "nothing of it is played"
        self._enter_sandbox()
        await self._roll_call([0])
        setups = self._setups(len(self.sessions))
        jobs = [
            SessionJob(
                0, index, found[1].session(0, index).key.hex(),
                tuple(MatchJob(MatchKey(0, index, order), row) for order, row in enumerate(rows)),
            )
            for index, rows in enumerate(self.sessions)
        ]  # fmt: skip
        trials = [_Referee(jobs[number :: len(setups)]) for number in range(len(setups))]
        with trio.move_on_after(MOST_SECONDS) as limit:
            async with trio.open_nursery() as nursery:
                for number, (trial, setup) in enumerate(zip(trials, setups, strict=True)):
                    log = self._season.loaded.arena_folder / f"referee-{number}.log"
                    nursery.start_soon(trial.play, log, number, setup)
        times = [of_match for one in trials for of_match in one.times]
        if times:
            self.match_seconds = fmean(times) / 1000 / setups[0].tables
        elif limit.cancelled_caught:
            self.match_seconds = f"no match of a session was over after {MOST_SECONDS:g} s"
        else:
            self.match_seconds = trials[0].why
        return Ending.COMPLETE


class _Referee:
    """What one referee plays in a trial.

    `times`: of each match, in milliseconds. `why`: why no match was finished, if so.
    """

    def __init__(self, jobs: Sequence[SessionJob]) -> None:
        self._jobs = jobs
        self.times: list[int] = []
        self.why = "the referee ended"

    async def play(self, log: Path, number: int, setup: Setup) -> None:
        """Play the sessions."""
        client = local_referee(log, number, setup, 0)
        try:
            await self._hear(client)
        finally:
            with trio.CancelScope(shield=True):
                await client.close()

    async def _hear(self, client: RefereeClient) -> None:
        for job in self._jobs:
            await client.send(job)
        left = len(self._jobs)
        async with aclosing(client.messages()) as messages:
            async for message in messages:
                match message:
                    case Finished(record=record):
                        self.times.append(record.finished_at - record.started_at)
                    case Aborted(reason=reason):
                        self.why = f"a match was given up: {reason.strip().splitlines()[-1]}"
                    case SessionDone():
                        left -= 1
                if not left:
                    break
