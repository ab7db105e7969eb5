"""One person's seat on a page: lines of the referee in, states for the page out, and the choices back.

The page may be closed and opened again, or opened twice: the newest one has the seat. A person whose page
stays away too long has left the table. Knows no request and no cookie.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

import trio

from arena.bot.person import Person
from arena.match.record import SeatRecord
from arena.people.http import Reply
from arena.people.shared import Note, SharedTable, What
from arena.seat.onlooker import RoundSeen
from arena.seat.seat import Seat
from arena.seat.view import Stage, Taken, View

_BEAT_SECONDS: Final = 10.0
"""How often something is sent when there is nothing to say, so that both ends notice a lost connection."""


class PageSeat:
    """The seat `number` at a table.

    `away_seconds`: how long its page may be away. `move_seconds`: the time for a choice where the person has
    a clock, None for none.
    """

    def __init__(
        self,
        number: int,
        table: SharedTable,
        away_seconds: float,
        move_seconds: float | None = None,
    ) -> None:
        self.number = number
        self.documents: dict[str, Callable[[], Reply]] = {}
        """What the person may read of the match once it is over, by name."""
        self.looking_back = ""
        """How far the review is that the person asked for: "" for not asked, or what the page says of it."""
        self._table = table
        self._away_seconds = away_seconds
        self._move_seconds = move_seconds
        self._seat = Seat()
        self._person: Person | None = None
        self._asked_at = 0.0
        self._page = 0
        """The number of the newest page: only that one is sent anything."""

    # The referee's side

    async def arrived(self) -> None:
        """Wait until the page is open."""
        await self._table.until(lambda: not self._away)

    async def converse(self, person: Person) -> None:
        """Play until the referee says bye."""
        self._person = person
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._leave_when_away, person)
            while not self._seat.view.bye:
                self._heard(await person.hear())
            nursery.cancel_scope.cancel()

    def _heard(self, line: bytes) -> None:
        before = self._seat.view
        view = self._seat.heard(line)
        if view.question not in ("", before.question):
            self._asked_at = trio.current_time()
        if view.bye and view.stage is not Stage.MATCH_OVER and not self._is_replaced:
            self._table.replaced(Note(What.LATE, self.number))
        self._table.changed()

    @property
    def _is_replaced(self) -> bool:
        return any(note.seat == self.number for note in self._table.notes)

    @property
    def _away(self) -> bool:
        return self.number in self._table.away

    async def _leave_when_away(self, person: Person) -> None:
        while True:
            await self._table.until(lambda: self._away)
            with trio.move_on_after(self._away_seconds) as patience:
                await self._table.until(lambda: not self._away)
            if patience.cancelled_caught:
                self._table.replaced(Note(What.AWAY, self.number))
                person.leave()
                return

    # The page's side

    def answer(self, question: str, cards: Sequence[str]) -> None:
        """Send the cards that the person chose. Raises Refused, and then nothing has changed."""
        line = self._seat.answer(cards, question)
        assert self._person is not None, "somebody has asked"
        self._person.say(line)
        self._table.changed()

    def taken_over(self) -> None:
        """End the page that is open: somebody has come with a newer address."""
        self._page += 1
        self._table.changed()

    async def events(self) -> AsyncIterator[bytes]:
        """Yield events for a page: each state as it comes, and "elsewhere" once another page has the seat."""
        self._page += 1
        mine = self._page
        self._table.away.discard(self.number)
        self._table.changed()
        sent = -1
        try:
            while self._page == mine:
                if sent < self._table.count:
                    sent = self._table.count
                    yield f"id: {sent}\ndata: {json.dumps(self.state())}\n\n".encode()
                else:
                    yield b":\n\n"
                with trio.move_on_after(_BEAT_SECONDS):
                    await self._table.beyond(sent)
            yield b"event: elsewhere\ndata: {}\n\n"
        finally:
            if self._page == mine:
                self._table.away.add(self.number)
                self._table.changed()

    def state(self) -> dict[str, object]:
        """Return all that the page may know now."""
        return {
            **_state_of(self._seat.view, self._table, self.number, self._seconds_left()),
            "documents": sorted(self.documents),
            "review": self.looking_back,
        }

    def _seconds_left(self) -> float | None:
        if self._move_seconds is None or not self._seat.view.question:
            return None
        return max(0.0, self._move_seconds - (trio.current_time() - self._asked_at))


def _state_of(view: View, table: SharedTable, seat: int, seconds_left: float | None) -> dict[str, object]:
    """Return the state of a match as one seat may know it, as plain data for JSON.

    It is made of values that hold no other seat's hidden cards, so none can get out.

    Cards have the names of the wire. `stage`: see `Stage`; `question`: the id of the open one, "" for none;
    `left`: the seconds for it where there is a clock. `round`: that of the own cards, which may be the one
    before the newest: others are told of a new round a moment earlier.
    """
    seen = table.seen
    return {
        "seat": seat,
        "names": table.names,
        "people": table.people,
        "away": sorted(table.away),
        "rounds": table.rounds,
        "stage": view.stage.value,
        "round": view.round,
        "bye": bool(view.bye),
        "question": view.question,
        "count": view.count,
        "hand": view.hand,
        "legal": view.legal,
        "passed": view.passed,
        "received": view.received,
        "left": seconds_left,
        "played": [_round(one) for one in seen.rounds],
        "thinking": sorted(seen.thinking),
        "notes": [{"what": note.what.value, "seat": note.seat, "why": note.why} for note in table.notes],
        "result": None if table.result is None else [_result(one) for one in table.result],
    }


def _result(one: SeatRecord) -> dict[str, int]:
    return {"points": one.points, "charge": one.charge, "place": one.place}


def _round(one: RoundSeen) -> dict[str, object]:
    return {
        "dealer": one.dealer,
        "papayoo": one.papayoo,
        "tricks": [_trick(trick) for trick in one.tricks],
        "trick": [fallen.card for fallen in one.trick],
        "leader": one.leader,
        "stars": sorted(one.stood_in),
    }


def _trick(trick: Taken) -> dict[str, object]:
    return {
        "leader": trick.cards[0].seat,
        "cards": [fallen.card for fallen in trick.cards],
        "taker": trick.taker,
        "points": trick.points,
    }
