"""Which cores a process and what it starts may run on. Chooses none itself."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager

__all__ = ["placed"]


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
