"""Probes of the real thing: a table as a league has it, many tables at once, two referees against one."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from statistics import median
from types import TracebackType
from typing import Final, Self

from arena.bench.counting import Counting, count_together
from arena.bench.driven import Driven, Played, Seated
from arena.bench.figures import Measure, Sample
from arena.bench.machine import memory_kib

__all__ = ["RATE", "REFEREE_CPU", "WALL", "Crowd", "Live", "Pair", "Shared", "cpu_at", "rate_at", "rounds_at"]

RATE: Final = Measure("decisions_per_s", "decisions a second", "", more_is_better=True)
_ROUNDS: Final = Measure("rounds_per_s", "rounds a second", "", more_is_better=True)
WALL: Final = Measure("decision_us", "time of a decision", "us")
REFEREE_CPU: Final = Measure("referee_cpu_us", "referee's own CPU a decision", "us")
_BOT_CPU: Final = Measure("bot_cpu_us", "bot's CPU a decision", "us")
_REFEREE_MEMORY: Final = Measure("referee_kib", "memory of the referee, at most", "KiB")
_BOT_MEMORY: Final = Measure("bot_kib", "memory of a bot, the middle one", "KiB")
_TURNS: Final = 5
"""In which two referees and each of them alone are compared, for one sample."""


class _Playing:
    """What the probes share that keep one referee."""

    def __init__(self, seated: Seated) -> None:
        self._driven = Driven(seated)

    def __enter__(self) -> Self:
        self._driven.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._driven.__exit__(kind, error, trace)


class Live(_Playing):
    """One table of equal bots. A sample is `sessions` sessions, each line-up in every seat order."""

    measures = (RATE, _ROUNDS, WALL, REFEREE_CPU, _BOT_CPU, _REFEREE_MEMORY, _BOT_MEMORY)

    def __init__(self, seated: Seated, sessions: int) -> None:
        super().__init__(seated)
        language = seated.language
        self.name = f"table_{language.name}"
        self.title = f"A table of {seated.seats} {language.title} bots ({language.bot.bot})"
        self._sessions = sessions

    def sample(self) -> Sample:
        """See `Probe`."""
        self._driven.play(1)  # the first ones find cold caches, as those of a league do not
        played = self._driven.play(self._sessions)
        return {
            RATE.key: played.decisions * 1e6 / played.wall_us,
            _ROUNDS.key: played.rounds * 1e6 / played.wall_us,
            WALL.key: played.wall_us / played.decisions,
            REFEREE_CPU.key: played.cpu_us / played.decisions,
            _BOT_CPU.key: played.bot_cpu_us / played.decisions,
            _REFEREE_MEMORY.key: memory_kib(self._driven.pid, "VmHWM"),
            _BOT_MEMORY.key: median(memory_kib(bot) for bot in played.pids),
        }


def rate_at(tables: int) -> Measure:
    """Of so many tables together."""
    return Measure(f"decisions_per_s_{tables}", f"decisions a second, tables: {tables}", "", True)


def rounds_at(tables: int) -> Measure:
    """Of so many tables together."""
    return Measure(f"rounds_per_s_{tables}", f"rounds a second, tables: {tables}", "", True)


def cpu_at(tables: int) -> Measure:
    """The referee's, while it plays so many tables."""
    return Measure(f"referee_cpu_us_{tables}", f"referee's own CPU a decision, tables: {tables}", "us")


class Crowd(_Playing):
    """A referee with many tables. A sample plays at the first one of them, at the first two, and so on.

    `numbers`: of tables, ascending. `sessions`: at least so many are played each time.
    """

    def __init__(self, seated: Seated, numbers: tuple[int, ...], sessions: int) -> None:
        super().__init__(replace(seated, one_process=True))
        self.name = f"tables_{_placed(seated)}"
        self.title = f"{seated.language.title} bots, {_where(seated)}"
        self.measures = _at_each(numbers)
        self._numbers = numbers
        self._sessions = sessions

    def sample(self) -> Sample:
        """See `Probe`."""
        values: dict[str, float] = {}
        self._driven.play(1, 1)  # as above
        for number in self._numbers:
            rows = -(-self._sessions // number)
            played = self._driven.play(rows * number, number)
            values |= _figures(number, played)
        return {**values, _REFEREE_MEMORY.key: memory_kib(self._driven.pid, "VmHWM")}


class _Several:
    """What the probes share that keep several referees."""

    def __init__(self, referees: Iterable[Driven]) -> None:
        self._referees = tuple(referees)
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        for referee in self._referees:
            self._stack.enter_context(referee)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)


