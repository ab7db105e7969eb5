"""A table as all people at it share it: what everybody sees, who is away or was replaced, and the result.

Each person's own cards are elsewhere (`arena.people.seat`). Knows no connection.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import trio

from arena.match.faults import HandOver
from arena.match.record import SeatRecord
from arena.seat.onlooker import Onlooker, TableSeen


class What(StrEnum):
    """What is told of a seat. The values are for the page, which has the words."""

    REPLACED = "replaced"
    """The stand-in plays for a bot to the end of the match."""
    AWAY = "away"
    """The same for a person whose page stayed away too long."""
    LATE = "late"
    """The same for a person with a clock who was late twice in a row, or too often."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something that is told to all. `why`: of a bot, the value of its `HandOver`."""

    what: What
    seat: int
    why: str = ""


class SharedTable:
    """A table with these names by seat; at the seats `people` there are people. `tell` hears of each note."""

    def __init__(
        self, names: Sequence[str], people: Sequence[int], rounds: int, tell: Callable[[Note], object]
    ) -> None:
        self.names = tuple(names)
        self.people = tuple(people)
        self.rounds = rounds
        self.away = set(people)
        """The people whose page is not open."""
        self.notes: list[Note] = []
        self.result: tuple[SeatRecord, ...] | None = None
        """How each seat ended; None before the end of the match."""
        self.count = 0
        """How often anything has changed."""
        self._tell = tell
        self._onlooker = Onlooker(len(names))
        self._event = trio.Event()

    @property
    def seen(self) -> TableSeen:
        """Return what everybody sees."""
        return self._onlooker.seen

    def heard(self, seat: int, from_bot: bool, line: bytes) -> None:
        """Take in a line to or from any seat."""
        before = self.seen
        if self._onlooker.heard(seat, from_bot, line) is not before:
            self.changed()

    def bot_replaced(self, seat: int, why: HandOver) -> None:
        """Take note that the stand-in plays on for a bot."""
        self.replaced(Note(What.REPLACED, seat, why.value))

    def replaced(self, note: Note) -> None:
        """Take note that the stand-in plays on for a seat, and tell all."""
        self._onlooker.out(note.seat)
        self.notes.append(note)
        self._tell(note)
        self.changed()

    def finished(self, seats: tuple[SeatRecord, ...]) -> None:
        """Take note that the match is over, and how each seat ended."""
        self.result = seats
        self.changed()

    def changed(self) -> None:
        """Wake whoever waits for a change."""
        self.count += 1
        self._event.set()
        self._event = trio.Event()

    async def beyond(self, count: int) -> None:
        """Wait until there have been more than `count` changes."""
        while self.count <= count:
            await self._event.wait()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, which a change can bring about."""
        while not holds():
            await self.beyond(self.count)
