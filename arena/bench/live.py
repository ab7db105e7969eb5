"""Probes of real play: a table as in a league, many tables at once, two referees against one."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from pathlib import Path
from statistics import median
from types import TracebackType
from typing import Final, Self

from arena.bench import raw
from arena.bench.driven import Driven, Played, Seated
from arena.bench.figures import Measure, Sample
from arena.bench.machine import memory_kib
from arena.bench.programs import started
from arena.bench.raw import RoundTrips
from arena.errors import InternalError
from arena.linux.namespace import program_of

__all__ = [
    "RATE",
    "REFEREE_CPU",
    "WALL",
    "Crowd",
    "Live",
    "Pair",
    "Shared",
    "cpu_at",
    "cpu_ratio_at",
    "rate_at",
    "rounds_at",
]

RATE: Final = Measure("decisions_per_s", "decisions a second", "", more_is_better=True)
_ROUNDS: Final = Measure("rounds_per_s", "rounds a second", "", more_is_better=True)
WALL: Final = Measure("decision_us", "time of a decision", "us")
REFEREE_CPU: Final = Measure("referee_cpu_us", "referee's own CPU a decision", "us")
_BOT_CPU: Final = Measure("bot_cpu_us", "bot's CPU a decision", "us")
_REFEREE_MEMORY: Final = Measure("referee_kib", "memory of the referee, at most", "KiB")
_BOT_MEMORY: Final = Measure("bot_kib", "memory of a bot, median", "KiB")
_TURNS: Final = 5
"""The turns of one sample in which two referees are compared with each of them alone."""


class _Running:
    """The base of the probes: referees, and other processes (`beside`), that run from enter to exit."""

    def __init__(
        self, referees: Iterable[Driven], beside: Iterable[AbstractContextManager[object]] = ()
    ) -> None:
        self._referees = tuple(referees)
        self._beside = tuple(beside)
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        for process in (*self._beside, *self._referees):
            self._stack.enter_context(process)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)


class Live(_Running):
    """A table of equal bots. A sample is `sessions` sessions, each with every seat order of the line-up."""

    measures = (RATE, _ROUNDS, WALL, REFEREE_CPU, _BOT_CPU, _REFEREE_MEMORY, _BOT_MEMORY)

    def __init__(self, seated: Seated, sessions: int) -> None:
        self._driven = Driven(seated)
        super().__init__([self._driven])
        language = seated.language
        self.name = f"table_{language.name}"
        self.title = f"A table of {seated.seats} {language.title} bots ({language.bot.bot})"
        self._sessions = sessions

    def sample(self) -> Sample:
        """See `Probe`."""
        # Not measured: after the other probes the caches are cold, as they are not in a league.
        self._driven.play(1)
        played = self._driven.play(self._sessions)
        return {
            RATE.key: played.decisions * 1e6 / played.wall_us,
            _ROUNDS.key: played.rounds * 1e6 / played.wall_us,
            WALL.key: played.wall_us / played.decisions,
            REFEREE_CPU.key: played.cpu_us / played.decisions,
            _BOT_CPU.key: played.bot_cpu_us / played.decisions,
            _REFEREE_MEMORY.key: memory_kib(self._driven.pid, "VmHWM"),
            _BOT_MEMORY.key: median(memory_kib(program_of(first)) for first in played.families),
        }


def rate_at(tables: int) -> Measure:
    """Return the measure of decisions a second at so many tables together."""
    return Measure(f"decisions_per_s_{tables}", f"decisions a second, tables: {tables}", "", True)


def rounds_at(tables: int) -> Measure:
    """Return the measure of rounds a second at so many tables together."""
    return Measure(f"rounds_per_s_{tables}", f"rounds a second, tables: {tables}", "", True)


def cpu_at(tables: int) -> Measure:
    """Return the measure of the referee's processor time a decision at so many tables."""
    return Measure(f"referee_cpu_us_{tables}", f"referee's own CPU a decision, tables: {tables}", "us")


def cpu_ratio_at(tables: int) -> Measure:
    """Return the measure of the same time over that of a raw ping-pong just before it.

    The speed of a machine changes from minute to minute, and hardly between these two.
    """
    label = f"referee's own CPU / CPU of the asking end, tables: {tables}"
    return Measure(f"referee_cpu_ratio_{tables}", label, "x")


