"""The referee process: seats bots, plays sessions, streams finished records back. Stores nothing.

It reads messages from standard input and writes messages to standard output (`jobs`). The end of its input
means that its coordinator is gone. Then it ends every bot and itself.
"""

from __future__ import annotations

import gc
import math
import os
import sys
import traceback
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import repeat

import trio

from arena.bot.channel import PipeChannel
from arena.bot.process import BotProcess
from arena.deals import Deals, MatchKey
from arena.linux.alarm import run
from arena.linux.endings import ENDING_SIGNALS, SIGNALLED
from arena.linux.family import become_subreaper
from arena.linux.reaper import kill_children
from arena.linux.scheduling import let_others_go_on
from arena.match.stand_in import from_deals
from arena.referee.jobs import (
    Aborted,
    Begun,
    Finished,
    JobMessage,
    MatchJob,
    Met,
    SessionDone,
    SessionJob,
    Setup,
    Stop,
    match_setup,
    read_message,
    write_message,
)
from arena.referee.line_stream import LineStream
from arena.referee.playing_loop import PlayingLoop
from arena.referee.process_pool import ProcessPool, Seats, most_waiting
from arena.referee.table import Player, Table
from protocol.messages import PROTOCOL

_GATHER_SECONDS = 0.1
"""The wait for one more session before those that are there are begun."""


class Referee:
    """Plays the sessions it is given, as many side by side as the setup has `tables`.

    Their first matches are played together, then the second ones, and so on. With one table that is one match
    after another. Once `stopping` is set, no further match is begun.
    """

    def __init__(self, setup: Setup, stream: LineStream, nursery: trio.Nursery, stopping: trio.Event) -> None:
        self._setup = setup
        self._stream = stream
        commands = {command.bot: command for command in setup.commands}
        hello: dict[str, object] = {"protocol": PROTOCOL, "arena": setup.arena, "tables_max": setup.tables}
        self._pool = ProcessPool(commands, nursery, hello, most_waiting(setup.tables))
        self._met: set[str] = set()
        self._stopping = stopping

    async def run(self, jobs: trio.MemoryReceiveChannel[SessionJob]) -> None:
        """Play jobs until there are no more or it is to stop. Then end all bots and send what is left."""
        while not self._stopping.is_set() and (sessions := await _gather(jobs, self._setup.tables)):
            await self._play(sessions)
        await self._pool.close("the league has no more matches for this process")
        await self._stream.flush()

    async def _play(self, sessions: Sequence[SessionJob]) -> None:
        for matches in _in_turn(sessions):
            if self._stopping.is_set():
                return
            await MatchesAtOnce(self._setup, self._pool, self._tell, self._introduce).play(matches)
            await self._stream.flush()
        for job in sessions:
            self._tell(SessionDone(job.cycle, job.index))

    def _introduce(self, process: BotProcess) -> None:
        bot, ready = process.command.bot, process.ready
        if ready is not None and bot not in self._met:
            self._met.add(bot)
            self._tell(Met(bot, ready.name, ready.version, ready.language, ready.author))

    def _tell(self, message: JobMessage) -> None:
        self._stream.put(write_message(message))


class MatchesAtOnce:
    """Matches that are played at the same time, from finding their processes to releasing them.

    There is one match of each session that the referee plays, and mostly there is only one session.

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

    async def play(self, matches: Sequence[tuple[Deals, MatchJob]]) -> None:
        """Play these matches to their ends. After an error of the arena's own they are given up.

        Such an error is told as `Aborted`, and not raised.
        """
        self._unfinished = [job for _, job in matches]
        # With one table, the coordinator knows it: it is the first match that is not finished.
        if self._setup.tables > 1:
            self._tell(Begun(tuple(job.key for job in self._unfinished)))
        try:
            await self._seats.find(self._unfinished)
            tables = [self._table(number, *match) for number, match in enumerate(matches)]
            await PlayingLoop(self._over, self._failed, together=False).play(tables)
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
            self._unfinished.remove(job)
            self._tell(Finished(record))

    def _failed(self, table: Table, error: Exception) -> None:
        job = self._jobs[table]
        self._seats.leave_match(list(self._jobs).index(table), "a match of it was given up")
        self._unfinished.remove(job)
        self._aborted.append(Aborted(job.key, _first_cause(error)))


def _first_cause(error: BaseException) -> str:
    """Return the traceback of an error, or of the first one where nurseries have gathered several."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return "".join(traceback.format_exception(error))


