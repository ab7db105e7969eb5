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

from arena.bot.process import BotProcess, StartFailure
from arena.bot.waits import read_threads
from arena.deals import MatchKey
from arena.match.faults import FaultKind
from arena.match.stand_in import from_deals
from arena.match.times import extended_by_seat
from arena.referee.playing_loop import play_one
from arena.referee.table import Player, Table
from arena.verify.match_check import Expected, check_match
from tests.tables import HELLO, command, deals_of, match_of

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not read_threads([os.getpid()], states=False), reason="the kernel does not tell who waits"
    ),
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
    moved = extended_by_seat(record)
    assert len(late) == 2
    assert sum(fault.wall_us for fault in late) >= 2 * MOVE_US + moved[0] > 2 * MOVE_US
    assert sum(moved) == sum(by_us for _, by_us in played.extended)
    known = Expected(tuple(bot.bot for bot in bots), 1, None, setup.terms)
    assert list(check_match(record, known)) == []
