"""The bots of a simulated league: sessions of points, drawn at random, with a known truth.

Each name has a stream of dice of its own, so that no study disturbs another. Nothing of a real league is
drawn here, for its deals and schedule must be checkable in any language. This file must not know schedules,
scores or intervals, because those are put to the proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from arena.standings import SessionResult

__all__ = ["NO_FAULTS", "Faults", "Place", "World", "stream"]

Place = tuple[int, int]
"""(cycle, index) of a session."""


@dataclass(frozen=True, slots=True)
class Faults:
    """The charges of a bot: `points` in a share `rate` of its matches."""

    rate: float = 0.0
    points: int = 0

    def per_round(self, rounds: int) -> float:
        """Return the expected charge in points a round, in matches of `rounds` rounds."""
        return self.rate * self.points / rounds

    def drawn(self, dice: Random, matches: int) -> int:
        """Return the random charges of so many matches, in points."""
        if not self.rate:
            return 0
        return self.points * sum(dice.random() < self.rate for _ in range(matches))


NO_FAULTS = Faults()


class World(Protocol):
    """Bots that can be played against each other. Every match has as many rounds as seats."""

    @property
    def bots(self) -> Sequence[str]:
        """Return the names of the bots, by their numbers in the schedule."""

    @property
    def seats(self) -> int:
        """Return the number of seats at a table, 3 to 8."""

    @property
    def truth(self) -> Mapping[str, float] | None:
        """Return the true scores by bot, or None where the truth is not known beforehand.

        A true score is the mean card points a round over all line-ups, plus the expected charge.
        """

    def latin(self, dice: Random, place: Place, order: tuple[int, ...]) -> SessionResult:
        """Play a session as in a league: the same boards in every seat order of `order`."""

    def turns(self, dice: Random, place: Place, order: tuple[int, ...], candidates: int) -> SessionResult:
        """Play a session of a gauntlet: the first `candidates` bots take turns in every seat order."""


def stream(seed: int, *names: object) -> Random:
    """Return the dice of these names: always the same for a seed, however the work is divided."""
    return Random("|".join(map(str, ("proof", seed, *names))))  # noqa: S311 - a simulation
