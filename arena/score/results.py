"""Defines what the score is computed from: the result of one complete session, in whole points.

It must not know how a session was played, stored or scheduled: only its place in the league and the points
of its bots.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

ROUND_POINTS = 250
"""The card points of every round: 210 of the Payoo suit and 40 of the Papayoo."""


class SessionResultError(ValueError):
    """Results that cannot come from complete sessions; the message says which and why.

    ValueError
    └── SessionResultError
    """


@dataclass(frozen=True, slots=True)
class SessionResult:
    """The points of one complete session: one line-up, all its matches.

    `cycle` and `index` (from 0) name the session. `rounds` counts all rounds of all its matches.
    `card_points`: the total card points of every bot of the line-up, a stand-in included; they sum to 250 a
    round. `fault_points`: the total charges; a bot left out has none. `seat_rounds`: the rounds at all its
    seats, for a bot that held several at once; others played `rounds`. Raises SessionResultError if the
    numbers cannot be true.
    """

    cycle: int
    index: int
    rounds: int
    card_points: Mapping[str, int]
    fault_points: Mapping[str, int]
    seat_rounds: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse numbers that no session can have."""
        if self.cycle < 0 or self.index < 0:
            raise SessionResultError(f"{self.name}: cycle and index count from 0")
        if self.rounds < 1:
            raise SessionResultError(f"{self.name}: a complete session has rounds, not {self.rounds}")
        for kind, points in (("card", self.card_points), ("fault", self.fault_points)):
            below = sorted(bot for bot, value in points.items() if value < 0)
            if below:
                raise SessionResultError(f"{self.name}: negative {kind} points of {', '.join(below)}")
        for kind, given in (("charges", self.fault_points), ("seats", self.seat_rounds)):
            strangers = sorted(given.keys() - self.card_points.keys())
            if strangers:
                named = ", ".join(strangers)
                raise SessionResultError(f"{self.name}: {kind} for {named}, not in its line-up")
        total, expected = sum(self.card_points.values()), ROUND_POINTS * self.rounds
        if total != expected:
            raise SessionResultError(
                f"{self.name}: {total} card points in {self.rounds} rounds, expected {expected}"
            )

    @property
    def key(self) -> tuple[int, int]:
        """Return (cycle, index): unique in a league, and the order of its schedule."""
        return self.cycle, self.index

    def seats(self, bot: str) -> int:
        """Return how many seats a bot of the line-up held: 1, except for the stand-in of several bots."""
        return self.seat_rounds.get(bot, self.rounds) // self.rounds

    @property
    def name(self) -> str:
        """Return how messages name the session."""
        return f"session (cycle {self.cycle}, index {self.index})"
