"""Which process plays which match, and sits where: replicas, retirement, seats. Real processes."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import trio

import arena.bot.limits
import arena.referee.process_pool
from arena.bot import launch
from arena.bot.answers import Settled, Wrong
from arena.bot.launch import BotCommand
from arena.bot.link import ask
from arena.bot.process import BotProcess, StartFailure
from arena.linux import namespace
from arena.linux.process_tree import below
from arena.match.faults import FaultKind
from arena.match.stand_in import STAND_IN
from arena.referee.process_pool import MAX_PROCESSES, ProcessPool, Seats, most_waiting
from protocol.messages import CardsAnswer
from tests.referees import is_between
from tests.tables import HELLO, command, job, left_alive, state_of, until

pytestmark = pytest.mark.slow

START = {"type": "start", "table": 0, "players": 4, "seat": 0}
OVER = {"type": "match_over", "table": 0, "scores": [], "places": [], "events": []}


@asynccontextmanager
async def _replicas(*commands: BotCommand, max_processes: int = MAX_PROCESSES) -> AsyncIterator[ProcessPool]:
    async with trio.open_nursery() as nursery:
        pool = ProcessPool({one.bot: one for one in commands}, nursery, HELLO, max_processes)
        yield pool
        await pool.close("that was all")


async def _lease(pool: ProcessPool, bot: str, replica: int) -> BotProcess:
    process = pool.lease_idle(bot, replica) or await pool.lease_new(bot, replica)
    assert isinstance(process, BotProcess), process
    return process


def _tell(process: BotProcess, message: dict[str, object]) -> None:
    process.link.tell(message)
    process.link.flush()


async def test_a_process_serves_one_replica_number_for_ever() -> None:
    async with _replicas(command("good", bot="a"), command("good", bot="b")) as pool:
        places = [(bot, replica) for bot in "ab" for replica in (0, 1)]
        pids = {}
        for place in places:
            process = await _lease(pool, *place)
            pids[place] = process.pid
            pool.give_back(process)
        assert len(set(pids.values())) == 4
        for place in reversed(places):
            process = await _lease(pool, *place)
            assert process.pid == pids[place]
            assert process.matches == 1
            pool.give_back(process)
    assert left_alive(pids.values()) == []


async def test_two_seats_never_share_a_process() -> None:
    async with _replicas(command("good")) as pool:
        first = await _lease(pool, "good", 0)
        second = await _lease(pool, "good", 0)
        assert first.pid != second.pid
        pool.give_back(first)
        pool.give_back(second)


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


async def test_a_process_that_has_grown_is_retired() -> None:
    async with _replicas(command("grows")) as pool:
        process = await _lease(pool, "grows", 0)
        _tell(process, START)
        await until(lambda: process.watchdog.memory_bytes > 200 << 20)
        pool.give_back(process)
        await until(lambda: not left_alive([process.pid], patience=0))
        again = await _lease(pool, "grows", 0)
        assert again.pid != process.pid
        pool.give_back(again)
        assert (await _lease(pool, "grows", 0)).pid == again.pid, "small as yet, so used again"
        pool.give_back(again)


async def test_the_least_recently_used_is_ended_first() -> None:
    async with _replicas(command("good"), max_processes=2) as pool:
        used = [await _lease(pool, "good", replica) for replica in range(2)]
        for process in used:
            pool.give_back(process)
        pool.give_back(await _lease(pool, "good", 0))  # now 1 is the oldest
        third = await _lease(pool, "good", 2)
        pool.give_back(third)
        await until(lambda: not left_alive([used[1].pid], patience=0))
        assert left_alive([used[0].pid, third.pid], patience=0) == [used[0].pid, third.pid]


@pytest.mark.parametrize("how", ["match_over", "killed"])
async def test_who_died_between_matches_is_started_anew(how: str) -> None:
    bot = command("dies", "match_over", "0") if how == "match_over" else command("good")
    async with _replicas(bot) as pool:
        process = await _lease(pool, bot.bot, 0)
        pool.give_back(process)
        if how == "killed":
            os.kill(process.pid, signal.SIGKILL)
        _tell(process, OVER)
        await until(lambda: not process.alive)
        again = await _lease(pool, bot.bot, 0)
        assert again.pid != process.pid
        pool.give_back(again)


async def test_who_flooded_standard_error_after_its_match_is_not_used_again() -> None:
    async with _replicas(command("good")) as pool:
        process = await _lease(pool, "good", 0)
        pool.give_back(process)
        process.link.end(Wrong(FaultKind.FLOOD, "too much"))
        again = await _lease(pool, "good", 0)
        assert again.pid != process.pid
        pool.give_back(again)
        await until(lambda: not left_alive([process.pid], patience=0))


@pytest.mark.slow
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


@pytest.mark.slow
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


async def test_who_waits_for_its_first_match_is_not_stopped() -> None:
    async with _replicas(command("good")) as pool:
        process = await _lease(pool, "good", 0)
        for _ in range(6):
            process.watchdog.look()
        assert not process.watchdog._brake.on
        pool.give_back(process)


def _stopped(process: BotProcess) -> bool:
    """Say whether the bot and all that it started is stopped."""
    bots = [member.pid for member in below(process.pid) if not is_between(member.pid)]
    return bool(bots) and all(state_of(pid) == "T" for pid in bots)


async def test_who_was_ended_for_a_limit_while_it_waited_is_told_once() -> None:
    bot = replace(command("hungry", "between_memory"), memory_mib=200)
    async with _replicas(bot, command("dies", "match_over", "0"), command("good")) as pool:
        for name in (bot.bot, "dies-match_over-0", "good"):
            process = await _lease(pool, name, 0)
            _tell(process, OVER)
            pool.give_back(process)
            if name != "good":
                await until(lambda process=process: not process.usable)
        assert pool.lease_idle(bot.bot, 0) is None
        ((name, reason),) = pool.take_overran()
        assert name == bot.bot
        assert re.fullmatch(r"it used \d+ MiB of memory; the limit is 200 MiB", reason)
        assert pool.take_overran() == []
        assert pool.lease_idle("dies-match_over-0", 0) is None
        assert pool.lease_idle("good", 0) is process
        pool.give_back(process)


@pytest.mark.parametrize("seen", ["after its match", "while it waits", "at the end"])
async def test_every_way_of_being_ended_for_a_limit_after_a_match_is_told(seen: str) -> None:
    limit = Wrong(FaultKind.RESOURCE, "it used too much")
    async with _replicas(command("good")) as pool:
        process = await _lease(pool, "good", 0)
        if seen == "after its match":
            process.link.end(limit)
        pool.give_back(process)
        process.link.end(limit)
        if seen == "at the end":
            await pool.close("that was all")
        assert pool.take_overran() == [("good", "it used too much")]
        assert pool.lease_idle("good", 0) is None


async def test_a_bot_that_cannot_start_is_tried_again_each_time() -> None:
    bot = command("dies", "at_once", "4")
    async with _replicas(bot) as pool:
        for _ in range(2):
            failure = await pool.lease_new(bot.bot, 0)
            assert isinstance(failure, StartFailure)
            assert failure.reason == "the process ended by itself, with exit code 4"


async def test_close_ends_all_that_wait_even_the_stubborn() -> None:
    pids: list[int] = []
    async with _replicas(command("stubborn", "sits"), command("good")) as pool:
        leased = [await _lease(pool, bot, replica) for bot in ("stubborn-sits", "good") for replica in (0, 1)]
        pids += [process.pid for process in leased]
        for process in leased:
            pool.give_back(process)
        assert left_alive(pids, patience=0) == pids
    assert left_alive(pids) == []


def test_more_may_wait_where_more_sit_at_tables() -> None:
    assert [most_waiting(tables) for tables in (1, 2, 8, 64)] == [64, 64, 256, 512]


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


async def test_who_does_not_start_is_tried_again_for_each_seat() -> None:
    dies = command("dies", "at_once", "1")
    async with _seats(dies, tables=2) as (_, seats, met):
        await seats.find([job([dies.bot], index) for index in range(2)])
        assert [isinstance(found, StartFailure) for found in seats.found.values()] == [True, True]
        assert met == []
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


async def test_who_leaves_its_last_match_is_ended_at_once() -> None:
    async with _seats(MANY, tables=2) as (_, seats, _):
        await seats.find([job([MANY.bot], index) for index in range(2)])
        process = seats.found[0, 0]
        assert isinstance(process, BotProcess)
        places = [process.sit_down(), process.sit_down()]
        process.stand_up(places[0])
        seats.leave(process, "a test")
        assert process.alive, "it plays at another table"
        process.stand_up(places[1])
        seats.leave(process, "a test")
        await until(lambda: not left_alive([process.pid], patience=0))
        seats.release()
