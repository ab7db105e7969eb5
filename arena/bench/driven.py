"""A referee process with its bots, driven as the coordinator drives it, for the probes of real play.

Stores nothing, and knows no figure.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Final, Self

from arena.bench.machine import cpu_us
from arena.bench.played import TERMS
from arena.bench.programs import Language
from arena.deals import MatchKey, PhaseDeals
from arena.errors import InternalError
from arena.linux.installation import same_python
from arena.match.record import MatchRecord
from arena.referee.jobs import (
    Begun,
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

__all__ = ["Driven", "Played", "Seated"]

_ONE_TABLE: Final = "from arena.referee.referee import main; main()"
_DEALS: Final = PhaseDeals(bytes(32))
_PIPE: Final = 1 << 20
"""The bytes of a pipe, the most that Linux gives by default: a reader of two referees in turn must not hold
one of them up."""
_TABLES: Final = "from arena.bench.many_tables import main; main()"


@dataclass(frozen=True, slots=True)
class Seated:
    """The bots of a referee and their tables.

    `core`: the core that the referee and the bots share; None leaves the choice to the system. `tables`: the
    tables that are played at the same time, each with processes of its own, or with `shared` by processes
    that play at all tables. `one_process` (not with `shared`): at each table one process a bot plays all
    matches of a session, so that they have the same key. A league has a process for each match of a session;
    that would take hundreds of processes here.
    """

    language: Language
    seats: int
    core: int | None
    tables: int = 1
    shared: bool = False
    one_process: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """The records, and the time from the first line sent to the last line read, both in microseconds.

    `cpu_us`: the processor time of the referee.
    """

    records: tuple[MatchRecord, ...]
    wall_us: float
    cpu_us: float

    @property
    def rounds(self) -> int:
        """Return the number of rounds of all matches."""
        return sum(len(record.rounds) for record in self.records)

    @property
    def decisions(self) -> int:
        """Return the number of decisions of all matches."""
        return sum(len(r.took_us) for record in self.records for r in record.rounds)

    @property
    def bot_cpu_us(self) -> int:
        """Return the processor time of all bots, in microseconds."""
        return sum(seat.cpu_us or 0 for record in self.records for seat in record.seats)

    @property
    def families(self) -> set[int]:
        """Return the numbers of the first processes of the bots that played."""
        return {seat.pid for record in self.records for seat in record.seats}


class Driven:
    """A referee that plays the sessions it is given. Its bots have started when the `with` block begins."""

    def __init__(self, seated: Seated) -> None:
        assert not (seated.shared and seated.one_process), "matches side by side have keys of their own"
        self._seated = seated
        self._next_session = 0
        bot = seated.language.bot
        commands = tuple(replace(bot, bot=f"{bot.bot}-{number}") for number in range(seated.seats))
        self._bots = tuple(command.bot for command in commands)
        core = seated.core
        self._setup = Setup(
            commands,
            TERMS,
            seated.seats,
            core,
            together=core is None,
            arena="bench",
            tables=seated.tables if seated.shared else 1,
        )
        program = [_ONE_TABLE] if seated.tables == 1 or seated.shared else [_TABLES, str(seated.tables)]
        self._referee = _start(program)

    def __enter__(self) -> Self:
        self._send(self._setup)
        # A session at each table, so that all bots have started before anything is measured.
        self.play(self._seated.tables)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # This closes its input, and the end of its input ends it and its bots.
        self._referee.__exit__(kind, error, trace)

    @property
    def pid(self) -> int:
        """Return the process id of the referee."""
        return self._referee.pid

    def play(self, sessions: int, tables: int | None = None) -> Played:
        """Play so many sessions at the first `tables` tables, by default at all. Raises InternalError."""
        # Jobs are encoded before and records decoded after the timing: both are the benchmark's own work.
        jobs = self.jobs(sessions, tables)
        cpu, wall = cpu_us(self.pid), time.perf_counter_ns()
        self.give(jobs)
        lines = self.take(sessions)
        wall, cpu = time.perf_counter_ns() - wall, cpu_us(self.pid) - cpu
        return Played(tuple(_records(lines)), wall / 1000, cpu)

    def jobs(self, sessions: int, tables: int | None = None) -> list[bytes]:
        """Return the lines of so many new sessions, for the tables in turn.

        The referee finds a session's table from its index, see `many_tables`.
        """
        tables = tables or self._seated.tables
        rows = -(-sessions // tables)
        first, self._next_session = self._next_session, self._next_session + rows
        places = [(row, table) for row in range(first, first + rows) for table in range(tables)]
        indices = [row * self._seated.tables + table for row, table in places[:sessions]]
        return [write_message(self._job(index)) for index in indices]

    def give(self, jobs: Sequence[bytes]) -> None:
        """Send these lines to the referee."""
        assert self._referee.stdin is not None
        self._referee.stdin.writelines(jobs)
        self._referee.stdin.flush()

    def take(self, sessions: int) -> list[bytes]:
        """Return the lines that come until so many sessions are done, unread but for the kind of message."""
        assert self._referee.stdout is not None
        done = SessionDone.__name__.encode()
        lines: list[bytes] = []
        while sessions:
            line = self._referee.stdout.readline()
            if not line:
                raise InternalError("the referee of the benchmark has ended too early")
            lines.append(line)
            sessions -= line.startswith(done)
        return lines

    def _job(self, index: int) -> SessionJob:
        """Return a session as in a league: every bot sits at every seat in turn, on the same boards."""
        rows = [self._bots[turn:] + self._bots[:turn] for turn in range(self._seated.seats)]
        replicas = [0 if self._seated.one_process else order for order in range(len(rows))]
        jobs = (MatchJob(MatchKey(0, index, order), row) for order, row in zip(replicas, rows, strict=True))
        deals = _DEALS.session(0, index)
        return SessionJob(0, index, deals.key.hex(), tuple(jobs))

    def _send(self, message: JobMessage) -> None:
        self.give([write_message(message)])


def _records(lines: Sequence[bytes]) -> list[MatchRecord]:
    records: list[MatchRecord] = []
    for line in lines:
        match read_message(line.removesuffix(b"\n")):
            case Finished(record):
                _refuse_faults(record)
                records.append(record)
            case SessionDone() | Met() | Begun():
                pass
            case other:
                raise InternalError(f"the referee of the benchmark gave up: {other}")
    return records


def _start(program: Sequence[str]) -> subprocess.Popen[bytes]:
    argv, environment = same_python("-c", *program)
    return subprocess.Popen(
        argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pipesize=_PIPE, env=environment
    )


def _refuse_faults(record: MatchRecord) -> None:
    for fault in record.faults:
        raise InternalError(f"a bot of the benchmark made a fault: {fault.kind.value}: {fault.reason}")
