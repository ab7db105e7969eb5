"""Which process plays which match, and sits where: replicas, retirement, seats. Real processes."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager

import pytest
import trio

import arena.bot.limits
import arena.referee.process_pool
from arena.bot import launch
from arena.bot.answers import Settled
from arena.bot.launch import BotCommand
from arena.bot.link import ask
from arena.bot.process import BotProcess
from arena.linux import namespace
from arena.linux.process_tree import below
from arena.match.stand_in import STAND_IN
from arena.referee.process_pool import ProcessPool, Seats
from protocol.messages import CardsAnswer
from tests.tables import HELLO, command, is_between, job, left_alive, state_of, until

pytestmark = pytest.mark.slow

OVER = {"type": "match_over", "table": 0, "scores": [], "places": [], "events": []}


@asynccontextmanager
async def _replicas(*commands: BotCommand) -> AsyncIterator[ProcessPool]:
    async with trio.open_nursery() as nursery:
        pool = ProcessPool({one.bot: one for one in commands}, nursery, HELLO)
        yield pool
        await pool.close("that was all")


async def _lease(pool: ProcessPool, bot: str, replica: int) -> BotProcess:
    process = pool.lease_idle(bot, replica) or await pool.lease_new(bot, replica)
    assert isinstance(process, BotProcess), process
    return process


def _tell(process: BotProcess, message: dict[str, object]) -> None:
    process.link.tell(message)
    process.link.flush()


async def test_a_process_is_retired_after_its_last_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena.referee.process_pool, "MAX_MATCHES", 2)
    async with _replicas(command("good")) as pool:
        pids = []
        for _ in range(3):
            process = await _lease(pool, "good", 0)
            pids.append(process.pid)
            pool.give_back(process)
        assert pids[0] == pids[1] != pids[2]
        await until(lambda: left_alive(pids[:2], patience=0) == [])


async def test_who_died_between_matches_is_started_anew() -> None:
    bot = command("dies", "match_over", "0")
    async with _replicas(bot) as pool:
        process = await _lease(pool, bot.bot, 0)
        pool.give_back(process)
        _tell(process, OVER)
        await until(lambda: not process.alive)
        again = await _lease(pool, bot.bot, 0)
        assert again.pid != process.pid
        pool.give_back(again)


async def test_processes_that_think_between_matches_are_stopped_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each takes 15 % of a core, which is allowed, and all six together nearly all of it."""
    monkeypatch.setattr(arena.bot.limits, "BURST_US", 30_000)
    bot = command("hungry", "between_spin")
    async with _replicas(bot, command("good")) as pool:
        good = await _lease(pool, "good", 0)
        waiting = [await _lease(pool, bot.bot, replica) for replica in range(6)]
        for process in [*waiting, good]:
            watchdog = process.watchdog
            assert not watchdog.stand_up(watchdog.sit_down()).frozen
            pool.give_back(process)
            _tell(process, OVER)
        await until(lambda: all(process.watchdog.restrained for process in waiting), patience=20)
        await until(lambda: all(_stopped(process) for process in waiting))
        later = await _lease(pool, bot.bot, 6)
        for process in [*waiting, later, good]:
            watchdog = process.watchdog
            usage = watchdog.stand_up(watchdog.sit_down())
            assert usage.frozen is (process is not good)
            assert (usage.off_turn_us > 20_000) is (process in waiting), "it used that since its last match"
            assert usage.cpu_us >= usage.off_turn_us
            assert watchdog.stand_up(watchdog.sit_down()).off_turn_us < 20_000, "that was told already"
        pool.give_back(later)


@pytest.mark.parametrize("with_namespace", [True, False])
@pytest.mark.parametrize("how", ["good", "between_spin", "setsid"])
async def test_who_waits_for_a_match_is_stopped_with_all_that_it_started_and_goes_on_with_it(
    monkeypatch: pytest.MonkeyPatch, how: str, with_namespace: bool
) -> None:
    if not with_namespace:
        for module in (launch, namespace):
            monkeypatch.setattr(module, "has_namespaces", lambda: False)
    words = {"good": ("good",), "between_spin": ("hungry", how), "setsid": ("breeds", how)}
    bot = command(*words[how])
    async with _replicas(bot) as pool:
        process = await _lease(pool, bot.bot, 0)
        for number in range(2):
            place = process.sit_down()
            await until(lambda: not _stopped(process))
            answer = await _asked(process, f"q{number}")
            assert isinstance(answer, CardsAnswer), answer
            _tell(process, OVER)
            process.stand_up(place)
            pool.give_back(process)
            await until(lambda: _stopped(process))
            assert not process.watchdog.restrained
            assert pool.lease_idle(bot.bot, 0) is process
        pool.give_back(process)
    assert await process.how_it_ended() == "the process ended by itself, with exit code 0"


