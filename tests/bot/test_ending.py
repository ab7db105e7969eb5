"""How the process of a bot ends, and that nothing of it is left: by itself, at `bye`, or killed."""

from __future__ import annotations

import os
import signal

import pytest
import trio

from arena.bot import launch
from arena.bot.answers import Settled, Wrong
from arena.bot.launch import BotCommand
from arena.bot.link import ask
from arena.bot.process import BotProcess
from arena.linux import namespace
from arena.linux.family import adopting_orphans
from arena.linux.process_tree import children
from arena.match.faults import FaultKind
from protocol.messages import CardsAnswer
from tests.tables import HELLO, command, left_alive, noted_pids, until

PASS = {"type": "pass", "id": "", "hand": ["S1", "S2", "S3"], "count": 2}


async def _started(bot: BotCommand, nursery: trio.Nursery) -> BotProcess:
    process = await BotProcess.start(bot, nursery, HELLO)
    assert isinstance(process, BotProcess), process
    return process


async def _ask(process: BotProcess, question_id: str) -> Settled:
    reply = await ask(process.link, PASS | {"id": question_id}, question_id, CardsAnswer, 5_000_000)
    return reply.settled


async def test_a_bot_whose_family_is_killed_from_above_is_noticed_and_leaves_nothing(
    nursery: trio.Nursery,
) -> None:
    process = await _started(command("breeds", "child"), nursery)
    process.read_stderr()
    below = noted_pids(process.pid, process.stderr.head)
    os.kill(process.pid, signal.SIGKILL)
    await until(lambda: not process.usable)
    await until(lambda: not left_alive(below, patience=0))
    wrong = await _ask(process, "q1")
    assert isinstance(wrong, Wrong)
    assert wrong.kind is FaultKind.CRASHED  # though the child held its output open
    await process.end("that was all")


async def test_a_bot_that_kills_its_supervisor_has_crashed_and_leaves_nothing(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it can: the kernel protects the first process of a namespace."""
    for module in (launch, namespace):
        monkeypatch.setattr(module, "has_namespaces", lambda: False)
    with adopting_orphans():  # as a referee does
        process = await _started(command("breeds", "kills"), nursery)
        answers = [await _ask(process, f"q{number}") for number in (1, 2, 3)]
        process.read_stderr()
        # It notes the numbers that its processes have here, for there is no namespace.
        (demon,) = [int(line.split()[1]) for line in process.stderr.head.splitlines()]
        await until(lambda: not left_alive([demon], patience=0))
        await process.end("that was all")
    wrong = answers[2]
    assert isinstance(wrong, Wrong)
    assert (wrong.kind, wrong.reason) == (FaultKind.CRASHED, "the process was killed by SIGKILL")


async def test_its_number_stays_its_own_until_it_is_ended(nursery: trio.Nursery) -> None:
    """A killed group must never be somebody else's that got the number of a dead bot."""
    process = await _started(command("dies", "match_over", "0"), nursery)
    process.link.tell({"type": "match_over", "table": 0, "scores": [], "places": [], "events": []})
    process.link.flush()
    await until(lambda: not process.alive)
    assert await process.how_it_ended() == "the process ended by itself, with exit code 0"
    assert process.watchdog.cpu_us(), "a zombie's processor time can still be read"
    assert process.pid in children()
    await process.end("that was all")
    assert process.pid not in children()


async def test_ending_twice_at_once_closes_nobody_elses_descriptors(nursery: trio.Nursery) -> None:
    process = await _started(command("stubborn", "sits"), nursery)
    async with trio.open_nursery() as both:
        both.start_soon(process.end, "one")
        both.start_soon(process.end, "other")
    await process.end("once more")
    assert left_alive([process.pid]) == []
