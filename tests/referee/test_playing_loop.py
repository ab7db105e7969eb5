"""Several sessions at once in one referee: which process plays what, and what becomes of bots that fail at
one of the tables they sit at. Real processes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest
import trio
import trio.testing

from arena.bot.channel import MemoryChannel
from arena.bot.launch import BotCommand
from arena.match.faults import FaultKind, HandOver
from arena.match.record import MatchRecord, RoundRecord
from arena.match.stand_in import STAND_IN
from arena.referee import referee
from arena.referee.jobs import (
    Aborted,
    Begun,
    Finished,
    JobMessage,
    SessionDone,
    SessionJob,
    read_message,
    write_message,
)
from arena.referee.line_stream import LineStream
from arena.referee.process_pool import ProcessPool
from arena.referee.referee import MatchesAtOnce
from arena.referee.table import Table
from tests.tables import HELLO, KEY, RefereeRun, check_record, command, deals_of, job, left_alive, setup_of

GOOD = tuple(
    replace(command("many", "64", "good"), bot=name) for name in ("good-a", "good-b", "good-c", "good-d")
)
SESSIONS = 4


def _play(
    folder: Path,
    bots: Sequence[BotCommand],
    *,
    tables: int = SESSIONS,
    orders: int = 1,
    sessions: int = SESSIONS,
    move_ms: int = 5000,
) -> list[JobMessage]:
    """What a referee says that plays so many sessions of these bots, until all are over."""
    setup = replace(setup_of(bots, move_ms=move_ms), tables=tables)
    said: list[JobMessage] = []
    with RefereeRun(setup, folder / "referee.log") as run:
        for index in range(sessions):
            run.session([one.bot for one in bots], range(orders), index)
        while sum(isinstance(message, SessionDone) for message in said) < sessions:
            message = run.next()
            assert message is not None, run.errors()
            said.append(message)
        run.close_input()
        assert run.exit_code() == 0
        assert run.errors() == ""
    return said


def _records(said: Sequence[JobMessage]) -> list[MatchRecord]:
    assert not [message.reason for message in said if isinstance(message, Aborted)]
    records = [message.record for message in said if isinstance(message, Finished)]
    for record in records:
        check_record(record)
    assert left_alive({seat.pid for record in records for seat in record.seats if seat.pid}) == []
    return sorted(records, key=lambda record: (record.key.index, record.key.order))


def _played(record: MatchRecord) -> list[RoundRecord]:
    return [replace(one, took_us=()) for one in record.rounds]


@pytest.fixture(scope="module")
def one_by_one(tmp_path_factory: pytest.TempPathFactory) -> list[MatchRecord]:
    """Two seat orders of four sessions of good bots, one table at a time."""
    return _records(_play(tmp_path_factory.mktemp("one"), GOOD, tables=1, orders=2))


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> list[JobMessage]:
    """The same at four tables."""
    return _play(tmp_path_factory.mktemp("many"), GOOD, orders=2)


@pytest.mark.slow
def test_the_same_is_played_as_at_one_table(one_by_one: list[MatchRecord], at_once: list[JobMessage]) -> None:
    records = _records(at_once)
    assert [record.key for record in records] == [record.key for record in one_by_one]
    assert [_played(record) for record in records] == [_played(record) for record in one_by_one]
    assert all(not record.faults for record in records)


def test_one_process_serves_many_tables_and_never_two_replays_of_a_session(
    at_once: list[JobMessage],
) -> None:
    seen = defaultdict(list)
    numbers = defaultdict(set)
    for record in _records(at_once):
        for seat in record.seats:
            seen[seat.pid].append(record.key)
            numbers[seat.pid].add(seat.table)
    assert len(seen) == 4 * 2, "each bot's two replicas"
    for pid, keys in seen.items():
        assert len(keys) == SESSIONS
        assert len({key.order for key in keys}) == 1
        assert len({(key.cycle, key.index) for key in keys}) == len(keys), "no board twice"
        assert numbers[pid] == set(range(SESSIONS)), "each match has a table number of its own"


def test_it_says_what_it_is_playing(at_once: list[JobMessage]) -> None:
    begun = [set(message.keys) for message in at_once if isinstance(message, Begun)]
    assert [len(keys) for keys in begun] == [SESSIONS, SESSIONS]
    assert [{key.order for key in keys} for keys in begun] == [{0}, {1}]


def test_a_crash_is_a_crash_at_every_table_it_served(tmp_path: Path) -> None:
    dies = command("many", "3", "dies", "12")
    records = _records(_play(tmp_path, (*GOOD[:3], dies)))
    for record in records:
        (fault,) = record.faults
        assert (fault.seat, fault.kind) == (3, FaultKind.CRASHED)
        assert fault.reason == "the process ended by itself, with exit code 3"
        assert record.seats[3].hand_over is HandOver.CRASHED
        assert record.seats[3].stderr_head == "dies now\n", "each author's match has the last words"
    pids = [record.seats[3].pid for record in records]
    assert sorted(pids.count(pid) for pid in set(pids)) == [1, 3]


@pytest.mark.slow
def test_a_table_that_is_not_answered_costs_the_others_nothing(tmp_path: Path) -> None:
    """The match at the first table is handed over; its process goes on at the others, and is ended then."""
    one_silent = command("many", "64", "one_silent")
    records = _records(_play(tmp_path, (*GOOD[:3], one_silent), move_ms=300, orders=2))
    lost = [record for record in records if record.faults]
    assert len(lost) == 2, "one in each seat order"
    for record in lost:
        assert record.seats[3].table == 0
        assert record.seats[3].hand_over is HandOver.SILENT
    for order in (0, 1):
        assert len({record.seats[3].pid for record in records if record.key.order == order}) == 1


NOBODY = (STAND_IN,) * 3


async def test_a_match_that_cannot_be_recorded_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    record = Table.record

    def fails_once(table: Table, *of: object) -> MatchRecord:
        monkeypatch.setattr(Table, "record", record)
        raise OSError("the clock has stopped")

    monkeypatch.setattr(Table, "record", fails_once)
    said: list[JobMessage] = []
    jobs = [job(NOBODY, index) for index in range(3)]
    async with trio.open_nursery() as nursery:
        setup = replace(setup_of(()), tables=3)
        pool = ProcessPool({}, nursery, HELLO)
        matches = MatchesAtOnce(setup, pool, said.append, lambda _process: None)
        await matches.play([(deals_of(one.key.index), one) for one in jobs])
    begun, *finished, aborted = said
    assert begun == Begun(tuple(one.key for one in jobs))
    assert isinstance(aborted, Aborted)
    assert "the clock has stopped" in aborted.reason
    others = [one.record.key for one in finished if isinstance(one, Finished)]
    assert {aborted.key, *others} == {one.key for one in jobs}


async def test_what_the_pipe_has_no_room_for_arrives_without_more_to_say(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """The coordinator waits for `SessionDone` before it sends more; the referee must not wait for more."""
    theirs, ours = MemoryChannel.pair(capacity=16)
    coordinator = LineStream(ours)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(referee._serve, LineStream(theirs))
        await coordinator.send(write_message(setup_of(())))
        await coordinator.send(write_message(SessionJob(0, 0, KEY.hex(), (job(NOBODY),))))
        said: list[JobMessage] = []
        with trio.fail_after(60):
            async with aclosing(coordinator.lines()) as lines:
                while not said or not isinstance(said[-1], SessionDone):
                    said.append(read_message(await anext(lines)))
        nursery.cancel_scope.cancel()
    assert [type(message) for message in said] == [Finished, SessionDone]
