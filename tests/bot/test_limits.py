"""Bots that want more than their share: at real tables with opponents that take their time, and on paper."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

import arena.bot.limits
from arena.bot.answers import Wrong
from arena.bot.launch import BotCommand
from arena.bot.limits import BotOffTurn, EvenShares, OffTurn, Watchdog
from arena.bot.process import BotProcess
from arena.deals import MatchKey
from arena.linux.process_tree import MOST_BELOW, Member, look_up, tree
from arena.match.faults import FaultKind
from arena.match.record import MatchRecord
from arena.match.stand_in import from_deals
from arena.referee.playing_loop import play_one
from arena.referee.table import Player, Table
from tests.tables import HELLO, check_record, command, deals_of, left_alive, match_of

_SECOND = 1_000_000
pytestmark = pytest.mark.clocks


async def _match(bot: BotCommand, *, slow: float = 0.05, matches: int = 1) -> MatchRecord:
    """The last of these matches, of `bot` and two good ones that answer after `slow` seconds.

    None is played after one with a fault, for which a busy machine may need several.
    """
    opponent = replace(command("slow", "always", str(slow)), bot="slow")
    commands = [bot, opponent, replace(opponent, bot="slow2")]
    started: list[BotProcess] = []
    async with trio.open_nursery() as watchers:

        def end_process(process: BotProcess, reason: str) -> None:
            watchers.start_soon(process.end, reason)

        for one in commands:
            process = await BotProcess.start(one, watchers, HELLO)
            assert isinstance(process, BotProcess), process
            started.append(process)
        for number in range(matches):
            key = MatchKey(0, number, 0)
            seats = [one.bot for one in commands]
            players = [Player(name, process) for name, process in zip(seats, started, strict=True)]
            setup = match_of(seats, 1, 4000, index=number)
            table = Table(setup, from_deals(deals_of(key.index), key), players, end_process)
            with trio.fail_after(120):
                record = await play_one(table, key, "off", together=False)
            for process in started:
                process.matches += 1
            pids = [member.pid for process in started for member in tree(process.pid)]
            if record.faults:
                break
        for process in started:
            await process.end("the test is over")
    check_record(record)
    assert all(seat.hand_over is None and not seat.frozen for seat in record.seats[1:])
    assert left_alive(pids) == []
    return record


def _hungry(how: str, memory_mib: int = 0, cpu_ms: int = 0) -> BotCommand:
    return replace(command("hungry", how), memory_mib=memory_mib, cpu_ms=cpu_ms)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bot", "exceeds"),
    [
        (_hungry("daemons", cpu_ms=400), True),
        (_hungry("cpu_below", cpu_ms=400), True),
        pytest.param(_hungry("burst", cpu_ms=700), False, id="each match has its own"),
        pytest.param(_hungry("shared", memory_mib=450), False, id="what several share counts once"),
    ],
    ids=lambda value: value.bot if isinstance(value, BotCommand) else "",
)
async def test_what_all_processes_use_in_a_match_is_limited(bot: BotCommand, exceeds: bool) -> None:
    """Memory of children and daemons is tried in `tests/hostile`."""
    record = await _match(bot, slow=0.1 if exceeds else 0.03, matches=5 if exceeds else 3)
    assert [fault.kind for fault in record.faults] == [FaultKind.RESOURCE] * exceeds
    for fault in record.faults:
        words = r"it used [0-9.]+ s of processor time in one match; the limit is 0\.4 s"
        assert re.fullmatch(words, fault.reason)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["off_turn", "daemons", "off_turn_below", "off_turn_short"])
async def test_who_thinks_off_turn_is_stopped_while_it_has_no_question(
    how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    burst_us = 150_000
    monkeypatch.setattr(arena.bot.limits, "BURST_US", burst_us)
    seat = (await _match(_hungry(how), matches=3)).seats[0]
    assert seat.frozen
    assert (seat.hand_over, seat.faults) == (None, 0)
    assert seat.off_turn_us is not None
    # Stopped in the matches before, it uses 0.01 to 0.11 s in the last one, and 0.4 s on a busy machine. If
    # nobody stops it, it uses 2 s and more.
    assert seat.off_turn_us < 3 * burst_us


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "threads", "least_us", "most_us"),
    [("engine", 1, 500_000, 100_000), ("engines", 2, 1_000_000, 200_000), ("burst", 1, 0, 200_000)],
)
async def test_what_a_turn_uses_is_not_off_turn(how: str, threads: int, least_us: int, most_us: int) -> None:
    bot = _hungry(how)
    if threads > 1:
        bot = replace(bot, threads=threads, cores=tuple(os.sched_getaffinity(0)))
    seat = (await _match(bot, slow=0.01)).seats[0]
    assert not seat.frozen
    assert seat.cpu_us is not None
    assert seat.off_turn_us is not None
    assert seat.cpu_us > least_us
    assert seat.off_turn_us < most_us


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is one core")
@pytest.mark.parametrize("how", ["moves", pytest.param("moves_thread", marks=pytest.mark.slow)])
async def test_who_leaves_its_core_is_shown(how: str) -> None:
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        record = await _match(_hungry(how), slow=0.03)
    finally:
        os.sched_setaffinity(0, cores)
    assert [seat.left_core for seat in record.seats] == [True, False, False]


_HIDES = """
import os, time
if os.fork() == 0:
    held = bytearray(os.urandom(1) * (50 << 20))
    print(flush=True)
