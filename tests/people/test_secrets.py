"""Everything that is sent to a page is read: no card is in it that its seat cannot know at that moment."""

from __future__ import annotations

from random import Random

import pytest
from trio.testing import MockClock

from tests.people.at_table import PageTable, choice, states_of
from tests.people.reader import Reader


@pytest.mark.parametrize("players", [3, 8])
async def test_no_hidden_card_is_sent(autojump_clock: MockClock, players: int) -> None:
    table = PageTable(players, people=2, rounds=2)
    readers = [Reader(), Reader()]

    async def play(number: int) -> None:
        seat, dice, asked = table.seats[number], Random(number), ""
        async with states_of(seat) as states:
            async for state in states:
                readers[number].read(state)
                if state["result"] is not None:
                    return
                if state["question"] not in ("", asked):
                    asked = state["question"]
                    seat.answer(asked, choice(state["legal"], state["count"], dice))

    async with table.playing() as nursery:
        nursery.start_soon(play, 1)
        await play(0)
    assert [len(reader.own) for reader in readers] == [2, 2]
    assert not readers[0].own[0] >= readers[1].own[0]
