"""A raw ping-pong: the least that a question and its answer can cost, without any arena.

It has blocking pipes, lines of the average sizes of a decision, and both ends on one core. Each round trip
is two system calls and one change of process at either end, and a referee cannot need less.
"""

from __future__ import annotations

import os
import time
from types import TracebackType
from typing import Final, Self

from arena.bench.figures import Measure, Sample
from arena.bench.programs import Language, started
from arena.errors import InternalError
from arena.linux.scheduling import placed

__all__ = ["CPU", "RATE", "RoundTrips"]

RATE: Final = Measure("round_trips_per_s", "round trips a second", "", more_is_better=True)
CPU: Final = Measure("parent_cpu_us", "CPU of the asking end a round trip", "us")
_WALL: Final = Measure("round_trip_us", "time of a round trip", "us")


class RoundTrips:
    """A running echo. A sample is `count` round trips; `sizes`: the bytes of a question and of an answer."""

    def __init__(self, language: Language, sizes: tuple[int, int], count: int, core: int | None) -> None:
        asked, answered = sizes
        self.name = f"raw_{language.name}"
        self.title = f"Raw ping-pong of Python with {language.title} ({asked} and {answered} bytes)"
        self.measures = (RATE, _WALL, CPU)
        self._question = b"q" * (asked - 1) + b"\n"
        self._count = count
        self._cores = () if core is None else (core,)
        self._echo = started([*language.echo, str(answered)], core)

    def __enter__(self) -> Self:
        # It has started when it has answered once, so that no start-up is measured.
        self._trips(1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # This closes its input, and the end of its input ends it.
        self._echo.__exit__(kind, error, trace)

    def sample(self) -> Sample:
        """See `Probe`."""
        with placed(self._cores):
            # Not measured: the first round trips find cold caches.
            self._trips(10)
            cpu, wall = time.process_time_ns(), time.perf_counter_ns()
            self._trips(self._count)
            wall, cpu = time.perf_counter_ns() - wall, time.process_time_ns() - cpu
        return {
            RATE.key: self._count * 1e9 / wall,
            _WALL.key: wall / 1000 / self._count,
            CPU.key: cpu / 1000 / self._count,
        }

    def _trips(self, count: int) -> None:
        assert self._echo.stdin is not None
        assert self._echo.stdout is not None
        writing, reading = self._echo.stdin.fileno(), self._echo.stdout.fileno()
        write, read, question = os.write, os.read, self._question
        for _ in range(count):
            write(writing, question)
            if not read(reading, 65536).endswith(b"\n"):
                raise InternalError(f"the echo {self._echo.args!r} has ended or sent half a line")
