"""Matches that are played at the same time, from finding their processes to releasing them. Plays no card.

There is one match of each session that a referee plays, and mostly there is only one session. `PlayingLoop`
plays the cards.
"""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Sequence

from arena.bot.even_shares import EvenShares
from arena.bot.process import BotProcess
from arena.deals import Deals, MatchKey
from arena.match.stand_in import from_deals
from arena.referee.jobs import Aborted, Begun, Finished, JobMessage, MatchJob, Setup
from arena.referee.match_setup import match_setup
from arena.referee.playing_loop import PlayingLoop
from arena.referee.process_pool import ProcessPool
from arena.referee.seats import Seats
from arena.referee.table import Player, Table

__all__ = ["MatchesAtOnce"]


class MatchesAtOnce:
    """Some matches of one referee.

    `tell` takes messages for the coordinator. `introduce`: see `Seats`.
    """

    def __init__(
        self,
        setup: Setup,
        pool: ProcessPool,
        tell: Callable[[JobMessage], None],
        introduce: Callable[[BotProcess], None],
    ) -> None:
        self._setup = setup
        self._tell = tell
        self._seats = Seats(pool, setup.tables, introduce)
        self._jobs: dict[Table, MatchJob] = {}
        self._unfinished: list[MatchJob] = []
        self._aborted: list[Aborted] = []
        self._cpu = EvenShares()
        self._began = 0.0

    async def play(self, matches: Sequence[tuple[Deals, MatchJob]]) -> None:
        """Play these matches to their ends. After an error of the arena's own they are given up.

        Such an error is told as `Aborted`, and not raised.
        """
        self._unfinished = [job for _, job in matches]
        # With one table, the coordinator knows it: it is the first match that is not finished.
        if self._setup.tables > 1:
            self._tell(Begun(tuple(job.key for job in self._unfinished)))
        cpu_ns = time.process_time_ns()
        for _ in matches:
            self._began = self._cpu.join(cpu_ns)
        try:
            await self._seats.find(self._unfinished)
            tables = [self._table(number, *match) for number, match in enumerate(matches)]
            await PlayingLoop(self._over, self._failed, together=self._setup.together).play(tables)
        # The error is ours, so the bots must not lose the matches.
        except Exception as error:
            cause = _first_cause(error)
            self._aborted += [Aborted(job.key, cause) for job in self._unfinished]
            self._seats.release("its matches were given up")
        except BaseException:
            self._seats.release("its matches were given up")
            raise
        else:
            self._seats.release()
        await self._tell_aborted([job.key for _, job in matches])

    async def _tell_aborted(self, keys: Sequence[MatchKey]) -> None:
        """Tell of the aborted matches, each when all processes that sat in it have ended.

        It is played again with the same boards, suits and seeds. So nobody may be left who has seen them.
        """
        for aborted in self._aborted:
            await self._seats.gone(keys.index(aborted.key))
            self._tell(aborted)

    def _table(self, number: int, deals: Deals, job: MatchJob) -> Table:
        found = self._seats.found
        players = [Player(bot, found.get((number, seat))) for seat, bot in enumerate(job.seats)]
        setup = match_setup(self._setup, deals, job)
        table = Table(setup, from_deals(deals, job.key), players, self._seats.leave)
        self._jobs[table] = job
        return table

    def _over(self, table: Table) -> None:
        job = self._jobs[table]
        try:
            record = table.record(job.key, self._setup.sandbox)
        except Exception as error:
            self._failed(table, error)
        else:
            self._tell(Finished(record, self._done(job)))

    def _failed(self, table: Table, error: Exception) -> None:
        job = self._jobs[table]
        self._seats.leave_match(list(self._jobs).index(table), "a match of it was given up")
        self._done(job)
        self._aborted.append(Aborted(job.key, _first_cause(error)))

    def _done(self, job: MatchJob) -> int:
        """Note that a match is done. Return its share of the referee's processor time, in microseconds."""
        self._unfinished.remove(job)
        return self._cpu.leave(time.process_time_ns(), self._began) // 1000


def _first_cause(error: BaseException) -> str:
    """Return the traceback of an error, or of the first one where nurseries have gathered several."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return "".join(traceback.format_exception(error))
