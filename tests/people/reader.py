"""Reads what is sent to a page, and knows which cards its seat may know."""

from __future__ import annotations

import json

from protocol.messages import CARDS
from tests.people.at_table import State


def cards_in(value: object) -> set[str]:
    """All names of cards anywhere in a value."""
    return {word for word in json.dumps(value).replace('"', " ").replace(",", " ").split() if word in CARDS}


class Reader:
    """Somebody who reads all states of one seat, and knows what it may know."""

    def __init__(self) -> None:
        self.own: dict[int, set[str]] = {}
        """The cards that the seat has held or chosen, by round."""

    def read(self, state: State) -> None:
        now = state["round"]
        if state["stage"] in ("passing", "playing"):
            hand = {*state["hand"], *state["passed"], *state["received"]}
            # At the first question of a round these are the cards that were dealt; later none can come.
            known = self.own.setdefault(now, set())
            assert not known or hand <= known | {*state["received"]}
            known |= hand
        for round_ in state["played"]:
            fallen = {card for trick in round_["tricks"] for card in trick["cards"]} | {*round_["trick"]}
            assert cards_in(round_) <= fallen | {round_["papayoo"]}
            assert len(fallen) == sum(len(trick["cards"]) for trick in round_["tricks"]) + len(
                round_["trick"]
            )
        rest = {key: value for key, value in state.items() if key != "played"}
        assert cards_in(rest) <= self.own.get(now, set())
