"""A match as text, card by card, from the lines that the bots are sent and send. Prints nothing.

Bots that are asked together answer in any order, so hands and passes are kept back until all have passed,
and are then shown by seat. Some seats hear of the end of a round only with their first question of the next
round; it is known by then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from arena.seat.public_events import PublicEvents
from protocol.codec import decode
from protocol.messages import CardsAnswer, read_answer
from protocol.refusal import BadMessage

__all__ = ["Spectator"]


class Spectator:
    """A spectator at a table of bots with these names, by seat."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._events = PublicEvents(len(names))
        self._papayoo = ""
        self._begin_round()

    def _begin_round(self) -> None:
        self._trick = -1
        self._falling = False
        """Whether some cards of the trick have been played, but not all."""
        self._hands: dict[int, str] = {}
        self._passes: dict[int, str] = {}

    def heard(self, seat: int, from_bot: bool, line: bytes) -> Iterator[str]:
        """Yield what is new in a line to or from the bot at this seat, as text with its line ends."""
        if from_bot:
            self._said(seat, line)
            return
        message: Mapping[str, Any] = decode(line)
        number = message.get("round", -1)
        if self._events.begins_round(message):
            self._begin_round()
            yield f"\nRound {number}, {self._names[message['dealer']]} deals\n"
        if message["type"] == "pass":
            self._hands[seat] = f"  {self._names[seat]} holds {_cards(message['hand'])}\n"
        elif number == self._events.round:
            yield from self._kept_back()
        for event in message.get("events", ()):
            if self._events.is_new(seat, number, event):
                yield self._happened(event)
            yield from self._private(seat, event)

    def _kept_back(self) -> Iterator[str]:
        for lines in (self._hands, self._passes):
            yield from (lines[seat] for seat in sorted(lines))
            lines.clear()

    def _said(self, seat: int, line: bytes) -> None:
        try:
            answer = read_answer(line)
        except BadMessage:
            # A fault: the referee reports it with the result.
            return
        if isinstance(answer, CardsAnswer):
            left = self._names[(seat + 1) % len(self._names)]
            self._passes[seat] = f"  {self._names[seat]} passes {' '.join(answer.cards)} to {left}\n"

    def _private(self, seat: int, event: Mapping[str, Any]) -> Iterator[str]:
        if event.get("by") == "stand_in":
            chosen = event.get("card") or _cards(event["cards"])
            yield f"{self._line_end()}  (the stand-in chose {chosen} for {self._names[seat]})\n"

    def _happened(self, event: Mapping[str, Any]) -> str:
        name = self._names[event["seat"]]
        if event["event"] == "die":
            self._papayoo = event["card"]
            return f"  the Papayoo is {self._papayoo}\n"
        if event["event"] == "played":
            begin = ""
            if not self._falling:
                self._falling = True
                self._trick += 1
                begin = f"  {self._trick:2}"
            return f"{begin}   {name} {event['card']}"
        self._falling = False
        points = sum(map(self._points, event["cards"]))
        return f"   -> {name}{f' takes {points} points' if points else ''}\n"

    def _line_end(self) -> str:
        return "\n" if self._falling else ""

    def _points(self, card: str) -> int:
        if card.startswith("P"):
            return int(card[1:])
        return 40 if card == self._papayoo else 0


def _cards(names: Iterable[str]) -> str:
    return " ".join(names)
