"""A program that only counts, on a core of its own. Several of them show how many cores there really are.

A virtual machine with two cores may get less than two, because its neighbours use them too.
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
    """A counting program. It counts from `begin` until `end` returns, always equally far."""

    def __init__(self, core: int | None) -> None:
        self._program = started([sys.executable, "-I", "-S", str(_PROGRAM)], core)

    def __enter__(self) -> Self:
        # It has started when it has counted once, so that no start-up is measured.
        count_together([self])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # This closes its input, and the end of its input ends it.
        self._program.__exit__(kind, error, trace)

    def begin(self) -> None:
        """Let it count."""
        assert self._program.stdin is not None
        self._program.stdin.write(b"\n")

    def end(self) -> None:
        """Wait until it has counted. Raises InternalError if it has ended."""
        assert self._program.stdout is not None
        if not self._program.stdout.readline():
            raise InternalError(f"{_PROGRAM} has ended too early")


def count_together(programs: Sequence[Counting]) -> float:
    """Let all programs count at the same time, and return the microseconds until the last has finished."""
    began = time.perf_counter_ns()
    for program in programs:
        program.begin()
    for program in programs:
        program.end()
    return (time.perf_counter_ns() - began) / 1000
