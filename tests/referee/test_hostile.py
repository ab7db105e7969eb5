"""Hostile bots at real tables, one after another at the same referees: whatever they do, the match ends,
the others lose nothing, nothing is left behind, and the author reads what happened.

The table is `tests/hostile/cases.py`. Every cell has one referee that serves all its cases, so what one
of them leaves (descriptors, memory, processes) is seen at once.
"""

from __future__ import annotations

import os
import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from arena.bot.launch import BotCommand
from arena.match.faults import FaultKind
from arena.match.record import MatchRecord
from arena.sandbox import Level, Limits, Sandbox, probe
from tests.hostile.cases import CASES, UNCAGED, Case, Cell
from tests.referees import RefereeRun
from tests.sandbox.starting import as_ordinary_user, needs_sandbox
from tests.tables import HOSTILE, check_record, command, left_alive, setup_of

GOOD = tuple(command("good", bot=f"good-{number}") for number in range(3))
_ONE_MATCH_EACH = """\
from arena.referee import process_pool
_why_retire = process_pool._why_retire
process_pool._why_retire = lambda one: _why_retire(one) or (
    None if one.command.bot.startswith("good-") else "a hostile bot plays one match"
)
"""
"""Has a referee end every hostile bot after its match, so that what it has left behind is seen at once."""
_SUPERVISED = "from arena.linux import namespace; namespace.has_namespaces = lambda: False\n"
SEAT = 1
"""Of the hostile bot, between two good ones."""
GROWTH_KIB = 8 * 1024
TRIALS = [(cell, case) for cell in Cell for case in CASES if cell in case.cells]
QUICK = {
    Cell.PLAIN: "dies-at_once-1 chatter-text chatter-twice abuses-trailing abuses-drip illegal-revoke"
    " illegal-too_few flood-lines dies-5-3 stubborn-closed breeds-leaves",
    Cell.SUPERVISED: "breeds-daemon",
    Cell.SANDBOX: "",
    Cell.ORDINARY: "",
}
"""One or two of every kind, which are not marked as slow: each cell starts all its bots once for them."""


@dataclass(frozen=True, slots=True)
class Outside:
    """What a bot must not get at, and what it is called in the table."""

    names: dict[str, str]

    def filled(self, text: str) -> str:
        for name, value in self.names.items():
            text = text.replace(f"{{{name}}}", value)
        return text


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:
    """Another bot's program, a database, a listening port and an abstract socket."""
    league = tmp_path_factory.mktemp("league")
    for name in ("other.py", "league.db"):
        (league / name).write_text("secret")
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        name = f"papayoo-hostile-{os.getpid()}"
        abstract.bind("\0" + name)
        abstract.listen()
        port = server.getsockname()[1]
        yield Outside(
            {
                "other": str(league / "other.py"),
                "database": str(league / "league.db"),
                "port": str(port),
                "abstract": name,
            }
        )


@dataclass(frozen=True, slots=True)
class Holdings:
    """The processes below a referee, and how many descriptors it has open."""

    processes: set[int]
    descriptors: int


class Court:
    """The referee of one cell, with all bots of its cases."""

    def __init__(self, cell: Cell, outside: Outside, log: Path) -> None:
        self._cell = cell
        self._index = 0
        bots = [self._housed(case.command, outside) for at, case in TRIALS if at is cell]
        setup = setup_of([*(self._housed(one, outside) for one in GOOD), *bots])
        before = as_ordinary_user(HOSTILE) if cell is Cell.ORDINARY and os.geteuid() == 0 else []
        os.environ["ORGANISERS_SECRET"] = "1"
        try:
            first = f"{_SUPERVISED if cell is Cell.SUPERVISED else ''}{_ONE_MATCH_EACH}"
            self.run = RefereeRun(replace(setup, sandbox=self._level), log, before, first)
        finally:
            del os.environ["ORGANISERS_SECRET"]

    def __enter__(self) -> Court:
        self.run.__enter__()
        for _ in range(3):  # what a referee takes once for all: processes of the good ones, memory
            self.play(GOOD[2].bot)
        self.at_first = self.holds()
        return self

    def __exit__(self, *error: object) -> None:
        self.run.close_input()
        assert self.run.exit_code() == 0
        assert self.run.errors() == ""
        self.run.__exit__(None, None, None)

    @property
    def _level(self) -> str:
        return "off" if self._cell in UNCAGED else "own-files"

    def _housed(self, bot: BotCommand, outside: Outside) -> BotCommand:
        argv = tuple(outside.filled(word) for word in bot.argv)
        bot = replace(bot, argv=argv, nice=10)
        if self._cell in UNCAGED:
            return bot
        found = probe(Limits())
        assert isinstance(found, Sandbox)
        ordinary = replace(found, user=None, level=Level.OWN_FILES)
        return replace(bot, sandbox=found if self._cell is Cell.SANDBOX else ordinary)

    def play(self, bot: str) -> MatchRecord:
        """One match of it between the good ones."""
        self.run.session([GOOD[0].bot, bot, GOOD[1].bot], [0], self._index)
        self._index += 1
        return self.run.finished().record

    def processes(self) -> set[int]:
        """All that live below the referee."""
        return set(left_alive(self.run.below(), patience=0))

    def holds(self) -> Holdings:
        """What there is now."""
        return Holdings(self.processes(), len(list(Path(f"/proc/{self.run.pid}/fd").iterdir())))

    def settled(self) -> Holdings:
        """What there is, after waiting for half a minute at most for it to be what there was at first."""
        deadline = time.monotonic() + 30
        while (now := self.holds()) != self.at_first and time.monotonic() < deadline:
            time.sleep(0.01)
        return now

    def memory_kib(self) -> int:
        """What the referee holds in memory."""
        status = Path(f"/proc/{self.run.pid}/status").read_text(encoding="ascii")
        return int(status.partition("VmRSS:")[2].split()[0])


