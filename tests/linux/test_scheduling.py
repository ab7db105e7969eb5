"""On which cores things run, for a while or for good, and which sessions give way."""

from __future__ import annotations

import os
import subprocess

import pytest
import trio

from arena.bot.launch import BotCommand
from arena.bot.process import BotProcess
from arena.linux.scheduling import placed
from tests.tables import HELLO, command

CORES = sorted(os.sched_getaffinity(0))
several = pytest.mark.skipif(len(CORES) < 2, reason="there is one core")


def _affinity_of_a_child() -> set[int]:
    with subprocess.Popen(["sleep", "60"]) as child:
        try:
            return os.sched_getaffinity(child.pid)
        finally:
            child.kill()


@several
def test_what_is_started_meanwhile_stays_there() -> None:
    with placed({CORES[0]}):
        assert _affinity_of_a_child() == {CORES[0]}
        with placed(()):
            assert _affinity_of_a_child() == {CORES[0]}
        with placed(CORES):
            assert _affinity_of_a_child() == set(CORES)
        assert os.sched_getaffinity(0) == {CORES[0]}
    assert os.sched_getaffinity(0) == set(CORES)


async def _cores_of(bot: BotCommand) -> tuple[set[int], bool]:
    """Where it may run after a look of its watchdog, and whether it counts as having left its core."""
    async with trio.open_nursery() as nursery:
        process = await BotProcess.start(bot, nursery, HELLO)
        assert isinstance(process, BotProcess)
        place = process.sit_down()
        assert process.watchdog.look() is None
        cores = os.sched_getaffinity(process.pid)
        usage = process.stand_up(place)
        await process.end("seen")
        nursery.cancel_scope.cancel()
    return cores, usage.left_core


@several
async def test_a_bot_of_several_threads_is_not_pinned_with_its_referee() -> None:
    pinned = command("slow", "silent")
    free = BotCommand(pinned.bot, pinned.argv, pinned.folder, threads=2, cores=tuple(CORES))
    with placed({CORES[0]}):
        assert await _cores_of(pinned) == ({CORES[0]}, False)
        assert await _cores_of(free) == (set(CORES), False)
