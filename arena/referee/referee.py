"""The referee process: seats bots, plays sessions, streams finished records back. Stores nothing.

Reads messages from standard input and writes them to standard output (`jobs`). When its input ends,
its coordinator is gone: it ends every bot and itself.
"""

from __future__ import annotations

import gc
import math
import os
import signal
import sys
import time
import traceback

import trio

from arena.bot.channel import PipeChannel
from arena.bot.line_stream import LineStream
from arena.bot.process import BotProcess, StartFailure
from arena.deals import Deals
from arena.linux.alarm import run
from arena.linux.reaper import become_subreaper, kill_children
from arena.linux.scheduling import let_others_go_on
from arena.match.record import MatchRecord
from arena.match.stand_in import STAND_IN, from_deals
from arena.referee.jobs import (
    Aborted,
    Finished,
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
from arena.referee.match_setup import match_setup
from arena.referee.replicas import Replicas, most_waiting
from arena.referee.side_by_side import Outside, SideBySide, gather
from arena.referee.table import Player, Table
from protocol.messages import PROTOCOL

__all__ = ["Referee", "main", "match_setup"]

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""They mean the same as the end of the input: end every bot and itself."""


class Referee:
    """Plays the sessions it is given: one match after another, or where the setup has more `tables`, so
    many sessions side by side."""

    def __init__(self, setup: Setup, stream: LineStream, nursery: trio.Nursery) -> None:
        self._setup = setup
        self._stream = stream
        commands = {command.bot: command for command in setup.commands}
        hello: dict[str, object] = {"protocol": PROTOCOL, "arena": setup.arena, "tables_max": setup.tables}
        self._replicas = Replicas(commands, nursery, hello, most_waiting(setup.tables))
        self._met: set[str] = set()
        self._stopping = False

    async def run(self, jobs: trio.MemoryReceiveChannel[SessionJob]) -> None:
        """Play jobs until there are no more, or `stop` was called."""
        if self._setup.tables > 1:
            await self._side_by_side(jobs)
        else:
            async for job in jobs:
                await self._session(job)
                if self._stopping:
                    break
        await self._replicas.close("the league has no more matches for this process")
        await self._tell_overruns()

    def stop(self) -> None:
        """Begin no further match."""
        self._stopping = True

    async def _side_by_side(self, jobs: trio.MemoryReceiveChannel[SessionJob]) -> None:
        outside = Outside(self._send, self._introduce, lambda: self._stopping)
        beside = SideBySide(self._setup, self._replicas, outside)
        while not self._stopping and (together := await gather(jobs, self._setup.tables)):
            await self._tell_overruns()
            await beside.play(together)

    async def _session(self, job: SessionJob) -> None:
        deals = Deals(bytes.fromhex(job.deals_key))
        for match_job in job.matches:
            if self._stopping:
                return
            await self._tell_overruns()
            await self._match(deals, match_job)
        await self._send(SessionDone(job.cycle, job.index))

    async def _tell_overruns(self) -> None:
        for bot, reason in self._replicas.take_overran():
            await self._send(Overran(bot, reason))

    async def _match(self, deals: Deals, job: MatchJob) -> None:
        cpu_before = time.process_time_ns()
        try:
            record = await self._play(deals, job)
        except Exception:  # an error of ours: the match is not the bots' to lose
            await self._send(Aborted(job.key, traceback.format_exc()))
            return
        await self._send(Finished(record, (time.process_time_ns() - cpu_before) // 1000))

    async def _play(self, deals: Deals, job: MatchJob) -> MatchRecord:
        setup = match_setup(self._setup, deals, job)
        leased: dict[int, BotProcess | StartFailure] = {}
        try:
            await self._seat(job, leased)
            players = [Player(bot, leased.get(seat)) for seat, bot in enumerate(job.seats)]
            chooser = from_deals(deals, job.key)
            together = self._setup.together
            table = Table(setup, chooser, players, self._replicas.discard, together=together)
            record = await table.play(job.key, self._setup.sandbox)
        except BaseException:
            for process in leased.values():
                if isinstance(process, BotProcess):
                    self._replicas.discard(process, "the match was given up")
            raise
        for player, seat in zip(players, record.seats, strict=True):
            if isinstance(player.process, BotProcess) and seat.hand_over is None:
                self._replicas.give_back(player.process)
        return record

    async def _seat(self, job: MatchJob, leased: dict[int, BotProcess | StartFailure]) -> None:
        """Find the processes of all bots, or start them, together; into `leased`, by seat, as they come."""
        bots = {seat: bot for seat, bot in enumerate(job.seats) if bot != STAND_IN}
        replica = job.key.order
        for seat, bot in bots.items():
            idle = self._replicas.lease_idle(bot, replica)
            if idle is not None:
                leased[seat] = idle
        missing = bots.keys() - leased.keys()
        if missing:  # a nursery takes as long as ten decisions

            async def start(seat: int) -> None:
                leased[seat] = await self._replicas.lease_new(bots[seat], replica)

            async with trio.open_nursery() as nursery:
                for seat in sorted(missing):
                    nursery.start_soon(start, seat)
        for seat, bot in bots.items():
            await self._introduce(bot, leased[seat])

    async def _introduce(self, bot: str, process: BotProcess | StartFailure) -> None:
        if isinstance(process, StartFailure) or process.ready is None or bot in self._met:
            return
        self._met.add(bot)
        ready = process.ready
        await self._send(Met(bot, ready.name, ready.version, ready.language, ready.author))

    async def _send(self, message: JobMessage) -> None:
        await self._stream.send(write_message(message))


async def _serve(stream: LineStream) -> None:
    lines = stream.lines()
    setup = read_message(await anext(lines))
    assert isinstance(setup, Setup), "the first message is the setup"
    if setup.core is not None:
        os.sched_setaffinity(0, {setup.core})
    if setup.tables > 1:
        let_others_go_on()
    send_job, receive_job = trio.open_memory_channel[SessionJob](math.inf)
    async with trio.open_nursery() as nursery:
        referee = Referee(setup, stream, nursery)

        async def work() -> None:
            await referee.run(receive_job)
            nursery.cancel_scope.cancel()

        async def heed_signals() -> None:
            with trio.open_signal_receiver(*_SIGNALS) as signals:
                async for _ in signals:
                    nursery.cancel_scope.cancel()

        nursery.start_soon(heed_signals)
        nursery.start_soon(work)
        async for line in lines:
            match read_message(line):
                case SessionJob() as job:
                    send_job.send_nowait(job)
                case Stop():
                    referee.stop()
                    send_job.close()
                case other:
                    raise AssertionError(other)
        nursery.cancel_scope.cancel()


def main() -> None:
    """The body of `arena referee`."""
    gc.freeze()  # the modules stay: they need not be looked through again and again
    gc.set_threshold(10_000, 20, 100)  # a match makes few cycles; an answer should not wait for the collector
    become_subreaper()
    # The descriptors are moved away from 0 and 1, so that nothing printed by mistake mixes in.
    reading, writing = os.dup(0), os.dup(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    try:
        run(_serve, LineStream(PipeChannel(writing, reading)))
    except* (BrokenPipeError, StopAsyncIteration):
        pass  # the coordinator is gone; there is nobody to tell
    finally:
        kill_children()
        sys.stdout.flush()
