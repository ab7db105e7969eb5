"""Hostile bots at real tables: whatever they do, the match ends, the others lose nothing, and the
author reads what happened. All tables are played once, side by side, and looked at afterwards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
import trio

from arena.bot_process import BotProcess, StartFailure
from arena.deals import Deals, MatchKey
from arena.faults import Fault, FaultKind, HandOver
from arena.launch import BotCommand
from arena.record import MatchRecord, SeatRecord
from arena.stand_in import from_deals
from arena.table import Player, Table
from tests.tables import HELLO, KEY, check_record, command, left_alive, match_of

ROUNDS = 2
TABLES_AT_ONCE = 4


@dataclass(frozen=True)
class Case:
    """A hostile bot and what must become of it: all its faults have this kind and this reason."""

    command: BotCommand
    kind: FaultKind | None
    reason: str = ""
    faults: int = 1
    hand_over: HandOver | None = None
    sent: str = ""


def _starts(name: str, *arguments: str, reason: str, sent: str = "", start_ms: int = 10_000) -> Case:
    started = command(name, *arguments, start_ms=start_ms)
    return Case(started, FaultKind.START_FAILED, reason, 1, HandOver.START_FAILED, sent)


def _crashes(name: str, *arguments: str, reason: str) -> Case:
    return Case(command(name, *arguments), FaultKind.CRASHED, reason, 1, HandOver.CRASHED)


def _floods(how: str, reason: str, sent: str) -> Case:
    return Case(command("flood", how), FaultKind.FLOOD, reason, 1, HandOver.FLOOD, sent)


def _silent(name: str, *arguments: str, reason: str, sent: str = "") -> Case:
    return Case(command(name, *arguments), FaultKind.TIMEOUT, reason, 2, HandOver.SILENT, sent)


def _keeps_on(kind: FaultKind, name: str, *arguments: str, reason: str, sent: str = "") -> Case:
    return Case(command(name, *arguments), kind, reason, 3, HandOver.MAX_FAULTS, sent)


_MISSING = replace(command("missing"), argv=("./missing", "-v"))
_NOT_EXECUTABLE = replace(command("good", bot="not-executable"), argv=("./good.py",))
_NOTHING_CAME = r"nothing came in [12]\.\d{3} s; is standard output flushed after each line\?"
_CLOSED = r"the process closed its standard output"
_BAD, _ILLEGAL = FaultKind.BAD_MESSAGE, FaultKind.ILLEGAL
_EXIT_0 = r"the process ended by itself, with exit code 0"

CASES = [
    _starts("dies", "at_once", "1", reason="the process ended by itself, with exit code 1"),
    _starts("dies", "hello", "SIGSEGV", reason="the process was killed by SIGSEGV"),
    _starts("slow", "start", reason=r"not ready within 1\.5 s: nothing came.*", start_ms=1500),
    _starts("chatter", "text_first", reason="not ready: The line is not base64.*", sent="Loading the model"),
    replace(_starts("missing", reason=r"cannot be started: \./missing: No such file.*"), command=_MISSING),
    replace(
        _starts("good", reason=r"cannot be started: \./good\.py: Permission denied"), command=_NOT_EXECUTABLE
    ),
    _crashes("dies", "5", "3", reason="the process ended by itself, with exit code 3"),
    _crashes("dies", "5", "SIGSEGV", reason="the process was killed by SIGSEGV"),
    _crashes("dies", "5", "SIGKILL", reason="the process was killed by SIGKILL"),
    _crashes("stubborn", "closed", reason=_CLOSED),
    _crashes("breeds", "leaves", reason=_EXIT_0),
    _silent("slow", "silent", reason=_NOTHING_CAME),
    _silent("slow", "deaf", reason=_NOTHING_CAME),
    _silent("stubborn", "stopped", reason=_NOTHING_CAME),
    _silent("slow", "no_newline", reason=r"(9|18) bytes came in .* s, but no newline.*", sent="gqR0eXBlo"),
    _keeps_on(FaultKind.TIMEOUT, "slow", "always", "1.6", reason=f"a complete answer.*|{_NOTHING_CAME}"),
    Case(command("slow", "once", "1.6"), FaultKind.TIMEOUT, r"a complete answer came late, by .* \d+ ms"),
    _keeps_on(_BAD, "chatter", "text", reason="The line is not base64.*", sent="thinking about it"),
    _keeps_on(_BAD, "chatter", "nonsense", reason="The decoded bytes are not msgpack.*", sent="wcHB"),
    _keeps_on(_BAD, "chatter", "wrong_id", reason="an answer to question 1, which was never asked.*"),
    _keeps_on(_BAD, "chatter", "wrong_type", reason='"play" is answered with "card", not with "cards"'),
    _keeps_on(_BAD, "chatter", "twice", reason="a second answer to question [0-9a-f]{12}: .*"),
    _keeps_on(_ILLEGAL, "illegal", "revoke", reason=r"\w+ does not follow suit: \w+ was led, legal: .*"),
    _keeps_on(_ILLEGAL, "illegal", "foreign", reason=r"\w+: a card that is not in the hand.*"),
    Case(command("illegal", "too_few"), _ILLEGAL, r"4 cards passed \(.*\), 5 were asked for", ROUNDS),
    Case(command("illegal", "double"), _ILLEGAL, r"(\w+)( \1){4}: each card can be passed only.*", ROUNDS),
    _floods("lines", r"\d+ bytes in \d+ lines came at once; one line answers one question", "x"),
    _floods("endless", "a line of more than 65536 bytes", "xxxxx"),
    _floods("stderr", "more than 16777216 bytes on standard error in one match", "!!!!!"),
    _floods("stderr_playing", "more than 16777216 bytes on standard error in one match", "thinking"),
    Case(command("flood", "much"), None, faults=0),
    Case(command("stubborn", "sits"), None, faults=0),
    Case(command("breeds", "child"), None, faults=0),
]


@dataclass(frozen=True)
class Seen:
    """What became of a case: its seat's record and faults, and its table's record."""

    seat: SeatRecord
    faults: Sequence[Fault]
    record: MatchRecord


async def _play_table(number: int, commands: Sequence[BotCommand]) -> MatchRecord:
    """One match; returns when its processes are gone."""
    seats = [one.bot for one in commands]
    started: dict[int, BotProcess | StartFailure] = {}

    async def start(seat: int, nursery: trio.Nursery) -> None:
        started[seat] = await BotProcess.start(commands[seat], nursery, HELLO)

    async with trio.open_nursery() as watchers:
        async with trio.open_nursery() as starters:
            for seat in range(len(commands)):
                starters.start_soon(start, seat, watchers)
        players = [Player(bot, started[seat]) for seat, bot in enumerate(seats)]

        def end_process(process: BotProcess, reason: str) -> None:
            watchers.start_soon(process.end, reason)

        key = MatchKey(0, number, 0)
        chooser = from_deals(Deals(KEY), key)
        match = match_of(seats, ROUNDS, index=number)
        table = Table(match, chooser, players, end_process, together=number % 2 == 0)
        record = await table.play(key, "off")
        for process in started.values():
            if isinstance(process, BotProcess):
                await process.end("the test is over")  # a second end does nothing
    return record


async def _play_all() -> list[MatchRecord]:
    """Three cases and a good bot at each table; the good one sits elsewhere at every table."""
    records: list[MatchRecord] = []
    limit = trio.CapacityLimiter(TABLES_AT_ONCE)

    async def play(number: int) -> None:
        commands = [case.command for case in CASES[3 * number : 3 * number + 3]]
        commands.insert(number % 4, command("good"))
        async with limit:
            records.append(await _play_table(number, commands))

    assert len(CASES) % 3 == 0
    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            for number in range(len(CASES) // 3):
                nursery.start_soon(play, number)
    return records


@pytest.fixture(scope="module")
def records() -> list[MatchRecord]:
    return trio.run(_play_all)


def _seen(records: list[MatchRecord], bot: str) -> Seen:
    for record in records:
        for number, seat in enumerate(record.seats):
            if seat.bot == bot:
                return Seen(seat, [fault for fault in record.faults if fault.seat == number], record)
    raise LookupError(bot)


def test_every_record_holds_whatever_the_bots_did(records: list[MatchRecord]) -> None:
    assert len(records) == len(CASES) // 3
    for record in records:
        check_record(record)


def test_no_process_is_left(records: list[MatchRecord]) -> None:
    pids = [seat.pid for record in records for seat in record.seats if seat.pid]
    assert len(pids) == 4 * len(records) - 6  # so many did not start
    assert left_alive(pids) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.command.bot)
def test_a_misdeed_is_named_charged_and_shown(records: list[MatchRecord], case: Case) -> None:
    seen = _seen(records, case.command.bot)
    assert [fault.kind for fault in seen.faults] == [case.kind] * case.faults
    for fault in seen.faults:
        assert re.fullmatch(case.reason, fault.reason), fault.reason
        assert case.sent in fault.sent
        assert fault.wall_us > 0 or case.kind is FaultKind.START_FAILED
    assert seen.seat.hand_over is case.hand_over
    assert seen.seat.charge == 40 * (3 if case.hand_over else case.faults)


def test_the_stand_in_decides_from_the_crash_on_and_not_before(records: list[MatchRecord]) -> None:
    seen = _seen(records, "dies-5-3")
    (fault,) = seen.faults
    assert (fault.round, fault.question) == seen.seat.hand_over_at == (0, 5)  # 5 answers: the pass, 4 tricks
    played = [one.stand_in for one in seen.record.rounds]
    number = seen.record.seats.index(seen.seat)
    assert number not in played[0], "the pass was its own"
    assert number in played[1], "the next round is the stand-in's"


def test_a_late_answer_is_counted_and_is_no_second_fault(records: list[MatchRecord]) -> None:
    seen = _seen(records, "slow-once-1.6")
    assert seen.seat.late == 1
    assert seen.faults[0].wall_us >= 1_000_000
    assert _seen(records, "chatter-text").seat.late == 2  # the right answers after the first two stray lines


def test_much_standard_error_is_kept_at_both_ends(records: list[MatchRecord]) -> None:
    seat = _seen(records, "flood-much").seat
    assert seat.stderr_head.startswith("BEGIN\nxxx")
    assert seat.stderr_tail.endswith("xxx\nEND\n")
    assert seat.stderr_bytes == len("BEGIN\n" + "\nEND\n") + 100 * 1024
    assert len(seat.stderr_head) + len(seat.stderr_tail) == 32 * 1024


def test_last_words_of_a_bot_that_died_are_kept(records: list[MatchRecord]) -> None:
    for bot in ("dies-at_once-1", "dies-hello-SIGSEGV", "dies-5-3", "dies-5-SIGKILL"):
        assert "dies now" in _seen(records, bot).seat.stderr_head
        assert _seen(records, bot).seat.stderr_bytes > 0


def test_processor_time_is_known_even_of_the_dead(records: list[MatchRecord]) -> None:
    assert _seen(records, "dies-5-SIGKILL").seat.cpu_us
    assert _seen(records, "slow-silent").faults[0].cpu_us is not None
