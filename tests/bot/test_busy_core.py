"""A deadline moves once for a bot that had no core, and never on an idle machine; the test has the clock."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

import pytest
import trio
from trio.testing import MockClock

from arena.bot.answers import Wrong
from arena.bot.channel import MemoryChannel
from arena.bot.link import Lateness, Link, Reply, ask
from arena.bot.waits import Meter, Threads, ThreadTimes
from arena.match.faults import FaultKind
from protocol import CardAnswer, answer_line
from tests.sitting import MOVE_US, Bot

GRACE = 1.0
IDLE = (0.9, 0.0, 1)
STARVED = (0.006, 0.487, 1)


@dataclass(slots=True)
class Machine:
    """A machine on which each thread of a bot runs and waits for a fixed share of the time."""

    ran: float
    queued: float
    threads: int = 1
    looks: int = 0

    def meter(self) -> Meter:
        return Meter(
            lambda: round(trio.current_time() * 1e6 * self.ran * self.threads), self._read, self._look
        )

    def _read(self, states: bool, known: Container[int] | None, seconds: float) -> Threads:
        now_us = trio.current_time() * 1e6
        # It sleeps between two readings, so that the kernel's own count of its waits is what counts.
        times = ThreadTimes(round(now_us * self.ran), round(now_us * self.queued), round(now_us), ready=False)
        return dict.fromkeys(range(self.threads), times)

    def _look(self) -> None:
        self.looks += 1


async def asked(
    machine: Machine, answer_after: float, limit_us: int = MOVE_US, grace: float = GRACE
) -> Reply:
    """The reply of a bot that answers after so many seconds."""
    ours, theirs = MemoryChannel.pair()
    link = Link(ours, machine.meter())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(Bot(theirs).say, answer_line("q1", "S7"), answer_after)
        reply = await ask(link, {"type": "play"}, "q1", CardAnswer, limit_us, Lateness(grace=grace))
        nursery.cancel_scope.cancel()
    return reply


async def test_an_answer_within_the_time_that_the_bot_had_no_core_stands(autojump_clock: MockClock) -> None:
    reply = await asked(Machine(*STARVED), 1.3)
    assert reply.settled == CardAnswer("q1", "S7")
    assert reply.extended_us == 487_000
    assert reply.wall_us == 1_300_000 - 487_000, "what it got is not charged"
    assert reply.used.queued_us == round(1.3 * 487_000)


async def test_after_that_its_time_is_over(autojump_clock: MockClock) -> None:
    reply = await asked(Machine(*STARVED), 9.0)
    assert isinstance(reply.settled, Wrong)
    assert reply.settled.kind is FaultKind.TIMEOUT
    assert "nothing came in 1.487 s" in reply.settled.reason
    assert (reply.wall_us, reply.extended_us) == (1_487_000, 487_000)


@pytest.mark.parametrize("limit_us", [50_000, MOVE_US, 4 * MOVE_US])
async def test_on_an_idle_machine_the_deadline_is_what_it_was(
    autojump_clock: MockClock, limit_us: int
) -> None:
    """As without any meter, and nobody looks for processes before the time is over."""
    idle, known = Machine(*IDLE), await asked(Machine(*IDLE), 99.0, limit_us, grace=0.0)
    reply = await asked(idle, 99.0, limit_us)
    assert reply == known
    assert (reply.wall_us, reply.extended_us, idle.looks) == (limit_us, 0, 1)
    in_time = await asked(idle, limit_us / 2e6, limit_us)
    assert (in_time.wall_us, in_time.extended_us, idle.looks) == (limit_us // 2, 0, 1)


async def test_64_threads_that_wait_for_one_another_gain_nothing(autojump_clock: MockClock) -> None:
    crowd = Machine(ran=1 / 64, queued=63 / 64, threads=64)
    reply = await asked(crowd, 1.001)
    assert isinstance(reply.settled, Wrong)
    assert (reply.wall_us, reply.extended_us, reply.used.queued_us) == (MOVE_US, 0, 0)


@pytest.mark.parametrize(("queued", "extended_us"), [(0.1, 0), (0.11, 110_000), (0.9, 900_000)])
async def test_it_moves_for_more_than_a_tenth(
    autojump_clock: MockClock, queued: float, extended_us: int
) -> None:
    assert (await asked(Machine(0.05, queued), 9.0)).extended_us == extended_us


async def test_a_tick_of_the_kernel_is_no_wait(autojump_clock: MockClock) -> None:
    assert (await asked(Machine(0.05, 0.2), 9.0, limit_us=50_000)).extended_us == 0


async def test_it_moves_by_the_time_for_a_move_at_most(autojump_clock: MockClock) -> None:
    """Also where the bot has a bank, and so waited longer."""
    reply = await asked(Machine(0.0, 0.9), 99.0, limit_us=5 * MOVE_US)
    assert (reply.wall_us, reply.extended_us) == (6 * MOVE_US, MOVE_US)


async def test_it_moves_by_no_more_than_the_bot_left_of_its_core(autojump_clock: MockClock) -> None:
    reply = await asked(Machine(ran=0.7, queued=0.9), 99.0)
    assert reply.extended_us == 300_000


async def test_it_moves_once(autojump_clock: MockClock) -> None:
    machine = Machine(*STARVED)
    assert (await asked(machine, 99.0)).wall_us == 1_487_000
    assert machine.looks == 1


async def test_a_late_referee_costs_the_bot_nothing_of_it(autojump_clock: MockClock) -> None:
    ours, _ = MemoryChannel.pair()
    lateness = Lateness(grace=GRACE)
    link = Link(ours, Machine(*STARVED).meter())
    link.put(b"?\n", "q1", CardAnswer, MOVE_US, lateness)
    link.write()
    link.waiting_in(trio.CancelScope())
    await trio.sleep(1.2)
    assert link.collect(linger=False) == [], "the referee was late by 0.2 s, so the deadline moves by 0.4 s"
    await trio.sleep(0.7)
    assert link.collect(linger=False) == [], "it was late again, but now the bot's waits count"
    assert link.deadline == pytest.approx(1.9 + 0.487 * 1.9)
    await trio.sleep_until(link.deadline)
    ((_, reply),) = link.collect(linger=False)
    assert isinstance(reply, Reply)
    assert (reply.wall_us, reply.extended_us) == (pytest.approx(2_825_300), 925_300)
    assert lateness.count == 1


async def test_each_question_of_a_batch_has_its_own(autojump_clock: MockClock) -> None:
    ours, _ = MemoryChannel.pair()
    link = Link(ours, Machine(*STARVED).meter())
    for name in ("q1", "q2"):
        link.put(b"?\n", name, CardAnswer, MOVE_US, Lateness(grace=GRACE))
    link.write()
    times = []
    while link.busy:
        with trio.CancelScope(deadline=link.deadline) as scope:
            link.waiting_in(scope)
            await link.wait_for_more()
        for _, reply in link.collect(linger=False):
            assert isinstance(reply, Reply)
            times.append((reply.wall_us, reply.extended_us))
    assert times == [(1_487_000, 487_000), (1_487_000, 487_000)]
