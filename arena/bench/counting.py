"""A program that only counts, on a core of its own: several of them show how many cores there really are.

A machine that says it has two cores may give less than two, as its neighbours leave them.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from arena.errors import InternalError
from arena.placement import placed

__all__ = ["Counting", "count_together"]

_PROGRAM: Final = Path(__file__).parent / "echo" / "count.py"


class Counting:
    """It counts between `begin` and the return of `end`; always as far."""

    def __init__(self, core: int) -> None:
        with placed((core,)):
            self._program = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_PROGRAM)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
            )

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


def count_together(programs: Iterable[Counting]) -> float:
    """All count at the same time; microseconds."""
    began = time.perf_counter_ns()
    listed = list(programs)
    for program in listed:
        program.begin()
    for program in listed:
        program.end()
    return (time.perf_counter_ns() - began) / 1000
