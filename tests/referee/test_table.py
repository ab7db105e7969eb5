"""What a record keeps of hostile bots at real tables. All tables are played once, side by side, and looked
at afterwards. What must become of each hostile bot is in `test_hostile`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import trio

from arena.bot.launch import BotCommand
from arena.bot.process import BotProcess, StartFailure
from arena.deals import MatchKey
from arena.linux.alarm import run
from arena.match.faults import Fault
from arena.match.record import MatchRecord, SeatRecord
from arena.match.stand_in import from_deals
from arena.referee.playing_loop import play_one
from arena.referee.table import Player, Table
from tests.tables import HELLO, check_record, command, deals_of, left_alive, match_of

ROUNDS = 2
TABLES_AT_ONCE = 4


BOTS = [
    command("dies", "at_once", "1"),
    command("dies", "5", "3"),
    command("slow", "once", "1.6"),
    command("dies", "hello", "SIGSEGV"),
    command("dies", "5", "SIGKILL"),
    command("chatter", "text"),
    command("flood", "much"),
    command("slow", "silent"),
    command("stubborn", "sits"),
]


@dataclass(frozen=True)
class Seen:
    """What became of a bot: its seat's record and faults, and its table's record."""

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
        chooser = from_deals(deals_of(key.index), key)
        match = match_of(seats, ROUNDS, index=number)
        table = Table(match, chooser, players, end_process)
        record = await play_one(table, key, "off", together=number % 2 == 0)
        for process in started.values():
            if isinstance(process, BotProcess):
                await process.end("the test is over")  # a second end does nothing
    return record


async def _play_all() -> list[MatchRecord]:
    """Three of the bots and a good one at each table; the good one sits elsewhere at every table."""
    records: list[MatchRecord] = []
    limit = trio.CapacityLimiter(TABLES_AT_ONCE)

    async def play(number: int) -> None:
        commands = BOTS[3 * number : 3 * number + 3]
        commands.insert(number % 4, command("good"))
        async with limit:
            records.append(await _play_table(number, commands))

    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            for number in range(len(BOTS) // 3):
                nursery.start_soon(play, number)
    return records


@pytest.fixture(scope="module")
def records() -> list[MatchRecord]:
    return run(_play_all)


def _seen(records: list[MatchRecord], bot: str) -> Seen:
    for record in records:
        for number, seat in enumerate(record.seats):
            if seat.bot == bot:
                return Seen(seat, [fault for fault in record.faults if fault.seat == number], record)
    raise LookupError(bot)


def test_every_record_holds_whatever_the_bots_did(records: list[MatchRecord]) -> None:
    assert len(records) == len(BOTS) // 3
    for record in records:
        check_record(record)


def test_no_process_is_left(records: list[MatchRecord]) -> None:
    pids = [seat.pid for record in records for seat in record.seats if seat.pid]
    assert len(pids) == 4 * len(records) - 2  # so many did not start
    assert left_alive(pids) == []


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


def test_what_was_waited_for_a_core_is_known_where_the_kernel_tells(records: list[MatchRecord]) -> None:
    told = Path("/proc/self/schedstat").exists()
    silent = _seen(records, "slow-silent")
    assert (silent.faults[0].queued_us is not None) is told
    assert silent.seat.queued_us is not None
    assert silent.seat.queued_us >= sum(fault.queued_us or 0 for fault in silent.faults)
