"""What the kernel tells of threads: who ran, who waited, who slept."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from arena.linux.process_tree import look_up
from arena.linux.run_queue import Threads, read_threads, ticks_ago

pytestmark = pytest.mark.skipif(not read_threads([os.getpid()]), reason="the kernel does not tell who waits")

SPIN = "print(flush=True)\nwhile True: pass"
SLEEP = "import time; print(flush=True)\nwhile True: time.sleep(0.001)"
REST = "import time; print(flush=True); time.sleep(600)"


@contextmanager
def running(*codes: str) -> Iterator[list[int]]:
    """Processes on one core that have begun to run this code."""
    core = min(os.sched_getaffinity(0))
    started = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for code in codes]
    try:
        for one in started:
            os.sched_setaffinity(one.pid, [core])
            assert one.stdout is not None
            one.stdout.readline()
        yield [one.pid for one in started]
    finally:
        for one in started:
            one.send_signal(signal.SIGKILL)
            one.communicate()


def until(condition: Callable[[Threads], bool], pids: list[int], patience: float = 60.0) -> None:
    end = time.monotonic() + patience
    while not condition(read_threads(pids)):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_two_that_spin_on_one_core_run_wait_and_never_sleep() -> None:
    with running(SPIN, SPIN) as (one, other):
        before = read_threads([one, other])
        until(lambda now: now[one].queued_us - before[one].queued_us > 50_000, [one, other])
        until(lambda now: now[other].ran_us - before[other].ran_us > 50_000, [one, other])
        now = read_threads([one, other])
        for pid in (one, other):
            assert before[pid].ready
            assert now[pid].ready
            assert now[pid].slept == before[pid].slept


def test_who_sleeps_gives_up_its_core_by_itself() -> None:
    with running(SLEEP, REST) as (often, long):
        before = read_threads([often, long])
        until(lambda now: now[often].slept > before[often].slept + 3, [often])
        until(lambda now: not now[long].ready, [long])


def test_without_states_only_the_times_are_told() -> None:
    with running(SPIN) as (pid,):
        until(lambda now: now[pid].ran_us > 0, [pid])
        seen = read_threads([pid], states=False)[pid]
        assert (seen.ran_us > 0, seen.slept, seen.ready) == (True, 0, False)


def test_a_process_that_is_gone_has_no_threads() -> None:
    with running(REST) as pids:
        pass
    assert read_threads(pids) == {}


def test_moments_are_told_as_those_of_processes() -> None:
    before = ticks_ago(0.0)
    with running(REST) as (pid,):
        member = look_up(pid)
        assert member is not None
        assert before <= member.started <= ticks_ago(0.0)
    assert ticks_ago(1.0) < before
