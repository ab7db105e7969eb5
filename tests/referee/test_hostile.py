"""Hostile bots at real tables, one after another at the same referees: whatever they do, the match ends,
the others lose nothing, nothing is left behind, and the author reads what happened.

The table is `tests/hostile/cases.py`. Every cell has one referee that serves all its cases, so what one
of them leaves (descriptors, memory, processes) is seen at once.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bot.launch import BotCommand
from arena.match.faults import Fault, FaultKind
from arena.match.record import MatchRecord, RoundRecord, SeatRecord
from arena.sandbox import Level, Limits, Sandbox, probe
from tests.hostile.cases import CASES, UNCAGED, Case, Cell
from tests.sandbox.starting import as_ordinary_user, needs_sandbox
from tests.tables import HOSTILE, RefereeRun, check_record, command, left_alive, setup_of

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


class Court:
    """The referee of one cell, with all bots of its cases."""

    def __init__(self, cell: Cell, log: Path) -> None:
        self._cell = cell
        self._index = 0
        bots = [self._housed(case.command) for at, case in TRIALS if at is cell]
        setup = setup_of([*(self._housed(one) for one in GOOD), *bots])
        before = as_ordinary_user(HOSTILE) if cell is Cell.ORDINARY and os.geteuid() == 0 else []
        first = f"{_SUPERVISED if cell is Cell.SUPERVISED else ''}{_ONE_MATCH_EACH}"
        level = "off" if cell in UNCAGED else "own-files"
        self.run = RefereeRun(replace(setup, sandbox=level), log, before, first)

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

    def _housed(self, bot: BotCommand) -> BotCommand:
        bot = replace(bot, nice=10)
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

    def holds(self) -> tuple[set[int], int]:
        """The living processes below the referee, and how many descriptors it has open."""
        descriptors = len(list(Path(f"/proc/{self.run.pid}/fd").iterdir()))
        return set(left_alive(self.run.below(), patience=0)), descriptors

    def settled(self) -> tuple[set[int], int]:
        """What there is, after waiting for half a minute at most for it to be what there was at first."""
        deadline = time.monotonic() + 30
        while (now := self.holds()) != self.at_first and time.monotonic() < deadline:
            time.sleep(0.01)
        return now

    def memory_kib(self) -> int:
        """What the referee holds in memory."""
        status = Path(f"/proc/{self.run.pid}/status").read_text(encoding="ascii")
        return int(status.partition("VmRSS:")[2].split()[0])


Courts = Callable[[Cell], Court]


@pytest.fixture(scope="module")
def courts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Courts]:
    """The courts by cell, each from when it is first needed."""
    folder = tmp_path_factory.mktemp("courts")
    found: dict[Cell, Court] = {}
    with ExitStack() as stack:

        def court(cell: Cell) -> Court:
            if cell not in found:
                if cell not in UNCAGED:
                    needs_sandbox("ordinary" if cell is Cell.ORDINARY or os.geteuid() != 0 else "root")
                found[cell] = stack.enter_context(Court(cell, folder / cell.name))
            return found[cell]

        yield court


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
    court = courts(cell)
    memory = court.memory_kib()
    record = court.play(case.command.bot)
    # Who has too few chances to revoke has them on other boards: which they are depends on the tests before.
    # On a busy machine who wants too much may be late until it is handed over, and has wanted too little.
    for _ in range(20 if case.command.bot.endswith("revoke") or case.kind is FaultKind.RESOURCE else 0):
        if sum(fault.seat == SEAT and fault.kind is case.kind for fault in record.faults) < case.faults:
            record = court.play(case.command.bot)
    check_verdict(case, record)
    check_record(record)  # of the others: every answer stands, none has a fault
    assert [seat.faults for seat in record.seats[::2]] == [0, 0]
    assert court.settled() == court.at_first
    assert court.memory_kib() - memory < GROWTH_KIB


@pytest.mark.slow
@pytest.mark.xdist_group("hostile-plain")
def test_what_a_record_keeps_of_it(courts: Courts) -> None:
    def play(bot: str) -> tuple[SeatRecord, Sequence[Fault], RoundRecord]:
        record = courts(Cell.PLAIN).play(bot)
        faults = [fault for fault in record.faults if fault.seat == SEAT]
        return record.seats[SEAT], faults, record.rounds[0]

    seat, (fault,), round_ = play("dies-5-3")
    assert (fault.round, fault.question) == seat.hand_over_at == (0, 5)  # 5 answers: the pass, 4 tricks
    assert SEAT not in round_.stand_in, "the pass was its own"
    assert len(round_.stand_in) == 20 - 4
    seat, faults, _ = play("slow-once-1.6")
    assert (seat.late, faults[0].wall_us >= 1_000_000) == (1, True)
    assert play("chatter-text")[0].late == 2, "the right answers after the first two stray lines"
    seat = play("flood-much")[0]
    assert seat.stderr_head.startswith("BEGIN\nxxx")
    assert seat.stderr_tail.endswith("xxx\nEND\n")
    assert seat.stderr_bytes == len("BEGIN\n\nEND\n") + 100 * 1024
    assert len(seat.stderr_head) + len(seat.stderr_tail) == 32 * 1024
    for bot in ("dies-at_once-1", "dies-hello-SIGSEGV", "dies-5-SIGKILL"):
        assert "dies now" in play(bot)[0].stderr_head
    assert play("dies-5-SIGKILL")[0].cpu_us is not None, "known even of the dead"
    seat, faults, _ = play("slow-silent")
    assert faults[0].cpu_us is not None
    assert (faults[0].queued_us is not None) is Path("/proc/self/schedstat").exists()
    assert (seat.queued_us or 0) >= sum(fault.queued_us or 0 for fault in faults)


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