class Shared(_Several):
    """Several tables with processes that play at all of them: a referee for each of `numbers`.

    `sessions`: at least so many are played each time.
    """

    def __init__(self, seated: Seated, numbers: tuple[int, ...], sessions: int) -> None:
        super().__init__(Driven(replace(seated, tables=number, shared=True)) for number in numbers)
        self.name = f"shared_{_placed(seated)}"
        self.title = f"{seated.language.title} bots, each process at all tables, {_where(seated)}"
        self.measures = _at_each(numbers)
        self._numbers = numbers
        self._sessions = sessions

    def sample(self) -> Sample:
        """See `Probe`."""
        values: dict[str, float] = {}
        for number, referee in zip(self._numbers, self._referees, strict=True):
            rows = -(-self._sessions // number)
            referee.play(number)  # for the first ones find cold caches
            values |= _figures(number, referee.play(rows * number))
        memory = max(memory_kib(referee.pid, "VmHWM") for referee in self._referees)
        return {**values, _REFEREE_MEMORY.key: memory}


def _placed(seated: Seated) -> str:
    return f"{seated.language.name}_{'unpinned' if seated.core is None else 'pinned'}"


def _where(seated: Seated) -> str:
    return "on any core" if seated.core is None else "all on one core"


def _at_each(numbers: tuple[int, ...]) -> tuple[Measure, ...]:
    of_each = (make(number) for number in numbers for make in (rate_at, rounds_at, cpu_at))
    return (*of_each, _REFEREE_MEMORY)


def _figures(number: int, played: Played) -> Sample:
    return {
        rate_at(number).key: played.decisions * 1e6 / played.wall_us,
        rounds_at(number).key: played.rounds * 1e6 / played.wall_us,
        cpu_at(number).key: played.cpu_us / played.decisions,
    }


class Pair(_Several):
    """Two referees with a table each on a core of their own, as `--jobs 2`, against each of them alone.

    In the same turns two programs count on these cores, which shows how much of both there was to be had.
    """

    name = "jobs"
    measures = (
        Measure("one_per_s", "one referee, decisions a second", "", more_is_better=True),
        Measure("two_per_s", "two referees, decisions a second", "", more_is_better=True),
        Measure("times", "two referees / one", "x", more_is_better=True),
        Measure("counting_times", "two programs that only count / one", "x", more_is_better=True),
    )

    def __init__(self, one: Seated, other: Seated, sessions: int) -> None:
        super().__init__((Driven(one), Driven(other)))
        self._counting = tuple(Counting(seated.core) for seated in (one, other))
        self.title = f"Two referees against one ({one.language.title} bots)"
        self._sessions = sessions

    def __enter__(self) -> Self:
        for program in self._counting:
            self._stack.enter_context(program)
        return super().__enter__()

    def sample(self) -> Sample:
        """See `Probe`. Several short turns of both ways, for no sample is longer than a pipe is wide."""
        alone_us = together_us = counted_us = counted_together_us = 0.0
        decisions = 0
        for _ in range(_TURNS):
            for referee in self._referees:
                played = referee.play(self._sessions)
                alone_us += played.wall_us
                decisions += played.decisions
            together_us += self._together()
            counted_us += sum(count_together([program]) for program in self._counting)
            counted_together_us += count_together(self._counting)
        return {
            "one_per_s": decisions * 1e6 / alone_us,
            "two_per_s": decisions * 1e6 / together_us,
            "times": alone_us / together_us,
            "counting_times": counted_us / counted_together_us,
        }

    def _together(self) -> float:
        """Both play as much as each of them alone; microseconds."""
        lots = [referee.jobs(self._sessions) for referee in self._referees]
        wall = time.perf_counter_ns()
        for referee, jobs in zip(self._referees, lots, strict=True):
            referee.give(jobs)
        for referee in self._referees:
            referee.take(self._sessions)
        return (time.perf_counter_ns() - wall) / 1000
