"""A table in memory for tests: people on pages and others that answer by dice, under a clock that jumps."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import trio

from arena.bot.channel import Channel
from arena.bot.person import Person
from arena.deals import MatchKey
from arena.match.record import MatchRecord
from arena.match.stand_in import from_deals
from arena.people.seat import PageSeat
from arena.people.shared import Note, SharedTable
from arena.referee.playing_loop import play_one
from arena.referee.table import Player, Table
from arena.seat.seat import Seat
from arena.workbench.tap import TappedChannel
from tests.tables import deals_of, match_of

KEY = MatchKey(0, 0, 0)
State = dict[str, Any]


def state_in(event: bytes) -> State | None:
    """The state in an event, None for one that has none."""
    line = next((line for line in event.splitlines() if line.startswith(b'data: {"')), None)
    return None if line is None else json.loads(line.removeprefix(b"data: "))


@asynccontextmanager
async def states_of(seat: PageSeat) -> AsyncIterator[AsyncGenerator[State, None]]:
    """The states that a page is sent while the block lasts: then it is closed."""

    async def states() -> AsyncGenerator[State, None]:
        async for event in events:
            state = state_in(event)
            if state is not None:
                yield state

    async with aclosing(seat.events()) as events, aclosing(states()) as found:
        yield found


class PageTable:
    """A table of so many seats; at the first `people` of them there are pages. `record`: once it is over."""

    def __init__(
        self,
        players: int,
        people: int = 1,
        *,
        rounds: int = 1,
        clock: float | None = None,
        away: float = 600.0,
    ) -> None:
        self.told: list[Note] = []
        names = [f"p{seat}" for seat in range(players)]
        self.table = SharedTable(names, range(people), rounds, self.told.append)
        self.seats = [PageSeat(seat, self.table, away, clock) for seat in range(people)]
        self.record: MatchRecord | None = None
        self.people = [self._person(seat) for seat in range(players)]
        no_clock = tuple(range(players) if clock is None else range(people, players))
        setup = match_of(names, rounds, round((clock or 1.0) * 1000))
        self._setup = replace(setup, no_clock=no_clock)
        self._names = names

    def _person(self, seat: int) -> Person:
        def tap(channel: Channel) -> Channel:
            return TappedChannel(channel, partial(self.table.heard, seat))

        return Person(tap)

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[trio.Nursery]:
        """Let the match go on while the block lasts; at its end everybody leaves."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._play)
            yield nursery
            nursery.cancel_scope.cancel()

    async def _play(self) -> None:
        players = [Player(name, person) for name, person in zip(self._names, self.people, strict=True)]
        table = Table(self._setup, from_deals(deals_of(), KEY), players, lambda _process, _reason: None)
        others: list[Callable[[Person], Awaitable[None]]] = [
            *(seat.converse for seat in self.seats),
            *(partial(by_dice, seat) for seat in range(len(self.seats), len(self._names))),
        ]
        async with trio.open_nursery() as nursery:
            for talk, person in zip(others, self.people, strict=True):
                nursery.start_soon(self._talk, talk, person)
            self.record = await play_one(table, KEY, "off", together=True)
            for person in self.people:
                person.bye("over")
        self.table.finished(self.record.seats)

    async def _talk(self, talk: Callable[[Person], Awaitable[None]], person: Person) -> None:
        await talk(person)
        person.leave()


async def by_dice(number: int, person: Person) -> None:
    """Somebody who takes a second for each choice."""
    seat, dice = Seat(), Random(number)
    while not seat.view.bye:
        view = seat.heard(await person.hear())
        if view.question:
            await trio.sleep(1)
            person.say(seat.answer(choice(view.legal, view.count, dice)))


def choice(legal: Sequence[str], count: int, dice: Random) -> list[str]:
    return dice.sample(list(legal), count)