async def _gather(jobs: trio.MemoryReceiveChannel[SessionJob], most: int) -> list[SessionJob]:
    """Return the next sessions that come close together, at most `most`; none when there are no more."""
    together: list[SessionJob] = []
    patience = math.inf
    while len(together) < most:
        with trio.move_on_after(patience) as waited:
            try:
                together.append(await jobs.receive())
            except trio.EndOfChannel:
                break
        if waited.cancelled_caught:
            break
        patience = _GATHER_SECONDS
    return together


def _in_turn(sessions: Sequence[SessionJob]) -> Iterator[list[tuple[Deals, MatchJob]]]:
    """Yield the matches to be played together, time after time: the next match of each session.

    Matches of different orders are never together, because they have processes of their own. Some sessions
    are begun in the middle.
    """
    left = [deque(zip(repeat(Deals(bytes.fromhex(job.deals_key))), job.matches)) for job in sessions]
    while any(left):
        order = min(matches[0][1].key.order for matches in left if matches)
        yield [matches.popleft() for matches in left if matches and matches[0][1].key.order == order]


async def _serve(stream: LineStream) -> None:
    """Play what the lines ask for. The end of them, or a signal, ends everything at once.

    After a signal the exit code names it, so that what was being played counts as interrupted.
    """
    lines = stream.lines()
    setup = read_message(await anext(lines))
    assert isinstance(setup, Setup), "the first message is the setup"
    if setup.core is not None:
        os.sched_setaffinity(0, {setup.core})
    if setup.tables > 1:
        let_others_go_on()
    send_job, receive_job = trio.open_memory_channel[SessionJob](math.inf)
    stopping = trio.Event()
    codes: list[int] = []
    async with trio.open_nursery() as nursery:

        async def work() -> None:
            await Referee(setup, stream, nursery, stopping).run(receive_job)
            nursery.cancel_scope.cancel()

        async def heed_signals() -> None:
            with trio.open_signal_receiver(*ENDING_SIGNALS) as signals:
                async for number in signals:
                    codes.append(SIGNALLED + number)
                    nursery.cancel_scope.cancel()

        nursery.start_soon(stream.keep_flushing)
        nursery.start_soon(heed_signals)
        nursery.start_soon(work)
        async for line in lines:
            match read_message(line):
                case SessionJob() as job:
                    # One may have been on its way when it was told to stop: nobody has begun that.
                    if not stopping.is_set():
                        send_job.send_nowait(job)
                case Stop():
                    stopping.set()
                    send_job.close()
                case other:
                    raise AssertionError(other)
        nursery.cancel_scope.cancel()
    if codes:
        sys.exit(codes[0])


def main() -> None:
    """Run a referee, as the command `arena referee` does, until it is stopped or its input ends."""
    serve(_serve)


def serve(work: Callable[[LineStream], Awaitable[None]]) -> None:
    """Run `work` as a process of a referee's kind, with a stream over standard input and output.

    Ends with the last reader of the stream. Whatever `work` has started is killed at the end.
    """
    # The modules stay, so the collector need not look through them again and again.
    gc.freeze()
    # A match makes few cycles of references, and an answer should not wait for the collector.
    gc.set_threshold(10_000, 20, 100)
    become_subreaper()
    # The descriptors are moved away from 0 and 1, so that nothing printed by mistake mixes in.
    reading, writing = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    try:
        run(work, LineStream(PipeChannel(writing, reading)))
    # The coordinator is gone, so there is nobody to tell.
    except* (BrokenPipeError, StopAsyncIteration):
        pass
    finally:
        kill_children()
        sys.stdout.flush()