time.sleep(60)
"""


def test_who_was_in_no_list_is_found_although_everybody_else_rests() -> None:
    """As a process can that is always being replaced by its next one, until nobody looks any more."""
    argv = [sys.executable, "-c", _HIDES]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, start_new_session=True) as root:
        try:
            assert root.stdout is not None
            root.stdout.readline()
            time.sleep(0.2)
            watchdog = Watchdog(root.pid, BotCommand("hides", ("hides",), "."))
            watchdog.look()
            listed = look_up(root.pid)
            assert listed is not None
            for _ in range(3):  # with the one that these lists show no more, then two alike
                watchdog._ledger.enter([listed])
            assert watchdog._ledger.at_rest()
            watchdog.memory_bytes = 0
            for _ in range(4):
                watchdog.look()
            assert watchdog.memory_bytes > 50 << 20
        finally:
            os.killpg(root.pid, signal.SIGKILL)


def test_more_processes_than_can_be_watched_are_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are made up, with numbers that no process has. The last of them may hide any memory."""
    first = 1 << 24
    members = [Member(first + number, 0, 1, 0, 0, 0) for number in range(MOST_BELOW + 1)]
    watchdog = Watchdog(first, replace(command("good"), memory_mib=1))
    monkeypatch.setattr(arena.bot.limits, "tree", lambda first: members[:-1])
    assert watchdog.look() is None
    monkeypatch.setattr(arena.bot.limits, "tree", lambda first: members)
    reason = "it had 4096 processes at once, or more; so many cannot be watched"
    assert watchdog.look() == Wrong(FaultKind.RESOURCE, reason)


# How much thinking off turn is too much: no clock, the times are made up


def _until_too_much(share: float, step_us: int = 10_000, most_us: int = 60 * _SECOND) -> int | None:
    """After how many microseconds off turn a bot that always uses this share of a core has used too much."""
    account = OffTurn(BotOffTurn())
    account.add(0, 0, 0)
    for now in range(step_us, most_us, step_us):
        if account.add(round(share * now), now, now):
            return now
    return None


def test_who_spins_is_found_after_a_second_and_a_quarter() -> None:
    assert _until_too_much(1.0) == 1_260_000
    assert _until_too_much(0.45) == 4_010_000


def test_a_fifth_of_a_core_is_allowed_for_ever() -> None:
    assert _until_too_much(0.2) is None


def _together(processes: int, share: float, most_us: int = 200 * _SECOND) -> int | None:
    """After how many microseconds so many processes, each with this share, are too much."""
    bot = BotOffTurn()
    accounts = [OffTurn(bot) for _ in range(processes)]
    step_us = _SECOND // processes
    for number, now in enumerate(range(step_us, most_us, step_us)):
        if accounts[number % processes].add(round(share * now), now, now):
            return now
    return None


def test_processes_that_take_a_core_together_are_found_though_each_takes_little() -> None:
    assert _together(1, 0.09) is None
    found = _together(8, 0.09)  # 72 % of a core; one second for each is spared
    assert found is not None
    assert 8 / (8 * 0.09 - 0.2) * _SECOND <= found < 20 * _SECOND
    assert _together(64, 0.0125) is not None


def test_what_ended_processes_used_stays_counted() -> None:
    bot = BotOffTurn()
    for now in range(_SECOND, 4 * _SECOND, _SECOND):
        account = OffTurn(bot)
        too_much = account.add(700_000, _SECOND, now)
        account.close()
    assert too_much
    assert bot.processes == 0
    assert OffTurn(bot).add(0, 0, now), "and holds for those that follow"


# What one process uses, split among the matches that it plays at the same time


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 10**9)), max_size=30))
def test_all_shares_together_are_what_was_used_while_anybody_was_there(
    steps: list[tuple[bool, int]],
) -> None:
    shares, inside, total, used, given_out = EvenShares(), [], 0, 0, 0
    for comes, grows in steps:
        total += grows
        used += grows if inside else 0
        if comes or not inside:
            inside.append(shares.join(total))
        else:
            given_out += shares.leave(total, inside.pop(0))
    for joined in inside:
        given_out += shares.leave(total, joined)
    assert abs(given_out - used) <= 30  # each is rounded to a whole number
