"""A deadline moves once for a bot that had no core, and never on an idle machine; the test has the clock."""

from __future__ import annotations

from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock

from arena.match.faults import FaultKind
from tests.sitting import MOVE_US, Closed, Desk, Machine, card

IDLE = Machine(0.9, 0.0)
STARVED = Machine(0.006, 0.487)
CROWD = Machine(1 / 64, 63 / 64, threads=64)


async def asked(
    machine: Machine, answer_after: float, limit_us: int = MOVE_US, count: int = 1
) -> list[Closed]:
    """What becomes of so many questions, of which a bot answers the first after so many seconds."""
    async with trio.open_nursery() as nursery:
        desk = Desk(nursery, machine.meter())
        for lateness in desk.lateness:
            lateness.grace = MOVE_US / 1e6
        desk.answers((answer_after, card(0)))
        closed = await desk.ask(count, limit_us)
        nursery.cancel_scope.cancel()
    return closed


@pytest.mark.parametrize(
    ("machine", "answer_after", "limit_us", "wall_us", "extended_us"),
    [
        pytest.param(STARVED, 1.3, MOVE_US, 1_300_000 - 487_000, 487_000, id="what it got is not charged"),
        pytest.param(STARVED, 9.0, MOVE_US, 1_487_000, 487_000, id="after that its time is over"),
        pytest.param(IDLE, 0.5, MOVE_US, 500_000, 0, id="idle"),
        pytest.param(IDLE, 9.0, MOVE_US, MOVE_US, 0, id="idle and over"),
        pytest.param(IDLE, 9.0, 50_000, 50_000, 0, id="idle and soon over"),
        pytest.param(CROWD, 1.001, MOVE_US, MOVE_US, 0, id="64 threads that wait for one another"),
        pytest.param(Machine(0.05, 0.1), 9.0, MOVE_US, MOVE_US, 0, id="a tenth is no wait"),
        pytest.param(Machine(0.05, 0.11), 9.0, MOVE_US, 1_110_000, 110_000, id="more than a tenth is"),
        pytest.param(Machine(0.05, 0.2), 9.0, 50_000, 50_000, 0, id="nor is a tick of the kernel"),
        pytest.param(Machine(0.0, 0.9), 99.0, 5 * MOVE_US, 6 * MOVE_US, MOVE_US, id="at most a move"),
        pytest.param(Machine(0.7, 0.9), 9.0, MOVE_US, 1_300_000, 300_000, id="what it left of its core"),
    ],
)
async def test_a_deadline_moves_for_what_others_had_of_the_core(
    autojump_clock: MockClock,
    machine: Machine,
    answer_after: float,
    limit_us: int,
    wall_us: int,
    extended_us: int,
) -> None:
    machine = replace(machine)
    (closed,) = await asked(machine, answer_after, limit_us)
    assert (closed.wall_us, closed.extended_us) == (wall_us, extended_us)
    in_time = answer_after * 1e6 <= limit_us + extended_us
    assert (closed.wrong and closed.wrong.kind) == (None if in_time else FaultKind.TIMEOUT)
    assert machine.looks <= 1, "its processes are looked for when the time is over, and once"


async def test_a_late_referee_costs_the_bot_nothing_of_it(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        desk = Desk(nursery, replace(STARVED).meter())
        desk.lateness[0].grace = 1.0
        desk.put(0)
        desk.link.write()
        desk.link.waiting_in(trio.CancelScope())
        await trio.sleep(1.2)
        assert desk.collect() == [], "the referee was late by 0.2 s, so the deadline moves by 0.4 s"
        await trio.sleep(0.7)
        assert desk.collect() == [], "it was late again, but now the bot's waits count"
        assert desk.link.deadline == pytest.approx(1.9 + 0.487 * 1.9)
        await trio.sleep_until(desk.link.deadline)
        (closed,) = desk.collect()
    assert (closed.wall_us, closed.extended_us) == (pytest.approx(2_825_300), 925_300)
    assert desk.lateness[0].count == 1


async def test_each_question_of_a_batch_has_its_own(autojump_clock: MockClock) -> None:
    closed = await asked(replace(STARVED), 99.0, count=2)
    assert [(one.wall_us, one.extended_us) for one in closed] == [(1_487_000, 487_000)] * 2
