"""Real programs on a core that others want too. Only who gets more time is asked, never how much."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import pytest
import trio

from arena.bot.answers import Wrong
from arena.bot.link import Lateness, Reply, ask
from arena.bot.process import BotProcess, StartFailure
from arena.deals import MatchKey
from arena.linux.process_tree import queued_us
from arena.match.faults import FaultKind
from arena.match.stand_in import from_deals
from arena.match.times import extended_at, extended_by_seat
from arena.referee.playing_loop import play_one
from arena.referee.table import Player, Table
from arena.verify.match_check import Expected, check_match
from protocol import CardAnswer
from tests.tables import HELLO, command, deals_of, match_of, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(queued_us([os.getpid()]) is None, reason="the kernel does not tell who waits"),
]

MOVE_US = 1_000_000
_SPIN = "import os, sys; os.sched_setaffinity(0, {int(sys.argv[1])}); print(flush=True)\nwhile True: pass"


@contextmanager
def spinners(core: int, count: int = 3) -> Iterator[None]:
    """Programs that want this core all the time."""
    argv = [sys.executable, "-c", _SPIN, str(core)]
    started = [subprocess.Popen(argv, stdout=subprocess.PIPE) for _ in range(count)]
    try:
        for one in started:
            assert one.stdout is not None
            one.stdout.readline()
        yield
    finally:
        for one in started:
            one.kill()
            one.communicate()


def a_core() -> int:
    return min(os.sched_getaffinity(0))


async def asked(threads: int, nursery: trio.Nursery) -> tuple[Reply, int]:
    """The reply of a bot with so many busy threads, and how long all of them waited, summed up."""
    bot = replace(command("crowd", "question", str(threads)), cores=(a_core(),), start_ms=60_000)
    process = await BotProcess.start(bot, nursery, HELLO)
    assert isinstance(process, BotProcess), process
    message: dict[str, object] = {"type": "play", "id": "q1"}
    reply = await ask(process.link, message, "q1", CardAnswer, MOVE_US, Lateness(grace=MOVE_US / 1e6))
    if threads > 1:
        await until(lambda: (process.watchdog.queued_us() or 0) > 4 * MOVE_US)
    summed_us = process.watchdog.queued_us() or 0
    await process.end("that was all")
    return reply, summed_us


async def test_64_threads_get_no_more_than_their_core_was_taken_from_them(nursery: trio.Nursery) -> None:
    """Their waits for one another add up to many seconds, and count for nothing."""
    reply, summed_us = await asked(64, nursery)
    assert isinstance(reply.settled, Wrong)
    assert reply.settled.kind is FaultKind.TIMEOUT
    assert reply.used.cpu_us is not None
    assert reply.used.queued_us is not None
    assert summed_us > 4 * MOVE_US
    taken_us = reply.wall_us - reply.used.cpu_us
    assert reply.extended_us <= reply.used.queued_us <= taken_us + 10_000


async def test_so_does_a_bot_that_gets_ready(nursery: trio.Nursery) -> None:
    bot = replace(command("crowd", "start", "1", start_ms=1000), cores=(a_core(),))
    with spinners(a_core()):
        failure = await BotProcess.start(bot, nursery, HELLO)
    assert isinstance(failure, StartFailure)
    assert "not ready within 1 s" in failure.reason
    assert failure.wall_us > 1_100_000
    assert failure.used.queued_us is not None
    assert failure.used.cpu_us is not None
    assert failure.used.queued_us > 100_000


async def test_the_record_of_a_match_says_which_deadlines_moved(nursery: trio.Nursery) -> None:
    """The crowd times out twice and is replaced; what it got is kept with the decisions and their faults."""
    core = (a_core(),)
    bots = [replace(command("crowd", "question", "1"), cores=core, start_ms=60_000)]
    bots += [replace(command("good", bot=bot), cores=core, start_ms=60_000) for bot in ("ant", "bee")]
    players = []
    for bot in bots:
        process = await BotProcess.start(bot, nursery, HELLO)
        assert isinstance(process, BotProcess), process
        players.append(Player(bot.bot, process))
    key = MatchKey(0, 0, 0)
    setup = match_of([bot.bot for bot in bots])
    ends = partial(nursery.start_soon, BotProcess.end)
    table = Table(setup, from_deals(deals_of(), key), players, ends)
    with spinners(core[0]):
        record = await play_one(table, key, "off", together=False)
    for player in players:
        assert isinstance(player.process, BotProcess)
        await player.process.end("that was all")
    (played,) = record.rounds
    late = [fault for fault in record.faults if fault.seat == 0 and fault.kind is FaultKind.TIMEOUT]
    moved = [extended_at(record, 0, fault.question or 0, 0) for fault in late]
    assert all(by_us > 0 for by_us in moved)
    assert [fault.wall_us >= MOVE_US + by_us for fault, by_us in zip(late, moved, strict=True)] == [True] * 2
    assert sum(moved) <= sum(by_us for _, by_us in played.extended) == sum(extended_by_seat(record))
    known = Expected(tuple(bot.bot for bot in bots), 1, None, setup.terms)
    assert list(check_match(record, known)) == []
