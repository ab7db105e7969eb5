"""What a bot knows, from its messages, as the arrays of `Batch.observe`: a network plays as it has learnt.

    watcher = Watcher()
    watcher.told(message)                   # each message of its table, questions too
    seen = watcher.observe(chosen=())       # one round: the first axis is 1

Must not know how messages come, and answers none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.learn.batch import Observation, fact_names, unpacked
from arena.papayoo import SUITS, hand_size, mask_of, parse_card, points_of, suit_of

Message = Mapping[str, Any]


class Watcher:
    """Watches one table for one seat. It forgets a round when the next one begins."""

    def __init__(self) -> None:
        self._players = 0  # until the first question
        self._question: Message = {}
        self._forget()

    def _forget(self) -> None:
        self._played = [0] * self._players
        self._voids: set[tuple[int, int]] = set()
        self._trick: list[int] = []

    def told(self, message: Message) -> None:
        """Take note of a message. News may be left out: the questions of a round say all of it."""
        if message["type"] not in ("pass", "play"):
            return  # the next question is a new round's, or begins with what fell until then
        if message["type"] == "pass" or len(message["scores"]) != self._players:
            self._players = len(message["scores"])
            self._forget()
        for event in message["events"]:
            if event["event"] == "played":
                self._fell(event["seat"], parse_card(event["card"]))
        self._question = message

    def _fell(self, seat: int, card: int) -> None:
        if len(self._trick) == self._players:
            self._trick = []
        self._trick.append(card)
        led = suit_of(self._trick[0])
        if suit_of(card) != led:
            self._voids.add((seat, led))
        self._played[seat] |= 1 << card

    def observe(self, chosen: Iterable[str] = ()) -> Observation:
        """Return what is known at the last question; `chosen`: the cards to pass that are chosen already."""
        asked, players = self._question, self._players
        own = asked["seat"]
        names = [str(card) for card in chosen]
        passing = asked["type"] == "pass"
        hand, picked = _set(asked["hand"]), _set(names)
        trick = [] if passing else [parse_card(card) for card in asked["trick"]]
        follow = [card for card in trick if suit_of(card) == suit_of(trick[0])]
        legal = hand & ~picked if passing else _set(asked["legal"])
        sets = [
            hand,
            legal,
            picked if passing else _set(asked["passed"]),
            0 if passing else _set(asked["received"]),
            mask_of(trick),
            1 << max(follow) if follow else 0,
            *(self._played[(own + other) % players] for other in range(players)),
        ]
        planes = unpacked(np.array([sets], np.uint64))
        facts = self._facts_of_pass(len(names)) if passing else self._facts_of_play(trick, follow)
        columns = [[facts.get(name, 0) for name in fact_names(players)]]
        rows: NDArray[np.int16] = np.array(columns, np.int16)
        return Observation(planes, rows, planes[:, 1].view(np.bool_), np.array([own]))

    def _facts_of_pass(self, chosen: int) -> dict[str, int]:
        asked, players = self._question, self._players
        return {
            "passing": 1,
            "chosen so far": chosen,
            "dealer": (asked["dealer"] - asked["seat"]) % players,
            "leader": -1,
            "takes so far": -1,
            **{f"cards {other}": hand_size(players) for other in range(players)},
        }

    def _facts_of_play(self, trick: list[int], follow: list[int]) -> dict[str, int]:
        asked, players = self._question, self._players
        own, leader = asked["seat"], asked["leader"]
        papayoo = SUITS.index(asked["papayoo_suit"])
        left = hand_size(players) - asked["trick_number"]
        facts = {
            "trick": asked["trick_number"],
            "cards in the trick": len(trick),
            "dealer": (asked["dealer"] - own) % players,
            "leader": (leader - own) % players,
            "takes so far": -1,
            f"papayoo {asked['papayoo_suit']}": 1,
        }
        if trick:
            facts["takes so far"] = (leader + trick.index(max(follow)) - own) % players
            facts["points in the trick"] = points_of(mask_of(trick), papayoo)
            facts[f"led {SUITS[suit_of(trick[0])]}"] = 1
        for other in range(players):
            seat = (own + other) % players
            facts[f"points {other}"] = asked["points"][seat]
            facts[f"cards {other}"] = left - ((seat - leader) % players < len(trick))
            for suit, letter in enumerate(SUITS):
                facts[f"void {other} {letter}"] = (seat, suit) in self._voids
        return facts


def _set(names: Iterable[str]) -> int:
    return mask_of(parse_card(name) for name in names)
