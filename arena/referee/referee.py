"""The referee process: seats bots, plays sessions, streams finished records back. Stores nothing.

It reads messages from standard input and writes messages to standard output (`jobs`). The end of its input
means that its coordinator is gone. Then it ends every bot and itself.
"""

from __future__ import annotations

import gc
import math
import os
import signal
import sys
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from itertools import repeat

import trio

from arena.bot.channel import PipeChannel
from arena.bot.process import BotProcess
from arena.deals import Deals
from arena.linux.alarm import run
from arena.linux.family import become_subreaper
from arena.linux.reaper import kill_children
from arena.linux.scheduling import let_others_go_on
from arena.referee.jobs import (
    JobMessage,
    MatchJob,
    Met,
    Overran,
    SessionDone,
    SessionJob,
    Setup,
    Stop,
    read_message,
    write_message,
)
from arena.referee.line_stream import LineStream
from arena.referee.matches import MatchesAtOnce
from arena.referee.process_pool import ProcessPool, most_waiting
from protocol.messages import PROTOCOL

__all__ = ["Referee", "main", "play_lines", "serve"]

_GATHER_SECONDS = 0.1
"""The wait for one more session before those that are there are begun."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The signals that mean the same as the end of the input: end every bot and the referee itself."""


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
        self._tell_overruns()
        await self._stream.flush()

    async def _play(self, sessions: Sequence[SessionJob]) -> None:
        for matches in _in_turn(sessions):
            if self._stopping.is_set():
                return
            self._tell_overruns()
            await MatchesAtOnce(self._setup, self._pool, self._tell, self._introduce).play(matches)
            await self._stream.flush()
        for job in sessions:
            self._tell(SessionDone(job.cycle, job.index))

    def _tell_overruns(self) -> None:
        for bot, reason in self._pool.take_overran():
            self._tell(Overran(bot, reason))

    def _introduce(self, process: BotProcess) -> None:
        bot, ready = process.command.bot, process.ready
        if ready is not None and bot not in self._met:
            self._met.add(bot)
            self._tell(Met(bot, ready.name, ready.version, ready.language, ready.author))

    def _tell(self, message: JobMessage) -> None:
        self._stream.put(write_message(message))


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
    left = [deque(zip(repeat(_deals(job)), job.matches, strict=False)) for job in sessions]
    while any(left):
        order = min(matches[0][1].key.order for matches in left if matches)
        yield [matches.popleft() for matches in left if matches and matches[0][1].key.order == order]


def _deals(job: SessionJob) -> Deals:
    return Deals(bytes.fromhex(job.deals_key))


async def _serve(stream: LineStream) -> None:
    lines = stream.lines()
    setup = read_message(await anext(lines))
    assert isinstance(setup, Setup), "the first message is the setup"

    async def ready() -> Setup:
        return setup

    await play_lines(stream, lines, ready)


async def play_lines(
    stream: LineStream, lines: AsyncIterator[bytes], ready: Callable[[], Awaitable[Setup | None]]
) -> None:
    """Be a referee: play what these lines ask for as soon as `ready` has returned the setup.

    Nothing is played if it returns None. The lines are read meanwhile: the end of them, or a signal, ends
    everything at once.
    """
    send_job, receive_job = trio.open_memory_channel[SessionJob](math.inf)
    stopping = trio.Event()
    async with trio.open_nursery() as nursery:

        async def work() -> None:
            setup = await ready()
            if setup is not None:
                if setup.core is not None:
                    os.sched_setaffinity(0, {setup.core})
                if setup.tables > 1:
                    let_others_go_on()
                await Referee(setup, stream, nursery, stopping).run(receive_job)
            await stream.flush()
            nursery.cancel_scope.cancel()

        async def heed_signals() -> None:
            with trio.open_signal_receiver(*_SIGNALS) as signals:
                async for _ in signals:
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
