"""How long a bot waited for a core that others had, compared with a scheduler that knows the truth, and when
that is measured."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hypothesis import given
from hypothesis import strategies as st

from arena.bot.waits import (
    NO_METER,
    UNKNOWN,
    Reading,
    ThreadTimes,
    TurnMeter,
    Used,
    waited_us,
)
from tests.examples import examples

TICK_US = 1000


def reading(at: float, cpu_us: int | None, *threads: tuple[int, int, int, bool]) -> Reading:
    return Reading(at, cpu_us, {number: ThreadTimes(*times) for number, times in enumerate(threads)})


def test_who_has_never_had_the_core_waited_all_of_it_though_its_wait_has_not_ended() -> None:
    assert waited_us(reading(0.0, 0, (0, 0, 5, True)), reading(1.0, 0, (0, 0, 5, True))) == 1_000_000


def test_who_slept_meanwhile_may_have_been_woken_just_now() -> None:
    assert waited_us(reading(0.0, 0, (0, 0, 5, True)), reading(1.0, 0, (0, 0, 6, True))) == 0
    assert waited_us(reading(0.0, 0, (0, 0, 5, False)), reading(1.0, 0, (0, 0, 5, True))) == 0


@dataclass(slots=True)
class Thread:
    """A thread as the kernel counts it: a wait is added when it ends."""

    ready: bool
    ran: int = 0
    queued: int = 0
    slept: int = 0
    waits: int = 0

    def wake_or_sleep(self, ready: bool) -> None:
        # It can go to sleep only while it runs; here that is the moment after it ran.
        if self.ready and not ready and self.waits:
            return
        if self.ready and not ready:
            self.slept += 1
        self.ready = ready

    def times(self) -> ThreadTimes:
        return ThreadTimes(self.ran * TICK_US, self.queued * TICK_US, self.slept, self.ready)


@dataclass(slots=True)
class Core:
    """One core, some threads of the bot, and strangers that take the core when they please."""

    threads: list[Thread]
    waited: int = 0
    cpu: int = 0
    now: int = 0
    last: int = field(default=-1)

    def tick(self, strangers: bool, pick: int) -> None:
        ready = [thread for thread in self.threads if thread.ready]
        running = None if strangers or not ready else ready[pick % len(ready)]
        self.waited += bool(strangers and ready)
        for thread in ready:
            if thread is running:
                thread.ran += 1
                thread.queued += thread.waits
                thread.waits = 0
                self.cpu += 1
            else:
                thread.waits += 1
        self.now += 1

    def reading(self) -> Reading:
        threads = {number: thread.times() for number, thread in enumerate(self.threads)}
        return Reading(self.now * TICK_US / 1e6, self.cpu * TICK_US, threads)


_STEPS = st.lists(
    st.tuples(st.booleans(), st.integers(0, 9), st.lists(st.booleans(), min_size=4)), max_size=60
)


def run(core: Core, steps: list[tuple[bool, int, list[bool]]], *, strangers: bool) -> tuple[int | None, int]:
    """What is worked out of the two readings, and the truth, in microseconds."""
    before, waited = core.reading(), core.waited
    for taken, pick, wishes in steps:
        for thread, ready in zip(core.threads, wishes, strict=False):
            thread.wake_or_sleep(ready)
        core.tick(strangers and taken, pick)
    return waited_us(before, core.reading()), (core.waited - waited) * TICK_US


@examples(300)
@given(st.lists(st.booleans(), min_size=1, max_size=4), _STEPS)
def test_it_is_never_more_than_the_truth_and_nothing_without_strangers(
    ready: list[bool], steps: list[tuple[bool, int, list[bool]]]
) -> None:
    found, truth = run(Core([Thread(one) for one in ready]), steps, strangers=True)
    assert found is not None
    assert found <= truth
    assert run(Core([Thread(one) for one in ready]), steps, strangers=False) == (0, 0)
    # Of threads that never sleep it is the truth.
    awake = [(taken, pick, [True] * 4) for taken, pick, _ in steps]
    found, truth = run(Core([Thread(ready=True) for _ in ready]), awake, strangers=True)
    assert found == truth


# When it is measured


class Clocks:
    """A bot that uses one microsecond of processor time whenever it is told to, and how often it was read."""

    def __init__(self) -> None:
        self.cpu_us = 0
        self.readings = 0
        self.meter = TurnMeter(replace(NO_METER, cpu_us=self._read))

    def _read(self) -> int:
        self.readings += 1
        return self.cpu_us


def test_each_question_is_measured_from_when_it_is_waited_for_and_the_batch_from_the_first() -> None:
    clocks = Clocks()
    meter = clocks.meter
    meter.batch_begins(1.0)
    meter.clock_begins()
    meter.waiting_begins(1.1)
    clocks.cpu_us = 7
    assert meter.of_question(2.0) == Used(7, None)
    meter.clock_begins()
    assert meter.of_question(2.1) == UNKNOWN, "nobody has waited for this one"
    meter.clock_begins()
    clocks.cpu_us = 10
    meter.waiting_begins(2.6)
    clocks.cpu_us = 15
    meter.waiting_begins(2.7)  # again
    assert meter.of_question(3.0) == Used(5, None)
    before = clocks.readings
    assert meter.of_batch(3.0) == (2_000_000, 15, 100_000)
    assert clocks.readings == before, "it was read just now"
