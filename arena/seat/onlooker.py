"""The table as everybody at it sees it, from the lines to and from all seats, as soon as they are sent.

A person who plays on a page sees each card as it falls, as at a real table, and who is thinking; a bot hears
of it with its next message. So most events come as often as there are seats, and count once. The lines hold
hands and passes, too: an onlooker takes nothing out of them but what is public.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from arena.seat.view import Fallen, Taken
from protocol.codec import decode
from protocol.messages import CardAnswer, CardsAnswer, read_answer
from protocol.refusal import BadMessage

_PUBLIC: Final = frozenset({"die", "played", "taken"})


@dataclass(frozen=True, slots=True)
class RoundSeen:
    """A round as far as it has been played. `number` counts from 0.

    `papayoo`: the 7 that counts 40 points, "" before the die is rolled. `tricks`: those that were taken.
    `trick`: the cards of the one that is being played. `stood_in`: cards that the stand-in chose.
    """

    number: int
    dealer: int
    papayoo: str = ""
    tricks: tuple[Taken, ...] = ()
    trick: tuple[Fallen, ...] = ()
    stood_in: frozenset[str] = frozenset()

    @property
    def leader(self) -> int:
        """Return the seat that plays first in the trick that is being played."""
        return self.tricks[-1].taker if self.tricks else self.dealer


@dataclass(frozen=True, slots=True)
class TableSeen:
    """What everybody sees of a match. `rounds`: those that have begun. `thinking`: the seats to choose now.

    `places`: by seat, at the end of the match; empty before.
    """

    rounds: tuple[RoundSeen, ...] = ()
    thinking: frozenset[int] = frozenset()
    places: tuple[int, ...] = ()


class Onlooker:
    """Somebody who watches a table of so many players. `seen`: what is to be seen now; it never changes."""

    def __init__(self, players: int) -> None:
        self.seen = TableSeen()
        self._known = 0
        """The public events of the newest round so far."""
        self._heard = [0] * players
        """How many of them each seat has been told."""
        self._asked: dict[int, str] = {}
        """The ids of the questions that are open, by seat."""
        self._out: set[int] = set()

    def heard(self, seat: int, from_bot: bool, line: bytes) -> TableSeen:
        """Take in a line to or from a seat, and return what is to be seen after it."""
        if from_bot:
            self._said(seat, line)
        else:
            self._told(seat, decode(line))
        thinking = frozenset(self._asked)
        if thinking != self.seen.thinking:
            self.seen = replace(self.seen, thinking=thinking)
        return self.seen

    def out(self, seat: int) -> None:
        """Take note that the stand-in plays the rest of the match for a seat."""
        self._out.add(seat)

    def _said(self, seat: int, line: bytes) -> None:
        try:
            answer = read_answer(line)
        except BadMessage:
            # A fault, which the next question shows.
            return
        if isinstance(answer, CardAnswer | CardsAnswer) and self._asked.get(seat) == answer.id:
            del self._asked[seat]

    def _told(self, seat: int, message: Mapping[str, Any]) -> None:
        kind = message["type"]
        number = message.get("round", -1)
        if number == len(self.seen.rounds):
            begun = RoundSeen(number, message["dealer"])
            self.seen = replace(self.seen, rounds=(*self.seen.rounds, begun))
            self._known, self._heard = 0, [0] * len(self._heard)
        for event in message.get("events", ()):
            if number == len(self.seen.rounds) - 1 and event["event"] in _PUBLIC:
                self._heard[seat] += 1
                if self._heard[seat] > self._known:
                    self._known += 1
                    self._happened(event)
            if event["event"] == "played" and event.get("by") == "stand_in":
                self._stood_in(event["card"])
        if kind == "pass":
            self._asked[seat] = message["id"]
        elif kind == "play":
            self._asked = {seat: message["id"]}
        elif kind == "match_over":
            self._asked = {}
            self.seen = replace(self.seen, places=tuple(message["places"]))

    def _happened(self, event: Mapping[str, Any]) -> None:
        now, seat = self.seen.rounds[-1], event["seat"]
        if event["event"] == "die":
            self._now(papayoo=event["card"])
        elif event["event"] == "played":
            self._now(trick=(*now.trick, Fallen(seat, event["card"])))
            if seat in self._out:
                self._stood_in(event["card"])
        else:
            self._now(tricks=(*now.tricks, Taken.of(now.trick, seat, now.papayoo)), trick=())

    def _stood_in(self, card: str) -> None:
        self._now(stood_in=self.seen.rounds[-1].stood_in | {card})

    def _now(self, **changed: Any) -> None:
        *before, now = self.seen.rounds
        self.seen = replace(self.seen, rounds=(*before, replace(now, **changed)))
