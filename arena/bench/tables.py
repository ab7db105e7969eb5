"""What a decision costs at one table or at several: a referee process and its bots, driven as in a league.

The bots are called "first" and hardly think. The one in C is compiled where there is a C compiler.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from types import TracebackType
from typing import Final, Self

import arena
from arena.bench.coordinator import TERMS
from arena.bot.launch import NICE, BotCommand
from arena.deals import MatchKey, PhaseDeals
from arena.errors import InternalError
from arena.linux.cpu_ledger import process_clock
from arena.linux.installation import same_python
from arena.linux.namespace import program_of
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

_C_BOT: Final = Path(arena.__file__).parents[1] / "bots" / "c" / "first" / "main.c"
_DEALS: Final = PhaseDeals(bytes(32))
_PIPE: Final = 1 << 20
"""The bytes of the pipe from the referee, the most that Linux gives by default: it must never wait for us."""


def bots_that_hardly_think(folder: Path) -> dict[str, BotCommand]:
    """Return the bots to measure with, by language; what is compiled for it is put into `folder`."""
    bots = {
        "Python": BotCommand(
            "first", ("{python}", "first.py"), str(Path(__file__).parent / "bots"), nice=NICE
        )
    }
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is not None:
        command = [compiler, "-O2", "-o", str(folder / "first"), str(_C_BOT)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise InternalError(f"{_C_BOT} could not be compiled with {compiler}:\n{done.stderr.strip()}")
        bots["C"] = BotCommand("first", ("./first",), str(folder), nice=NICE)
    return bots


class Tables:
    """A referee with so many tables of equal bots, all on one core, from enter to exit.

    A sample is `sessions` sessions at each table, each with every seat order, as in a league.
    """

    def __init__(self, bot: BotCommand, seats: int, tables: int, core: int, sessions: int) -> None:
        commands = tuple(replace(bot, bot=f"{bot.bot}-{number}") for number in range(seats))
        self._bots = tuple(command.bot for command in commands)
        self._tables = tables
        self._sessions = sessions
        self._next_session = 0
        self._setup = Setup(commands, TERMS, seats, core, arena="bench", tables=tables)
        argv, environment = same_python("-c", "from arena.referee.referee import main; main()")
        self._referee = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pipesize=_PIPE, env=environment
        )

    def __enter__(self) -> Self:
        self._send([self._setup])
        # A session at each table, so that all bots have started before anything is measured.
        self._play(self._tables)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # This closes its input, and the end of its input ends it and its bots.
        self._referee.__exit__(kind, error, trace)

    def sample(self) -> dict[str, float]:
        """Play, and return what a decision took. Raises InternalError when a bot makes a fault."""
        # Not measured: after other probes the caches are cold, as they are not in a league.
        self._play(self._tables)
        cpu_us, wall = self._cpu_us(), time.perf_counter()
        lines = self._play(self._sessions * self._tables)
        wall, cpu_us = time.perf_counter() - wall, self._cpu_us() - cpu_us
        records = [record for line in lines if (record := _record(line)) is not None]
        seats = [seat for record in records for seat in record.seats]
        decisions = sum(len(played.took_us) for record in records for played in record.rounds)
        return {
            "decisions a second": decisions / wall,
            "referee's CPU a decision, us": cpu_us / decisions,
            "bot's CPU a decision, us": sum(seat.cpu_us or 0 for seat in seats) / decisions,
            "memory of the referee, at most, MiB": _memory_mib(self._referee.pid, "VmHWM"),
            "memory of a bot, MiB": median(_memory_mib(program_of(seat.pid), "VmRSS") for seat in seats),
        }

    def _play(self, sessions: int) -> list[bytes]:
        """Have so many sessions played, and return the lines that came, unread but for the last of each."""
        first, self._next_session = self._next_session, self._next_session + sessions
        self._send([self._job(index) for index in range(first, self._next_session)])
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
        rows = [self._bots[turn:] + self._bots[:turn] for turn in range(len(self._bots))]
        jobs = (MatchJob(MatchKey(0, index, order), row) for order, row in enumerate(rows))
        return SessionJob(0, index, _DEALS.session(0, index).key.hex(), tuple(jobs))

    def _send(self, messages: Sequence[JobMessage]) -> None:
        assert self._referee.stdin is not None
        self._referee.stdin.writelines(map(write_message, messages))
        self._referee.stdin.flush()

    def _cpu_us(self) -> float:
        """Return the processor time of the referee so far; /proc would count it in hundredths of a second."""
        return time.clock_gettime_ns(process_clock(self._referee.pid)) / 1000


def _record(line: bytes) -> MatchRecord | None:
    match read_message(line.removesuffix(b"\n")):
        case Finished(record):
            for fault in record.faults:
                raise InternalError(
                    f"a bot of the benchmark made a fault: {fault.kind.value}: {fault.reason}"
                )
            return record
        case SessionDone() | Met() | Begun():
            return None
        case other:
            raise InternalError(f"the referee of the benchmark gave up: {other}")


def _memory_mib(pid: int, field: str) -> float:
    """Return the resident memory of a living process, now (`VmRSS`) or at most (`VmHWM`)."""
    text = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    return next((int(line.split()[1]) / 1024 for line in text.splitlines() if line.startswith(field)), 0.0)
