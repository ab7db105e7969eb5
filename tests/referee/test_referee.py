"""The referee as a process of its own: sessions, stopping, and what is left when it is gone."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bot.launch import BotCommand
from arena.match.faults import FaultKind
from arena.match.record import MatchRecord
from arena.referee.jobs import Finished, JobMessage, Met, SessionDone, Setup, Stop
from tests.tables import RefereeRun, check_record, command, left_alive, setup_of

pytestmark = pytest.mark.slow

GOOD = tuple(command("good", bot=f"good-{letter}") for letter in "abc")
Start = Callable[[Setup | None], RefereeRun]


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Start]:
    """Starts a referee; all are ended with the test."""
    started: list[RefereeRun] = []

    def start(setup: Setup | None) -> RefereeRun:
        started.append(RefereeRun(setup, tmp_path / f"referee-{len(started)}.log"))
        return started[-1]

    yield start
    for run in started:
        with run:
            pass


@pytest.fixture(scope="module", autouse=True)
def long_match(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RefereeRun]:
    """A match of more than 12 s with good but slow bots, played while the other tests run."""
    slow = command("slow", "always", "0.85")
    run = RefereeRun(setup_of([*GOOD, slow], move_ms=5000), tmp_path_factory.mktemp("long") / "log")
    with run:
        run.session((*(one.bot for one in GOOD), slow.bot), [0])
        yield run


def _records(said: list[JobMessage]) -> list[MatchRecord]:
    records = [message.record for message in said if isinstance(message, Finished)]
    for record in records:
        check_record(record)
    return records


def _pids(records: list[MatchRecord], bot: str) -> list[int]:
    return [seat.pid for record in records for seat in record.seats if seat.bot == bot]


def _playing(run: RefereeRun, *bots: BotCommand, orders: int = 1) -> None:
    """Begin a session and return when its first match has begun."""
    run.session([one.bot for one in bots], range(orders))
    met = 0
    while met < len(bots):
        met += isinstance(run.next(), Met)


def test_sessions_are_played_by_replicas_and_a_crash_costs_one_match_each(referee: Start) -> None:
    crashes = command("dies", "5", "3")
    bots = (*GOOD, crashes)
    run = referee(setup_of(bots))
    seats = [one.bot for one in bots]
    for index in range(2):
        run.session(seats, range(4), index)
    first, second = run.until_done(), run.until_done()
    assert first[-1] == SessionDone(0, 0)
    assert second[-1] == SessionDone(0, 1)
    assert sorted(message.bot for message in first if isinstance(message, Met)) == sorted(seats)
    assert not any(isinstance(message, Met) for message in second), "once in this referee"
    one, other = _records(first), _records(second)
    assert [record.key.order for record in one] == [record.key.order for record in other] == [0, 1, 2, 3]
    for bot in seats[:3]:
        assert len(set(_pids(one, bot))) == 4, "an own process for each seat order"
        assert _pids(one, bot) == _pids(other, bot), "the same one in each session"
    assert len(set(_pids(one + other, crashes.bot))) == 8, "a new one after each crash"
    for record in one + other:
        assert [(fault.seat, fault.kind) for fault in record.faults] == [(3, FaultKind.CRASHED)]
    assert [record.seats[0].table for record in one + other] == [0] * 4 + [1] * 4
    assert [record.seats[3].table for record in one + other] == [0] * 8


@pytest.mark.slow
def test_who_was_ended_for_a_limit_between_matches_is_started_again(referee: Start) -> None:
    eats = replace(command("hungry", "between_memory"), memory_mib=200)
    seats = [*(one.bot for one in GOOD), eats.bot]
    run = referee(setup_of([*GOOD, eats]))
    run.session(seats, [0])
    (record,) = _records(run.until_done())
    assert _still_runs(record.seats[3].pid) is False
    run.session(seats, [0], index=1)
    (again,) = _records(run.until_done())
    assert again.faults == record.faults == ()


def _still_runs(pid: int) -> bool:
    return left_alive([pid]) != []


def test_stop_finishes_the_match_and_begins_no_other(referee: Start) -> None:
    slow = command("slow", "always", "0.1")
    bots = (*GOOD, slow)
    run = referee(setup_of(bots, move_ms=5000))
    _playing(run, *bots, orders=4)
    run.send(Stop())
    run.session([one.bot for one in bots], [0], index=1)  # comes too late, and costs no match
    said = run.until_done()
    (record,) = _records(said)
    assert record.faults == ()
    assert not any(isinstance(message, SessionDone) for message in said), "the session is not complete"
    assert run.exit_code() == 0
    assert left_alive([seat.pid for seat in record.seats]) == []
    assert run.errors() == ""


@pytest.mark.parametrize("number", [0, signal.SIGTERM, signal.SIGINT])
def test_everything_ends_with_its_coordinator_or_a_signal(referee: Start, number: int) -> None:
    bots = tuple(
        command(*words)
        for words in (
            ("stubborn", "sits"),
            ("stubborn", "stopped"),
            ("breeds", "setsid"),
            ("breeds", "daemon"),
        )
    )
    run = referee(setup_of(bots, move_ms=60_000))
    _playing(run, *bots)
    time.sleep(0.3)  # until all wait for the one that has stopped itself
    below = run.below()
    assert len(run.bots()) == 4 + 2
    if number:
        os.kill(run.pid, number)
    else:
        run.close_input()
    assert run.exit_code() == (number and 128 + number)
    assert left_alive(below) == []
    assert run.errors() == ""


@pytest.mark.slow
def test_a_coordinator_that_is_gone_ends_bots_that_are_just_starting(referee: Start) -> None:
    bots = (*GOOD, command("slow", "start", start_ms=60_000))
    run = referee(setup_of(bots))
    run.session([one.bot for one in bots], [0])
    deadline = time.monotonic() + 30
    while len(run.bots()) < 4:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    below = run.below()
    run.close_input()
    assert run.exit_code() == 0
    assert left_alive(below) == []
    assert run.errors() == ""


def test_no_bot_survives_a_referee_that_is_killed(referee: Start) -> None:
    bots = (command("stubborn", "sits"), command("stubborn", "stopped"), command("breeds", "daemon"))
    run = referee(setup_of(bots, move_ms=60_000))
    _playing(run, *bots)
    below = run.below()
    assert len(run.bots()) == 3 + 1
    os.kill(run.pid, signal.SIGKILL)
    assert run.exit_code() == -signal.SIGKILL
    assert left_alive(below) == []


@pytest.mark.slow
def test_a_referee_that_was_stopped_blames_no_bot(referee: Start) -> None:
    """With 1 s a move, one thinks 0.3 s; the referee is stopped for 1.5 s in the middle of it."""
    slow = command("slow", "always", "0.3")
    bots = (slow, *(command("good", bot=f"good-{seat}") for seat in range(1, 7)))
    run = referee(setup_of(bots))
    _playing(run, *bots)
    time.sleep(0.5)
    os.kill(run.pid, signal.SIGSTOP)
    time.sleep(1.5)
    os.kill(run.pid, signal.SIGCONT)
    record = run.finished().record
    check_record(record)
    assert record.faults == ()
    assert record.lateness_count >= 1
    assert record.lateness_us > 100_000


@pytest.mark.slow
def test_a_long_match_is_played_to_its_end(long_match: RefereeRun) -> None:
    """What asks the kernel to end a bot with its parent must not end it with a thread of its parent:
    a worker thread is gone after 10 s without work."""
    record = long_match.finished().record
    check_record(record)
    assert record.faults == ()
    assert record.finished_at - record.started_at > 12_000
