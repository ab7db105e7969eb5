"""A probe of the real thing: a referee process with bot processes, driven as the coordinator drives it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from types import TracebackType
from typing import Final, Self

import arena
from arena.bench.figures import Measure, Sample
from arena.bench.machine import cpu_us, memory_kib
from arena.bench.played import TERMS
from arena.bench.programs import Language
from arena.deals import MatchKey
from arena.errors import InternalError
from arena.jobs import (
    Finished,
    JobMessage,
    MatchJob,
    Met,
    SessionDone,
    SessionJob,
    Setup,
    read_message,
    write_message,
)
from arena.record import MatchRecord

__all__ = ["RATE", "REFEREE_CPU", "Live"]

RATE: Final = Measure("decisions_per_s", "decisions a second", "", more_is_better=True)
_ROUNDS: Final = Measure("rounds_per_s", "rounds a second", "", more_is_better=True)
_WALL: Final = Measure("decision_us", "time of a decision", "us")
REFEREE_CPU: Final = Measure("referee_cpu_us", "referee's own CPU a decision", "us")
_BOT_CPU: Final = Measure("bot_cpu_us", "bot's CPU a decision", "us")
_REFEREE_MEMORY: Final = Measure("referee_kib", "memory of the referee, at most", "KiB")
_BOT_MEMORY: Final = Measure("bot_kib", "memory of a bot, the middle one", "KiB")


@dataclass(frozen=True, slots=True)
class _Played:
    """What came back for the sessions of one sample."""

    records: tuple[MatchRecord, ...]

    @property
    def rounds(self) -> int:
        return sum(len(record.rounds) for record in self.records)

    @property
    def decisions(self) -> int:
        return sum(len(r.took_us) for record in self.records for r in record.rounds)

    @property
    def bot_cpu_us(self) -> int:
        return sum(seat.cpu_us or 0 for record in self.records for seat in record.seats)

    @property
    def pids(self) -> set[int]:
        return {seat.pid for record in self.records for seat in record.seats}


class Live:
    """One table of equal bots. A sample is `sessions` sessions, each line-up in every seat order."""

    measures = (RATE, _ROUNDS, _WALL, REFEREE_CPU, _BOT_CPU, _REFEREE_MEMORY, _BOT_MEMORY)

    def __init__(self, language: Language, seats: int, sessions: int, core: int | None) -> None:
        self.name = f"table_{language.name}"
        self.title = f"A table of {seats} {language.name.title()} bots ({language.bot.bot})"
        self._sessions = sessions
        self._next_session = 0
        commands = tuple(replace(language.bot, bot=f"{language.bot.bot}-{n}") for n in range(seats))
        self._bots = tuple(command.bot for command in commands)
        self._setup = Setup(commands, TERMS, seats, None, core, together=core is None, arena="bench")
        self._referee = _start_referee()

    def __enter__(self) -> Self:
        self._send(self._setup)
        self._play(1)  # starts the bots
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._referee.__exit__(kind, error, trace)  # the end of its input ends it and its bots

    def sample(self) -> Sample:
        """See `Probe`."""
        pid = self._referee.pid
        cpu, wall = cpu_us(pid), time.perf_counter_ns()
        played = self._play(self._sessions)
        wall, cpu = time.perf_counter_ns() - wall, cpu_us(pid) - cpu
        return {
            RATE.key: played.decisions * 1e9 / wall,
            _ROUNDS.key: played.rounds * 1e9 / wall,
            _WALL.key: wall / 1000 / played.decisions,
            REFEREE_CPU.key: cpu / played.decisions,
            _BOT_CPU.key: played.bot_cpu_us / played.decisions,
            _REFEREE_MEMORY.key: memory_kib(pid, "VmHWM"),
            _BOT_MEMORY.key: median(memory_kib(bot) for bot in played.pids),
        }

    def _play(self, sessions: int) -> _Played:
        indices = range(self._next_session, self._next_session + sessions)
        self._next_session += sessions
        for index in indices:
            self._send(SessionJob(0, index, bytes(32).hex(), tuple(self._matches(index))))
        records: list[MatchRecord] = []
        while sessions:
            match self._receive():
                case Finished(record):
                    _refuse_faults(record)
                    records.append(record)
                case SessionDone():
                    sessions -= 1
                case Met():
                    pass
                case other:
                    raise InternalError(f"the referee of the benchmark gave up: {other}")
        return _Played(tuple(records))

    def _matches(self, index: int) -> list[MatchJob]:
        """Every bot sits at every seat once."""
        seats = len(self._bots)
        rows = (self._bots[order:] + self._bots[:order] for order in range(seats))
        return [MatchJob(MatchKey(0, index, order), row) for order, row in enumerate(rows)]

    def _send(self, message: JobMessage) -> None:
        assert self._referee.stdin is not None
        self._referee.stdin.write(write_message(message))
        self._referee.stdin.flush()

    def _receive(self) -> JobMessage:
        assert self._referee.stdout is not None
        line = self._referee.stdout.readline()
        if not line:
            raise InternalError("the referee of the benchmark has ended too early")
        return read_message(line.removesuffix(b"\n"))


def _start_referee() -> subprocess.Popen[bytes]:
    """A referee with the same code as this process, wherever both lie."""
    packages = str(Path(arena.__file__).parents[1])
    inherited = os.environ.get("PYTHONPATH")
    path = packages if inherited is None else os.pathsep.join((packages, inherited))
    return subprocess.Popen(
        [sys.executable, "-c", "from arena.referee import main; main()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    )


def _refuse_faults(record: MatchRecord) -> None:
    for fault in record.faults:
        raise InternalError(f"a bot of the benchmark made a fault: {fault.kind.value}: {fault.reason}")
