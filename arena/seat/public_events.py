"""What happens at a table as all seats hear of it: each event once, when the first seat is told of it.

Every seat is told of an event with its next message, so most events come as often as there are seats. A seat
for which the stand-in plays is told nothing any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_PUBLIC: Final = frozenset({"die", "played", "taken"})


class PublicEvents:
    """The public events of a match between so many players. `round`: the newest that a seat has heard of."""

    def __init__(self, players: int) -> None:
        self.round = -1
        self._players = players
        self._known = 0
        self._heard = [0] * players

    def begins_round(self, message: Mapping[str, Any]) -> bool:
        """Take note of the round that a message of the referee is about; return whether it is a new one.

        To be called for each message before its events are asked about.
        """
        number = message.get("round", -1)
        if number <= self.round:
            return False
        self.round = number
        self._known = 0
        self._heard = [0] * self._players
        return True

    def is_new(self, seat: int, round_: int, event: Mapping[str, Any]) -> bool:
        """Return whether an event that a seat is told in a message of a round is public, and new to all."""
        if round_ != self.round or event["event"] not in _PUBLIC:
            return False
        self._heard[seat] += 1
        if self._heard[seat] <= self._known:
            return False
        self._known = self._heard[seat]
        return True
