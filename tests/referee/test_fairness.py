"""Who gets the core that a referee shares with its bots, and what start-ups cost others."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
import trio

from arena.bot.link import ask
from arena.bot.process import BotProcess
from arena.referee.process_pool import ProcessPool
from protocol.messages import CardsAnswer
from tests.tables import HELLO, command

_PASS = {"type": "pass", "id": "q1", "hand": ["S1", "S2", "S3"], "count": 2}


@pytest.fixture
def one_core() -> Iterator[int]:
    """This process on one core, the last that it may use."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    yield max(cores)
    os.sched_setaffinity(0, cores)


@pytest.mark.usefixtures("one_core")
@pytest.mark.parametrize("how", ["off_turn", "off_turn_session"])
@pytest.mark.slow
@pytest.mark.clocks
async def test_a_referee_keeps_four_fifths_of_the_core_that_a_spinning_bot_wants(
    how: str, nursery: trio.Nursery
) -> None:
    bot = replace(command("hungry", how), nice=10)
    process = await BotProcess.start(bot, nursery, HELLO)
    assert isinstance(process, BotProcess)
    await ask(process.link, _PASS, "q1", CardsAnswer, 5_000_000)  # begins to spin
    await trio.sleep(1.2)  # until a look has found it, and the kernel has taken the nice
    process.watchdog.look()
    before, began = process.watchdog.cpu_us(), time.monotonic()
    while (passed := time.monotonic() - began) < 1.5:
        pass
    bots = (process.watchdog.cpu_us() - before) / 1e6
    await process.end("that was all")
    assert bots > 0, "it wanted the core"
    # Of the whole core: on a quiet machine that is its share beside us, on a busy one its share beside all.
    assert bots / passed <= 0.2


@pytest.mark.slow
async def test_start_ups_on_one_core_do_not_eat_each_others_time(one_core: int) -> None:
    """Five bots that each compute for half of their time to start: together they would all be late."""
    bots = [command("hungry", "late", bot=f"late{number}", start_ms=1500) for number in range(5)]
    async with trio.open_nursery() as nursery:
        replicas = ProcessPool({bot.bot: bot for bot in bots}, nursery, HELLO)
        ready: list[str] = []

        async def lease(bot: str) -> None:
            process = await replicas.lease_new(bot, 0)
            assert isinstance(process, BotProcess), process
            ready.append(bot)
            replicas.give_back(process)

        async with trio.open_nursery() as starters:
            for bot in bots:
                starters.start_soon(lease, bot.bot)
        await replicas.close("that was all")
    assert len(ready) == 5
