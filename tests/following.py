"""A bot's memory: rebuilds a round from the events of its seat, and compares every question with it.

Knows the names of the cards and the rules as SPEC.md gives them, and nothing of `arena`.
"""

from __future__ import annotations

from typing import Any

from protocol.messages import CARDS

Message = dict[str, Any]

_ORDER = {name: place for place, name in enumerate(CARDS)}
_KEYS = {
    "passed": ["event", "seat", "cards", "by"],
    "received": ["event", "seat", "cards"],
    "die": ["event", "seat", "card"],
    "taken": ["event", "seat", "cards"],
}


class Follower:
    """One seat's knowledge from `start` and from events. Only the dealt hand is taken from `pass`."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.rounds_followed = 0
        self.plays_seen = 0
        self.by_stand_in = 0
        self._players = 0
        self._round = -1
        self._scores: list[int] = []
        self._between_rounds = True

    def hear(self, message: Message) -> None:
        """Take note of one message. Fails when it contradicts what was known before."""
        kind = message["type"]
        getattr(self, f"_{kind}")(message)

    def _start(self, message: Message) -> None:
        assert message["seat"] == self.seat
        self._players = message["players"]
        self._scores = [0] * self._players

    def _pass(self, message: Message) -> None:
        assert self._between_rounds
        assert message["events"] == []
        self._between_rounds = False
        self._round += 1
        self._hand = set(message["hand"])
        self._passed: list[str] = []
        self._received: list[str] = []
        self._papayoo = ""
        self._dealer = self._leader = self._round % self._players
        self._trick: list[str] = []
        self._tricks = 0
        self._points = [0] * self._players
        self._seen: set[str] = set()
        count = message["count"]
        assert message["hand"] == in_order(self._hand)
        assert (message["round"], message["dealer"]) == (self._round, self._dealer)
        assert message["players"] == self._players
        assert (message["seat"], message["scores"]) == (self.seat, self._scores)
        assert 3 <= count <= 5

    def _play(self, message: Message) -> None:
        self._events(message)
        led = [card for card in self._hand if self._trick and card[0] == self._trick[0][0]]
        known = {
            "round": self._round,
            "trick_number": self._tricks,
            "dealer": self._dealer,
            "leader": self._leader,
            "papayoo_suit": self._papayoo[0],
            "players": self._players,
            "seat": self.seat,
            "hand": in_order(self._hand),
            "legal": in_order(led or self._hand),
            "trick": self._trick,
            "received": self._received,
            "passed": self._passed,
            "points": self._points,
            "scores": self._scores,
        }
        assert {key: message[key] for key in known} == known
        assert (self._leader + len(self._trick)) % self._players == self.seat

    def _round_over(self, message: Message) -> None:
        self._events(message)
        assert (self._hand, self._trick) == (set(), [])
        assert len(self._seen) == self._tricks * self._players
        self._scores = [before + now for before, now in zip(self._scores, self._points, strict=True)]
        assert (message["round"], message["points"]) == (self._round, self._points)
        assert message["scores"] == self._scores
        assert sum(self._points) == 250
        self._between_rounds = True
        self.rounds_followed += 1

    def _match_over(self, message: Message) -> None:
        assert self._between_rounds
        assert (message["scores"], message["events"]) == (self._scores, [])

    def _events(self, message: Message) -> None:
        for event in message["events"]:
            own_play = event["event"] == "played" and event["seat"] == self.seat
            played = ["event", "seat", "card", "by"] if own_play else ["event", "seat", "card"]
            assert list(event) == _KEYS.get(event["event"], played)
            self.by_stand_in += event.get("by") == "stand_in"
            getattr(self, f"_{event['event']}_event")(event)

    def _passed_event(self, event: Message) -> None:
        assert event["seat"] == self.seat
        assert event["cards"] == in_order(event["cards"])
        assert self._hand.issuperset(event["cards"])
        self._passed = event["cards"]
        self._hand.difference_update(event["cards"])

    def _received_event(self, event: Message) -> None:
        assert self._passed
        assert event["seat"] == self.seat
        assert event["cards"] == in_order(event["cards"])
        assert self._hand.isdisjoint(event["cards"])
        assert len(event["cards"]) == len(self._passed)
        self._received = event["cards"]
        self._hand.update(event["cards"])

    def _die_event(self, event: Message) -> None:
        assert self._received
        assert event["seat"] == self._dealer
        assert event["card"] in ("S7", "H7", "D7", "C7")
        self._papayoo = event["card"]

    def _played_event(self, event: Message) -> None:
        card = event["card"]
        assert event["seat"] == (self._leader + len(self._trick)) % self._players
        assert card not in self._seen
        if event["seat"] == self.seat:
            self._hand.remove(card)
        else:
            assert card not in self._hand
        self._seen.add(card)
        self._trick.append(card)
        self.plays_seen += 1

    def _taken_event(self, event: Message) -> None:
        assert event["cards"] == self._trick
        best = max((c for c in self._trick if c[0] == self._trick[0][0]), key=lambda c: int(c[1:]))
        taker = (self._leader + self._trick.index(best)) % self._players
        assert event["seat"] == taker
        self._points[taker] += sum(self._worth(card) for card in self._trick)
        self._leader = taker
        self._trick = []
        self._tricks += 1

    def _worth(self, card: str) -> int:
        if card == self._papayoo:
            return 40
        return int(card[1:]) if card[0] == "P" else 0


def in_order(cards: Any) -> list[str]:
    """Return cards in the order of the protocol: S, H, D, C, P, each by rank."""
    return sorted(cards, key=_ORDER.__getitem__)
