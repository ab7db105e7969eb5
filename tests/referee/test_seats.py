"""Which process sits where, of matches at the same time, and what becomes of it then. Real processes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import trio

from arena.bot.launch import BotCommand
from arena.bot.process import BotProcess, StartFailure
from arena.match.stand_in import STAND_IN
from arena.referee.process_pool import ProcessPool, Seats
from tests.tables import HELLO, command, job, left_alive, until

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
