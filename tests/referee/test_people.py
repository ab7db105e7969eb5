"""People at a table, in memory and under a clock that jumps: nothing makes them late, the record is whole.

Each test names `autojump_clock`, for pytest-trio looks for a clock among the test's own arguments only.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
import trio
from trio.testing import MockClock

from arena.bot.person import LEFT, Person
from arena.deals import MatchKey
from arena.match.faults import FaultKind, HandOver
from arena.match.record import MatchRecord
from arena.match.stand_in import from_deals
from arena.referee.playing_loop import play_one
from arena.referee.table import Player, Table
from arena.seat.seat import Seat
from arena.seat.view import Stage, View
from arena.verify.match_file import MatchFile, read_match_file, write_match_file
from tests.tables import check_record, deals_of, match_of

DAY = 86_400.0
KEY = MatchKey(0, 0, 0)
Talk = Callable[[Person, list[View]], Awaitable[None]]


def taking(seconds: float, stop_after: int | None = None) -> Talk:
    """Somebody who takes so long for each answer, and leaves the table after so many of them."""

    async def talk(person: Person, views: list[View]) -> None:
        seat, answers = Seat(), 0
        while not seat.view.bye:
            views.append(seat.heard(await person.hear()))
            if seat.view.question:
                if answers == stop_after:
                    person.leave()
                    continue
                await trio.sleep(seconds)
                person.say(seat.answer(seat.view.legal[: seat.view.count]))
                answers += 1

    return talk


async def played(talks: list[Talk], no_clock: tuple[int, ...]) -> tuple[MatchRecord, list[list[View]]]:
    """Play a match of people alone, and return its record and, by seat, all that each has seen."""
    names = [f"person{seat}" for seat in range(len(talks))]
    people = [Person() for _ in talks]
    views: list[list[View]] = [[] for _ in talks]
    setup = replace(match_of(names, rounds=2), no_clock=no_clock or None)
    players = [Player(name, person) for name, person in zip(names, people, strict=True)]
    table = Table(setup, from_deals(deals_of(), KEY), players, lambda _process, _reason: None)
    async with trio.open_nursery() as nursery:
        for talk, person, seen in zip(talks, people, views, strict=True):
            nursery.start_soon(talk, person, seen)
        record = await play_one(table, KEY, "off", together=True)
        for person in people:
            person.bye("the match is over")
    check_record(record)
    assert read_match_file(write_match_file(MatchFile(0, tuple(names), record))).record == record
    return record, views


async def test_a_question_may_stay_open_for_a_week(autojump_clock: MockClock) -> None:
    record, views = await played([taking(0.0), taking(7 * DAY), taking(0.5)], (1,))
    assert record.faults == ()
    took = record.rounds[0].took_us
    assert took[:3] == (0, round(7 * DAY * 1e6), 500_000)
    assert {seat.cpu_us for seat in record.seats} == {None}
    for seen in views:
        assert seen[-2].stage is Stage.MATCH_OVER
        assert seen[-2].totals == tuple(seat.points for seat in record.seats)
        assert seen[-1].bye == "the match is over"


@pytest.mark.parametrize("answers", [0, 1, 7])
async def test_for_who_leaves_the_stand_in_plays_on(autojump_clock: MockClock, answers: int) -> None:
    record, views = await played([taking(1.0), taking(9.0, answers), taking(1.0)], (0, 1, 2))
    (fault,) = record.faults
    assert (fault.seat, fault.kind, fault.reason) == (1, FaultKind.CRASHED, LEFT)
    assert record.seats[1].hand_over is HandOver.CRASHED
    assert views[1][-1].bye == "the stand-in has taken over: crashed"
    assert views[0][-2].stage is Stage.MATCH_OVER
