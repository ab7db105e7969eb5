"""What a match says to its seats: builds each message from the state of the round, in wire names.

Keys stand in the order of the protocol's specification. `id` and `table` are left to the sender.
Decides nothing and keeps nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from arena.papayoo import PAYOO, SUITS, Round, pass_count
from arena.record import MatchSetup
from arena.relabel import Relabelling

__all__ = ["Message", "Moment", "Phrases"]

Message: TypeAlias = dict[str, Any]
"""A message of the protocol before it is encoded; `protocol.messages` describes each type."""


@dataclass(slots=True)
class Moment:
    """Where a match stands for one seat: what every question tells beside the round itself."""

    round: int
    scores: list[int]
    bank_us: int
    events: list[Message]


class Phrases:
    """The messages of one match."""

    def __init__(self, setup: MatchSetup, labels: Relabelling) -> None:
        self._setup = setup
        self._labels = labels
        self._card_names = labels.card_names
        self._move_ms = setup.terms.move_ms

    def start(self, seat: int) -> Message:
        """The announcement of the match to one seat."""
        setup = self._setup
        message: Message = {
            "type": "start",
            "table": 0,
            "players": setup.players,
            "seat": seat,
            "rounds": len(setup.boards),
            "seed": setup.seeds[seat],
            "move_ms": setup.terms.move_ms,
            "bank_ms": setup.terms.bank_ms,
            "pass_count": pass_count(setup.players),
        }
        if setup.names is not None:
            message["names"] = list(setup.names)
        return message

    def ask_pass(self, current: Round, seat: int, moment: Moment) -> Message:
        """Which cards to pass to the left?"""
        return {
            "type": "pass",
            "id": "",
            "table": 0,
            "round": moment.round,
            "dealer": current.dealer,
            "seat": seat,
            "hand": self._labels.names(current.hands[seat]),
            "count": current.pass_count,
            "scores": moment.scores,
            "move_ms": self._move_ms,
            "bank_ms": moment.bank_us // 1000,
            "events": moment.events,
        }

    def ask_play(self, current: Round, seat: int, moment: Moment) -> Message:
        """Which card to play?"""
        names = self._card_names
        return {
            "type": "play",
            "id": "",
            "table": 0,
            "round": moment.round,
            "trick_number": current.trick_number,
            "dealer": current.dealer,
            "leader": current.leader,
            "papayoo_suit": self.papayoo_letter(current),
            "seat": seat,
            "hand": self._labels.names(current.hands[seat]),
            "legal": self._labels.names(current.legal()),
            "trick": [names[card] for card in current.trick],
            "received": self._labels.names(current.received[seat]),
            "passed": self._labels.names(current.passed[seat]),
            "points": list(current.points),
            "scores": moment.scores,
            "move_ms": self._move_ms,
            "bank_ms": moment.bank_us // 1000,
            "events": moment.events,
        }

    def round_over(self, moment: Moment, points: tuple[int, ...]) -> Message:
        """A round has ended."""
        return {
            "type": "round_over",
            "table": 0,
            "round": moment.round,
            "points": list(points),
            "scores": moment.scores,
            "events": moment.events,
        }

    def match_over(self, moment: Moment, places: tuple[int, ...]) -> Message:
        """The match has ended."""
        return {
            "type": "match_over",
            "table": 0,
            "scores": moment.scores,
            "places": list(places),
            "events": moment.events,
        }

    def passed(self, seat: int, cards: int, by: str) -> Message:
        """Event: what was passed from this seat, told to it alone."""
        return {"event": "passed", "seat": seat, "cards": self._labels.names(cards), "by": by}

    def received(self, seat: int, cards: int) -> Message:
        """Event: what this seat received, told to it alone."""
        return {"event": "received", "seat": seat, "cards": self._labels.names(cards)}

    def die(self, current: Round) -> Message:
        """Event: the die was rolled; the card is the Papayoo."""
        return {"event": "die", "seat": current.dealer, "card": f"{self.papayoo_letter(current)}7"}

    def played(self, seat: int, card: int) -> Message:
        """Event: a card was played."""
        return {"event": "played", "seat": seat, "card": self._card_names[card]}

    def taken(self, seat: int, cards: tuple[int, ...]) -> Message:
        """Event: a trick was taken."""
        return {"event": "taken", "seat": seat, "cards": [self._card_names[card] for card in cards]}

    def papayoo_letter(self, current: Round) -> str:
        """The letter on the wire of the suit whose 7 is the Papayoo."""
        suit = current.papayoo_suit
        assert suit is not None, "the die is rolled after the pass"
        return self._labels.letter(suit)

    def hand_text(self, cards: int) -> str:
        """A set of cards in words, for the reason of a fault."""
        return " ".join(self._labels.names(cards)) or "nothing"

    def suit_name(self, card: int) -> str:
        """The name in words of a card's suit as the bots see it."""
        letter = self._card_names[card][0]
        return _SUIT_WORDS[letter]


_SUIT_WORDS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", SUITS[PAYOO]: "Payoo"}
