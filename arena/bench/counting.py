"""A program that only counts, on a core of its own: several of them show how many cores there really are.

A machine that says it has two cores may give less than two, as its neighbours leave them.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from arena.bench.programs import started
from arena.errors import InternalError

__all__ = ["Counting", "count_together"]

_PROGRAM: Final = Path(__file__).parent / "echo" / "count.py"


class Counting:
    """It counts between `begin` and the return of `end`; always as far."""

    def __init__(self, core: int | None) -> None:
        self._program = started([sys.executable, "-I", "-S", str(_PROGRAM)], core)

    def __enter__(self) -> Self:
        count_together([self])  # it has started when it has counted
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._program.__exit__(kind, error, trace)  # the end of its input ends it

    def begin(self) -> None:
        """Have it count."""
        assert self._program.stdin is not None
        self._program.stdin.write(b"\n")

    def end(self) -> None:
        """Wait until it has counted."""
        assert self._program.stdout is not None
        if not self._program.stdout.readline():
            raise InternalError(f"{_PROGRAM} has ended too early")


def count_together(programs: Sequence[Counting]) -> float:
    """All count at the same time; microseconds."""
    began = time.perf_counter_ns()
    for program in programs:
        program.begin()
    for program in programs:
        program.end()
    return (time.perf_counter_ns() - began) / 1000