class Crowd(_Running):
    """A referee with many tables. A sample plays with each number of tables in turn.

    `numbers`: the numbers of tables, ascending. `sessions`: at least so many are played each time. `trips`:
    the ping-pong that the referee's time is compared with.
    """

    def __init__(self, seated: Seated, numbers: tuple[int, ...], sessions: int, trips: RoundTrips) -> None:
        self._driven = Driven(replace(seated, one_process=True))
        super().__init__([self._driven], [trips])
        self.name = f"tables_{_placed(seated)}"
        self.title = f"{seated.language.title} bots, {_where(seated)}"
        self.measures = _at_each(numbers)
        self._numbers = numbers
        self._sessions = sessions
        self._trips = trips

    def sample(self) -> Sample:
        """See `Probe`."""
        values: dict[str, float] = {}
        # Not measured: the caches are cold, as in `Live`.
        self._driven.play(1, 1)
        for number in self._numbers:
            rows = -(-self._sessions // number)
            asking_us = self._trips.sample()[raw.CPU.key]
            values |= _figures(number, self._driven.play(rows * number, number), asking_us)
        return {**values, _REFEREE_MEMORY.key: memory_kib(self._driven.pid, "VmHWM")}


class Shared(_Running):
    """Several tables whose processes play at all tables: a referee for each of `numbers`.

    `sessions`: at least so many are played each time. `trips`: see `Crowd`.
    """

    def __init__(self, seated: Seated, numbers: tuple[int, ...], sessions: int, trips: RoundTrips) -> None:
        super().__init__([Driven(replace(seated, tables=number, shared=True)) for number in numbers], [trips])
        self.name = f"shared_{_placed(seated)}"
        self.title = f"{seated.language.title} bots, each process at all tables, {_where(seated)}"
        self.measures = _at_each(numbers)
        self._numbers = numbers
        self._sessions = sessions
        self._trips = trips

    def sample(self) -> Sample:
        """See `Probe`."""
        values: dict[str, float] = {}
        for number, referee in zip(self._numbers, self._referees, strict=True):
            rows = -(-self._sessions // number)
            # Not measured: the caches are cold, as in `Live`.
            referee.play(number)
            asking_us = self._trips.sample()[raw.CPU.key]
            values |= _figures(number, referee.play(rows * number), asking_us)
        memory = max(memory_kib(referee.pid, "VmHWM") for referee in self._referees)
        return {**values, _REFEREE_MEMORY.key: memory}


def _placed(seated: Seated) -> str:
    return f"{seated.language.name}_{'unpinned' if seated.core is None else 'pinned'}"


def _where(seated: Seated) -> str:
    return "on any core" if seated.core is None else "all on one core"


def _at_each(numbers: tuple[int, ...]) -> tuple[Measure, ...]:
    makers = (rate_at, rounds_at, cpu_at, cpu_ratio_at)
    of_each = (make(number) for number in numbers for make in makers)
    return (*of_each, _REFEREE_MEMORY)


def _figures(number: int, played: Played, asking_us: float) -> Sample:
    cpu_us = played.cpu_us / played.decisions
    return {
        rate_at(number).key: played.decisions * 1e6 / played.wall_us,
        rounds_at(number).key: played.rounds * 1e6 / played.wall_us,
        cpu_at(number).key: cpu_us,
        cpu_ratio_at(number).key: cpu_us / asking_us,
    }


class Pair(_Running):
    """Two referees with a table each, on cores of their own, as with `--jobs 2`, against each of them alone.

    In the same turns two programs count on these cores, together and alone. They show how much of two cores
    the machine really gave, for on a virtual machine two cores may give less than twice as much as one.
    """

    name = "jobs"
    measures = (
        Measure("one_per_s", "one referee, decisions a second", "", more_is_better=True),
        Measure("two_per_s", "two referees, decisions a second", "", more_is_better=True),
        Measure("times", "two referees / one", "x", more_is_better=True),
        Measure("counting_times", "two programs that only count / one", "x", more_is_better=True),
        Measure("of_two", "two referees / one, had the counting ones made 2", "x", more_is_better=True),
    )

    def __init__(self, one: Seated, other: Seated, sessions: int) -> None:
        self._counting = tuple(_Counting(seated.core) for seated in (one, other))
        super().__init__([Driven(one), Driven(other)], self._counting)
        self.title = f"Two referees against one ({one.language.title} bots)"
        self._sessions = sessions

    def sample(self) -> Sample:
        """See `Probe`. A sample has several short turns: a longer one would not fit into a referee's pipe."""
        alone_us = together_us = counted_us = counted_together_us = 0.0
        decisions = 0
        for _ in range(_TURNS):
            for referee in self._referees:
                played = referee.play(self._sessions)
                alone_us += played.wall_us
                decisions += played.decisions
            together_us += self._together()
            counted_us += sum(_count_together([program]) for program in self._counting)
            counted_together_us += _count_together(self._counting)
        return {
            "one_per_s": decisions * 1e6 / alone_us,
            "two_per_s": decisions * 1e6 / together_us,
            "times": (times := alone_us / together_us),
            "counting_times": (counting_times := counted_us / counted_together_us),
            "of_two": 2 * times / counting_times,
        }

    def _together(self) -> float:
        """Let both play as much as each of them alone, and return the microseconds."""
        lots = [referee.jobs(self._sessions) for referee in self._referees]
        wall = time.perf_counter_ns()
        for referee, jobs in zip(self._referees, lots, strict=True):
            referee.give(jobs)
        for referee in self._referees:
            referee.take(self._sessions)
        return (time.perf_counter_ns() - wall) / 1000


_PROGRAM: Final = Path(__file__).parent / "echo" / "count.py"


class _Counting:
    """A program that only counts, always equally far, from `begin` until `end` returns.

    Several of them, on a core each, show how many cores there really are: a virtual machine with two may get
    less, because its neighbours use them too.
    """

    def __init__(self, core: int | None) -> None:
        self._program = started([sys.executable, "-I", "-S", str(_PROGRAM)], core)

    def __enter__(self) -> Self:
        # It has started when it has counted once, so that no start-up is measured.
        _count_together([self])
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


def _count_together(programs: Sequence[_Counting]) -> float:
    """Let all programs count at the same time, and return the microseconds until the last has finished."""
    began = time.perf_counter_ns()
    for program in programs:
        program.begin()
    for program in programs:
        program.end()
    return (time.perf_counter_ns() - began) / 1000
