"""A person's seat on a page: what its page is sent and when, pages that come and go, and refusals."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from arena.match.faults import HandOver
from arena.people.seat import PageSeat
from arena.people.shared import Note, What
from arena.seat.seat import Refused
from tests.people.at_table import PageTable, State, choice, state_in, states_of


async def play_on_page(seat: PageSeat, until: int | None = None) -> State:
    """Choose by dice on the page, so many times or to the end, and return the last state."""
    dice, asked = Random(9), ""
    async with states_of(seat) as states:
        async for state in states:
            if state["result"] is not None or until == 0:
                return state
            if state["question"] not in ("", asked):
                asked = state["question"]
                seat.answer(asked, choice(state["legal"], state["count"], dice))
                until = None if until is None else until - 1
    raise AssertionError("the page was taken over")


async def first(seat: PageSeat, holds: Callable[[State], object]) -> State:
    """Return the first state of a page in which this holds, and close the page."""
    async with states_of(seat) as states:
        async for state in states:
            if holds(state):
                return state
    raise AssertionError("the page was taken over")


async def test_states_come_at_once_and_with_each_change_and_a_beat_without(autojump_clock: MockClock) -> None:
    table = PageTable(3)
    seat = table.seats[0]
    events = seat.events()
    first = state_in(await anext(events))
    assert first is not None
    assert (first["stage"], first["played"], first["away"]) == ("before", [], [])
    began = trio.current_time()
    assert await anext(events) == b":\n\n"
    assert trio.current_time() - began == pytest.approx(10.0)
    async with table.playing():
        await wait_all_tasks_blocked()
        state = state_in(await anext(events))
        assert state is not None
        assert (state["stage"], state["count"], len(state["hand"])) == ("passing", 5, 20)
        assert state["thinking"] == [0, 1, 2]
        seen = []
        while not seen or seen[-1] != [0]:
            state = state_in(await anext(events))
            seen.append(state["thinking"] if state else None)
        assert seen[-1] == [0], "the others have passed"
    await events.aclose()
    assert table.table.away == {0}


async def test_a_newer_page_has_the_seat(autojump_clock: MockClock) -> None:
    table = PageTable(3)
    seat = table.seats[0]
    async with table.playing() as nursery:
        await wait_all_tasks_blocked()
        old, ended = seat.events(), trio.Event()
        await anext(old)

        async def rest() -> None:
            assert [event async for event in old][-1] == b"event: elsewhere\ndata: {}\n\n"
            ended.set()

        nursery.start_soon(rest)
        new = seat.events()
        state = state_in(await anext(new))
        await ended.wait()
        assert state is not None
        assert state["question"]
        assert table.table.away == set(), "the older page's end is nobody's absence"
        seat.taken_over()
        assert [event async for event in new][-1] == b"event: elsewhere\ndata: {}\n\n"
        await new.aclose()


async def test_a_page_may_be_closed_and_opened_again(autojump_clock: MockClock) -> None:
    table = PageTable(3, away=60)
    seat = table.seats[0]
    async with table.playing():
        for _ in range(4):
            await play_on_page(seat, 2)
            assert table.table.away == {0}
            await trio.sleep(59)
        await play_on_page(seat)
    assert table.record is not None
    assert table.record.faults == ()


async def test_who_stays_away_is_played_for_and_all_are_told(autojump_clock: MockClock) -> None:
    table = PageTable(4, people=2, away=60)
    ann, ben = table.seats
    async with table.playing() as nursery:
        nursery.start_soon(play_on_page, ben)
        await play_on_page(ann, 2)
        began = trio.current_time()
        await table.table.until(lambda: bool(table.told))
        assert trio.current_time() - began == pytest.approx(60, abs=5)
        await table.table.until(lambda: table.table.result is not None)
        state = ben.state()
        assert state["notes"] == [{"what": "away", "seat": 0, "why": ""}]
        own = await first(ann, lambda _: True)
        assert (own["bye"], own["question"]) == (True, "")
        with pytest.raises(Refused, match="The match is over for you"):
            ann.answer("x", ["S7"])
    assert table.told == [Note(What.AWAY, 0)]
    assert table.record is not None
    assert table.record.seats[0].hand_over is HandOver.CRASHED
    assert {fault.reason for fault in table.record.faults} == {"the person left the table"}


async def test_nobody_is_missed_before_the_page_was_open(autojump_clock: MockClock) -> None:
    table = PageTable(3)
    seat = table.seats[0]
    with trio.move_on_after(3600) as patience:
        await seat.arrived()
    assert patience.cancelled_caught
    events = seat.events()
    await anext(events)
    await seat.arrived()
    await events.aclose()


async def test_with_a_clock_the_time_is_told_and_who_is_late_is_played_for(autojump_clock: MockClock) -> None:
    table = PageTable(3, clock=20)
    seat = table.seats[0]
    async with table.playing():
        state = await first(seat, lambda state: state["question"])
        assert 0 < state["left"] <= 20
        seat.answer(state["question"], state["legal"][:5])
        state = await first(seat, lambda state: state["bye"])
        assert state["left"] is None
    assert table.told == [Note(What.LATE, 0)]
