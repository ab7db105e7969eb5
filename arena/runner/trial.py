"""The trial of a dry run: one referee plays the first session that is left, for the time that matches take.

The bots, their copies, builds and sandbox, the roll call, the referee process and its setup are those of a
run. All that is written lies in a temporary folder that is removed; the league's own is only read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import trio

from arena.deals import MatchKey
from arena.errors import BotsBroken, Interrupted
from arena.league.reader import LoadedLeague
from arena.linux.strays import adopting_orphans
from arena.referee.jobs import Aborted, Finished, MatchJob, SessionDone, SessionJob
from arena.runner.coordinator import Ending
from arena.runner.referee_client import RefereeClient
from arena.runner.season_run import RunOptions, RunWatcher, SeasonRun
from arena.season.forecast import Forecast, Pace
from arena.season.opening import open_season
from arena.season.phases import open_phase
from arena.store.database import Database

__all__ = ["MOST_SECONDS", "try_session"]

MOST_SECONDS = 60.0
"""The time that the session may take: then it is judged by the matches that are over."""


def try_session(seen: Forecast, options: RunOptions, say: Callable[[str], None]) -> Pace | str:
    """Play the first session that is left, at all tables of one referee, and return its pace.

    Return in words why it has none where no match ends within `MOST_SECONDS`, or the referee fails. `say`: is
    told what a run would warn of. Raises UsageError where a run would not begin, and Interrupted when
    somebody stops it.
    """
    with TemporaryDirectory(prefix="arena-trial-") as folder:
        loaded = _alone(seen, Path(folder))
        with Database.open(Path(folder) / "trial.db", create=True) as database, adopting_orphans():
            trial = _Trial(open_season(loaded, database), database, options, _Speaker(say))
            try:
                ending = trio.run(trial.play)
            except BotsBroken as error:
                raise BotsBroken(_with_own_folders(str(error), trial.copies)) from None
    if ending is not Ending.COMPLETE:
        raise Interrupted("the dry run was stopped while it played a session")
    return trial.pace


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


def _alone(seen: Forecast, folder: Path) -> LoadedLeague:
    """Return the bots of the session as a closed league of their own: its first session is this one."""
    league = seen.loaded.league
    players = [seen.players[bot] for bot in seen.line_up]
    bots = tuple(one.section.model_copy(update={"folder": str(one.folder.resolve())}) for one in players)
    closed = league.league.model_copy(update={"open": False, "entries": None})
    alone = league.model_copy(update={"league": closed, "bots": bots, "stages": ()})
    return _Apart(seen.loaded.path, alone, seen.loaded.text, seen.loaded.digest, folder)


class _Trial(SeasonRun):
    """A run that ends after a session."""

    pace: Pace | str = ""

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
        (setup,) = self._setups(1)
        rows = [tuple(self._season.bots[bot] for bot in row) for row in self._season.plan.cycle(0)[0].rows]
        # As many tables as in a run: a process that plays at several takes less time for each.
        jobs = [
            SessionJob(
                0, table, found[1].session(0, table).key.hex(),
                tuple(MatchJob(MatchKey(0, table, order), row) for order, row in enumerate(rows)),
            )
            for table in range(setup.tables)
        ]  # fmt: skip
        begun, times = time.monotonic(), list[int]()
        client = RefereeClient(self._season.loaded.arena_folder / "referee.log", 0, setup, 0)
        try:
            with trio.move_on_after(MOST_SECONDS) as limit:
                why = await _measure(client, jobs, times)
        finally:
            seconds = time.monotonic() - begun
            await client.close()
        if limit.cancelled_caught:
            why = f"no match of a session was over after {MOST_SECONDS:g} s"
        fresh = any(command.fresh_process for command in self._commands)
        self.pace = _pace(times, seconds, setup.tables, fresh) if times else why
        return Ending.COMPLETE


async def _measure(client: RefereeClient, jobs: Sequence[SessionJob], times: list[int]) -> str:
    """Have sessions played and add the milliseconds of each match. Return why none was finished, if so."""
    for job in jobs:
        await client.send(job)
    why, left = "the referee ended", len(jobs)
    async with aclosing(client.messages()) as messages:
        async for message in messages:
            match message:
                case Finished(record=record):
                    times.append(record.finished_at - record.started_at)
                case Aborted(reason=reason):
                    why = f"a match was given up: {reason.strip().splitlines()[-1]}"
                case SessionDone():
                    left -= 1
            if not left:
                break
    return why


def _pace(times: Sequence[int], seconds: float, tables: int, fresh: bool) -> Pace:
    """Return the pace of matches that took so many milliseconds. `seconds`: everything, with the starts.

    Where a bot has a `fresh` process for each match, a match costs its starts too.
    """
    played = sum(times) / 1000 / tables
    start = max(0.0, seconds - played)
    return Pace((played + start) / len(times)) if fresh else Pace(played / len(times), start)