class Courts:
    """The courts by cell, each from when it is first needed."""

    def __init__(self, outside: Outside, folder: Path, stack: ExitStack) -> None:
        self._outside = outside
        self._folder = folder
        self._stack = stack
        self._found: dict[Cell, Court] = {}

    def of(self, cell: Cell) -> Court:
        if cell not in self._found:
            if cell not in UNCAGED:
                needs_sandbox("ordinary" if cell is Cell.ORDINARY or os.geteuid() != 0 else "root")
            court = Court(cell, self._outside, self._folder / cell.name)
            self._found[cell] = self._stack.enter_context(court)
        return self._found[cell]


@pytest.fixture(scope="module")
def courts(outside: Outside, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Courts]:
    with ExitStack() as stack:
        yield Courts(outside, tmp_path_factory.mktemp("courts"), stack)


def trials() -> list[object]:
    """Every case in its cells; those of a cell have one referee, so no two of them are played at a time."""
    found: list[object] = []
    for cell, case in TRIALS:
        at, bot = cell.name.lower(), case.command.bot
        marks = [pytest.mark.xdist_group(f"hostile-{at}")]
        if bot not in QUICK[cell].split():
            marks.append(pytest.mark.slow)
        found.append(pytest.param(cell, case, id=f"{at}-{bot}", marks=marks))
    return found


def test_the_quick_ones_are_cases() -> None:
    assert {(cell, bot) for cell, bots in QUICK.items() for bot in bots.split()} <= {
        (cell, case.command.bot) for cell, case in TRIALS
    }


@pytest.mark.parametrize(("cell", "case"), trials())
def test_it_hurts_nobody_and_reads_why(courts: Courts, cell: Cell, case: Case) -> None:
    court = courts.of(cell)
    memory = court.memory_kib()
    record = court.play(case.command.bot)
    # Who has too few chances to revoke has them on other boards: which they are depends on the tests before.
    for _ in range(20 if case.command.bot.endswith("revoke") else 0):
        if record.seats[SEAT].faults < case.faults:
            record = court.play(case.command.bot)
    check_verdict(case, record)
    check_record(record)  # of the others: every answer stands, none has a fault
    assert [seat.faults for seat in record.seats[::2]] == [0, 0]
    assert court.settled() == court.at_first
    assert court.memory_kib() - memory < GROWTH_KIB


def check_verdict(case: Case, record: MatchRecord) -> None:
    """What the author reads of it."""
    seat = record.seats[SEAT]
    faults = [fault for fault in record.faults if fault.seat == SEAT]
    late = 0
    # On a busy machine its time for the move may be over before a limit is reached, or all is done.
    if case.kind is FaultKind.RESOURCE or not case.faults:
        late = sum(fault.kind is FaultKind.TIMEOUT for fault in faults)
        faults = [fault for fault in faults if fault.kind is not FaultKind.TIMEOUT]
    assert [fault.kind for fault in faults] == [case.kind] * case.faults, faults
    for fault in faults:
        assert re.fullmatch(case.reason, fault.reason), fault.reason
        assert case.sent in fault.sent
    assert seat.hand_over is case.hand_over
    assert seat.charge == 40 * (3 if case.hand_over else case.faults + late)
    assert re.search(case.noted, seat.stderr_head + seat.stderr_tail), seat.stderr_head
    assert "Traceback" not in seat.stderr_head
