"""One seat of a table without input, output or clock: lines of the protocol in, views and answers out.

    seat = Seat()
    view = seat.heard(line)         # each line of the referee
    if view.question:
        line = seat.answer(["S7"])  # or Refused, in a sentence for the person

A person's choice is judged here before the referee sees it. So a slip costs a person nothing, whereas a bot
that answers wrongly has committed a fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from arena.seat.view import Fallen, Stage, Taken, View
from protocol.codec import decode
from protocol.messages import CARDS, answer_line

_CARDS = frozenset(CARDS)
_SUIT_WORDS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", "P": "Payoo"}


class Refused(Exception):  # noqa: N818  (it says what happened)
    """A choice that the referee is not sent, with a sentence for the person. Nothing has changed."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def suit_word(card: str) -> str:
    """Return the suit of a card in words."""
    return _SUIT_WORDS[card[0]]


class Seat:
    """A seat. `view`: what it sees now; every view is a value that stays as it was."""

    def __init__(self) -> None:
        self.view = View()
        self._unconfirmed = False
        """Whether the last card of the trick is an own one of which the referee has not told yet."""

    # What comes in

    def heard(self, line: bytes) -> View:
        """Take in a line of the referee, and return the view after it. Unknown messages change nothing."""
        message: Mapping[str, Any] = decode(line)
        kind = message["type"]
        if kind == "start":
            self._start(message)
        elif kind == "pass":
            self._deal(message)
            self._events(message["events"])
            self._asked(message, Stage.PASSING, message["hand"], message["count"])
        elif kind == "play":
            self._events(message["events"])
            self._play(message)
        elif kind in ("round_over", "match_over"):
            self._events(message["events"])
            self._over(message)
        elif kind == "bye":
            self._see(bye=message["reason"], question="", count=0, legal=(), turn=None)
        return self.view

    def _see(self, **changed: Any) -> None:
        self.view = replace(self.view, **changed)

    def _start(self, message: Mapping[str, Any]) -> None:
        nothing = (0,) * message["players"]
        self.view = View(
            players=message["players"],
            seat=message["seat"],
            rounds=message["rounds"],
            points=nothing,
            scores=nothing,
        )

    def _deal(self, message: Mapping[str, Any]) -> None:
        self._see(
            round=message["round"],
            dealer=message["dealer"],
            passed=(),
            received=(),
            papayoo="",
            trick=(),
            tricks=(),
            points=(0,) * self.view.players,
            scores=tuple(message["scores"]),
        )

    def _play(self, message: Mapping[str, Any]) -> None:
        cards = [(message["leader"] + place, card) for place, card in enumerate(message["trick"])]
        self._see(
            trick=tuple(Fallen(seat % self.view.players, card) for seat, card in cards),
            papayoo=f"{message['papayoo_suit']}7",
            passed=tuple(message["passed"]),
            received=tuple(message["received"]),
            points=tuple(message["points"]),
            scores=tuple(message["scores"]),
        )
        self._asked(message, Stage.PLAYING, message["legal"], 1)

    def _asked(self, message: Mapping[str, Any], stage: Stage, legal: Iterable[str], count: int) -> None:
        self._see(
            stage=stage,
            question=message["id"],
            count=count,
            hand=tuple(message["hand"]),
            legal=tuple(legal),
            turn=self.view.seat,
        )

    def _over(self, message: Mapping[str, Any]) -> None:
        if message["type"] == "match_over":
            self._see(stage=Stage.MATCH_OVER, places=tuple(message["places"]))
            return
        points = tuple(message["points"])
        before = tuple(sum_ - now for sum_, now in zip(message["scores"], points, strict=True))
        self._see(stage=Stage.ROUND_OVER, points=points, scores=before, hand=(), turn=None)
        self._see(question="", count=0, legal=())

    def _events(self, events: Iterable[Mapping[str, Any]]) -> None:
        if self._unconfirmed:
            self._unconfirmed = False
            self._see(trick=self.view.trick[:-1])
        for event in events:
            if event.get("by") == "stand_in":
                self._see(stood_in=self.view.stood_in + 1)
            if event["event"] == "played":
                self._see(trick=(*self.view.trick, Fallen(event["seat"], event["card"])))
            elif event["event"] == "die":
                self._see(papayoo=event["card"])
            elif event["event"] == "taken":
                taken = Taken.of(self.view.trick, event["seat"], self.view.papayoo)
                self._see(trick=(), tricks=(*self.view.tricks, taken))

    # What goes out

    def answer(self, cards: Sequence[str], question: str | None = None) -> bytes:
        """Return the line that answers the open question with these cards.

        `question`: the id of the question that the person saw, where that may be an older one. Raises Refused
        when nothing is asked, when that question is not open any more, and for cards that may not be chosen.
        """
        view = self.view
        if not view.question:
            raise Refused(_why_closed(view))
        if question not in (None, view.question):
            raise Refused("That question is answered already; the cards on the table have changed.")
        _check(cards, view)
        line = answer_line(view.question, cards[0] if view.stage is Stage.PLAYING else list(cards))
        self._chosen(cards)
        return line

    def _chosen(self, cards: Sequence[str]) -> None:
        view = self.view
        left = tuple(card for card in view.hand if card not in cards)
        self._see(question="", count=0, legal=(), hand=left)
        if view.stage is Stage.PASSING:
            self._see(passed=tuple(sorted(cards, key=CARDS.index)), turn=None)
            return
        trick = (*view.trick, Fallen(view.seat, cards[0]))
        self._unconfirmed = True
        self._see(trick=trick, turn=_next(trick, view.players, over=not left))


def _why_closed(view: View) -> str:
    if view.bye or view.stage is Stage.MATCH_OVER:
        return "The match is over for you; nothing more is asked."
    if view.stage in (Stage.PASSING, Stage.PLAYING):
        return "You have answered already; now it is for the others to choose."
    return "Nothing is asked of you yet."


def _check(cards: Sequence[str], view: View) -> None:
    """Raise Refused unless these cards answer the open question."""
    for card in cards:
        if card not in _CARDS:
            raise Refused(f"{card[:20]} is no card: S, H, D and C go from 1 to 10, and P from 1 to 20.")
        if card not in view.hand:
            raise Refused(f"You do not hold {card}.")
    twice = next((card for place, card in enumerate(cards) if card in cards[:place]), None)
    if twice is not None:
        raise Refused(f"{twice} is there twice, and you hold it once.")
    if len(cards) != view.count:
        wanted = "Play one card" if view.stage is Stage.PLAYING else f"Pass {view.count} cards"
        raise Refused(f"{wanted}, not {len(cards) or 'none'}.")
    illegal = next((card for card in cards if card not in view.legal), None)
    if illegal is not None:
        led = suit_word(view.trick[0].card)
        raise Refused(f"{illegal} does not follow suit: {led} led, and you hold {' '.join(view.legal)}.")


def _next(trick: Sequence[Fallen], players: int, *, over: bool) -> int | None:
    """Return whose turn it is after the last card of this trick. `over`: it was the last trick."""
    if len(trick) < players:
        return (trick[-1].seat + 1) % players
    if over:
        return None
    led = trick[0].card[0]
    return max((one for one in trick if one.card[0] == led), key=lambda one: int(one.card[1:])).seat
