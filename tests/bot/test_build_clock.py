"""The clock of a build: what counts of its time when other programs have its core. Readings are made up."""

from __future__ import annotations

import pytest

from arena.bot.build import MOST_TIMES, BuildClock
from arena.bot.waits import Reading, ThreadTimes

SECOND = 1_000_000


def reading(at: float, ran: float, queued: float) -> Reading:
    """What a build of one thread has used until then; times in seconds."""
    thread = ThreadTimes(round(ran * SECOND), round(queued * SECOND), slept=0, ready=False)
    return Reading(at, thread.ran_us, {7: thread})


def played(clock: BuildClock, seconds: int, *, ran: float, queued: float) -> None:
    """So many seconds, in each of which the build ran and waited for a core so long."""
    for second in range(1, seconds + 1):
        assert not clock.is_over, second
        clock.take(reading(100.0 + second, ran * second, queued * second))


@pytest.mark.parametrize(("ran", "queued"), [(1.0, 0.0), (0.0, 0.0), (0.95, 0.05)])
def test_time_counts_as_on_the_wall_when_nobody_else_has_its_core(ran: float, queued: float) -> None:
    clock = BuildClock(30, 100.0)
    played(clock, 29, ran=ran, queued=queued)
    assert not clock.is_over
    assert clock.left(129.0) == pytest.approx(1.0)
    clock.take(reading(130.0, 30 * ran, 30 * queued))
    assert clock.is_over
    assert clock.left(130.0) == 0.0
    assert clock.why == "not done within 30 s"


def test_while_others_have_its_core_only_its_processor_time_counts() -> None:
    clock = BuildClock(30, 100.0)
    played(clock, 119, ran=0.25, queued=0.75)
    assert clock.left(219.0) == pytest.approx(30 - 119 / 4)
    clock.take(reading(220.0, 30.0, 90.0))
    assert clock.is_over


def test_who_gets_no_core_at_all_is_ended_in_the_end() -> None:
    clock = BuildClock(30, 100.0)
    played(clock, 30 * MOST_TIMES, ran=0.01, queued=0.99)
    assert clock.is_over
    assert clock.why == "not done within 300 s, 10 times its time, for other programs had its core"


def test_where_the_kernel_tells_nothing_all_time_counts() -> None:
    clock = BuildClock(2, 100.0)
    clock.take(Reading(101.0, 100_000, {}))
    assert not clock.is_over
    clock.take(Reading(102.0, 200_000, {}))
    assert clock.is_over


def test_of_a_build_whose_processes_wait_for_each_other_all_time_counts() -> None:
    """Four compilers on one core that nobody else has."""
    clock = BuildClock(3, 100.0)
    for second in (1, 2, 3):
        assert not clock.is_over
        each = ThreadTimes(SECOND * second // 4, 3 * SECOND * second // 4, slept=0, ready=False)
        clock.take(Reading(100.0 + second, SECOND * second, dict.fromkeys(range(4), each)))
    assert clock.is_over
