"""Which cores a process and what it starts may run on, and whom it interrupts there. Chooses none itself."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress

__all__ = ["interrupting", "let_others_go_on", "placed"]


@contextmanager
def placed(cores: Collection[int]) -> Iterator[None]:
    """This thread, and what it starts meanwhile, run on these cores only; none: as before."""
    before = os.sched_getaffinity(0)
    if cores:
        os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        if cores:
            os.sched_setaffinity(0, before)


def let_others_go_on() -> None:
    """From now on this thread waits for its turn when something comes for it, instead of interrupting who
    runs on its core. Whoever answers several questions is not interrupted for the first answer, and all of
    them are found together. A turn lasts a few milliseconds at most."""
    if os.sched_getscheduler(0) == os.SCHED_OTHER:
        _schedule_as(os.SCHED_BATCH)


@contextmanager
def interrupting() -> Iterator[None]:
    """What is started meanwhile may interrupt others, even if this thread lets them go on."""
    patient = os.sched_getscheduler(0) == os.SCHED_BATCH
    if patient:
        _schedule_as(os.SCHED_OTHER)
    try:
        yield
    finally:
        if patient:
            _schedule_as(os.SCHED_BATCH)


def _schedule_as(policy: int) -> None:
    with suppress(OSError):  # where a container forbids it: it only costs time
        os.sched_setscheduler(0, policy, os.sched_param(0))