async def _asked(process: BotProcess, question_id: str) -> Settled:
    """Ask as a table does, but for `turn_begins`, which would wake it in any case."""
    question = {"type": "pass", "id": question_id, "hand": ["S1", "S2", "S3"], "count": 2}
    return (await ask(process.link, question, question_id, CardsAnswer, 20_000_000)).settled


def _stopped(process: BotProcess) -> bool:
    """Say whether the bot and all that it started is stopped."""
    bots = [member.pid for member in below(process.pid) if not is_between(member.pid)]
    return bool(bots) and all(state_of(pid) == "T" for pid in bots)


@pytest.fixture
def one_core() -> Iterator[int]:
    """This process on one core, the last that it may use."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    yield max(cores)
    os.sched_setaffinity(0, cores)


async def test_start_ups_on_one_core_do_not_eat_each_others_time(one_core: int) -> None:
    """Five bots that each compute for half of their time to start: together they would all be late."""
    bots = [command("hungry", "late", bot=f"late{number}", start_ms=1500) for number in range(5)]
    async with trio.open_nursery() as nursery:
        pool = ProcessPool({bot.bot: bot for bot in bots}, nursery, HELLO)
        ready: list[str] = []

        async def lease(bot: str) -> None:
            process = await pool.lease_new(bot, 0)
            assert isinstance(process, BotProcess), process
            ready.append(bot)
            pool.give_back(process)

        async with trio.open_nursery() as starters:
            for bot in bots:
                starters.start_soon(lease, bot.bot)
        await pool.close("that was all")
    assert len(ready) == 5


# Who sits where

MANY = command("many", "4", "good")
ONE = command("good")


@asynccontextmanager
async def _seats(*bots: BotCommand, tables: int) -> AsyncIterator[tuple[ProcessPool, Seats, list[int]]]:
    """With the processes that were introduced, in that order."""
    met: list[int] = []
    async with trio.open_nursery() as nursery:
        replicas = ProcessPool({bot.bot: bot for bot in bots}, nursery, HELLO | {"tables_max": tables})
        yield replicas, Seats(replicas, tables, lambda process: met.append(process.pid)), met
        await replicas.close("that was all")


def _pids(seats: Seats, matches: int, players: Sequence[int]) -> list[list[int]]:
    """Who sits in each match at these seats."""
    return [[_pid(seats, number, seat) for seat in players] for number in range(matches)]


def _pid(seats: Seats, number: int, seat: int) -> int:
    process = seats.found[number, seat]
    assert isinstance(process, BotProcess), process
    return process.pid


async def test_at_one_table_each_seat_has_a_process_and_the_stand_in_none() -> None:
    async with _seats(ONE, MANY, tables=1) as (replicas, seats, met):
        await seats.find([job([ONE.bot, MANY.bot, STAND_IN, ONE.bot])])
        (pids,) = _pids(seats, 1, (0, 1, 3))
        assert len(set(pids)) == 3
        assert (0, 2) not in seats.found
        assert sorted(met) == sorted(pids)
        seats.release()
        again = Seats(replicas, 1, lambda _process: None)
        await again.find([job([ONE.bot, MANY.bot, STAND_IN, ONE.bot], index=1)])
        assert sorted(_pids(again, 1, (0, 1, 3))[0]) == sorted(pids), "those that wait are used again"
        again.release()


async def test_a_process_sits_at_as_many_tables_as_it_said_and_never_twice_at_one() -> None:
    async with _seats(MANY, ONE, tables=6) as (_, seats, _):
        await seats.find([job([MANY.bot, ONE.bot, MANY.bot], index) for index in range(6)])
        matches = _pids(seats, 6, (0, 1, 2))
        for seat, most in ((0, 4), (1, 1), (2, 4)):
            at_seat = [pids[seat] for pids in matches]
            assert max(at_seat.count(pid) for pid in at_seat) == most
        assert all(len(set(pids)) == 3 for pids in matches)
        seats.release()


async def test_whose_match_was_given_up_is_not_used_again() -> None:
    async with _seats(ONE, MANY, tables=2) as (replicas, seats, _):
        await seats.find([job([ONE.bot, MANY.bot]), job([ONE.bot], index=1)])
        first, many = _pids(seats, 1, (0, 1))[0]
        other = _pid(seats, 1, 0)
        seats.leave_match(0, "a test")
        assert left_alive([first, many], patience=0) == [first, many], "not before all matches are over"
        seats.release()
        await until(lambda: not left_alive([first, many], patience=0))
        idle = replicas.lease_idle(ONE.bot, 0)
        assert idle is not None
        assert idle.pid == other
        replicas.give_back(idle)
