"""A match as text, card by card, from the lines that the bots are sent and send. Prints nothing.

Every seat is told of an event at the table with its next message, so the first seat to hear of an event
makes it known. A seat whose match is over for its bot hears nothing any more. Bots that are asked together
answer in any order, so hands and passes are kept back until all have passed, and are then shown by seat. Some
seats hear of the end of a round only with their first question of the next round; it is known by then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from protocol.codec import decode
from protocol.messages import CardsAnswer, read_answer
from protocol.refusal import BadMessage

__all__ = ["Spectator"]

_PUBLIC = frozenset({"die", "played", "taken"})


class Spectator:
    """A spectator at a table of bots with these names, by seat."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._round = -1
        self._papayoo = ""
        self._begin_round(-1)

    def _begin_round(self, number: int) -> None:
        self._round = number
        self._known = 0
        """The number of public events of the round that any seat has heard of."""
        self._heard = [0] * len(self._names)
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
        message: dict[str, object] = dict(decode(line))
        number = message.get("round")
        if isinstance(number, int) and number > self._round:
            self._begin_round(number)
            yield f"\nRound {number}, {self._names[_number(message['dealer'])]} deals\n"
        if message["type"] == "pass":
            self._hands[seat] = f"  {self._names[seat]} holds {_cards(message['hand'])}\n"
        elif number == self._round:
            yield from self._kept_back()
        for event in _list(message.get("events")):
            assert isinstance(event, dict), "the referee's own message"
            if number == self._round:
                yield from self._public(seat, event)
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

    def _public(self, seat: int, event: Mapping[str, object]) -> Iterator[str]:
        if event["event"] in _PUBLIC:
            self._heard[seat] += 1
            if self._heard[seat] > self._known:
                self._known = self._heard[seat]
                yield self._happened(event)

    def _private(self, seat: int, event: Mapping[str, object]) -> Iterator[str]:
        if event.get("by") == "stand_in":
            chosen = event.get("card") or _cards(event.get("cards"))
            yield f"{self._line_end()}  (the stand-in chose {chosen} for {self._names[seat]})\n"

    def _happened(self, event: Mapping[str, object]) -> str:
        name = self._names[_number(event["seat"])]
        if event["event"] == "die":
            self._papayoo = str(event["card"])
            return f"  the Papayoo is {self._papayoo}\n"
        if event["event"] == "played":
            begin = ""
            if not self._falling:
                self._falling = True
                self._trick += 1
                begin = f"  {self._trick:2}"
            return f"{begin}   {name} {event['card']}"
        self._falling = False
        points = sum(self._points(str(card)) for card in _list(event["cards"]))
        return f"   -> {name}{f' takes {points} points' if points else ''}\n"

    def _line_end(self) -> str:
        return "\n" if self._falling else ""

    def _points(self, card: str) -> int:
        if card.startswith("P"):
            return int(card[1:])
        return 40 if card == self._papayoo else 0


def _number(value: object) -> int:
    assert isinstance(value, int), "a seat"
    return value


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _cards(value: object) -> str:
    return " ".join(map(str, _list(value)))
