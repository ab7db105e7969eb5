"""What a simulated league needs of its bots: sessions of points, drawn at random, with a known truth.

The dice are one stream for each name, so that no study disturbs another; nothing of a real league is drawn
here, for its deals and schedule must be checkable in any language. This file must not know schedules, scores
or intervals: those are what is put to the proof.
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
    """How often a bot is charged: in a share `rate` of its matches, `points` each time."""

    rate: float = 0.0
    points: int = 0

    def per_round(self, rounds: int) -> float:
        """The expected charge in points a round, in matches of `rounds` rounds."""
        return self.rate * self.points / rounds

    def drawn(self, dice: Random, matches: int) -> int:
        """The charges of so many matches."""
        if not self.rate:
            return 0
        return self.points * sum(dice.random() < self.rate for _ in range(matches))


NO_FAULTS = Faults()


class World(Protocol):
    """Bots that can be played against each other. Every match has as many rounds as seats."""

    @property
    def bots(self) -> Sequence[str]:
        """The bots by number, as in the schedule."""

    @property
    def seats(self) -> int:
        """At a table, 3 to 8."""

    @property
    def truth(self) -> Mapping[str, float] | None:
        """What a score estimates: mean card points a round over all line-ups, and the expected charge.

        None where nobody knows it beforehand.
        """

    def latin(self, dice: Random, place: Place, order: tuple[int, ...]) -> SessionResult:
        """A session as the schedule has it: the same boards in every seat order of `order`."""

    def turns(self, dice: Random, place: Place, order: tuple[int, ...], candidates: int) -> SessionResult:
        """A session of a gauntlet: the first `candidates` of the order take turns in every seat order."""

    def scattered(self, dice: Random, place: Place, line_up: Sequence[int], rounds: int) -> SessionResult:
        """Rounds of a line-up without charges, each with a board of its own and seats drawn at random."""


def stream(seed: int, *names: object) -> Random:
    """The dice of what is named: the same for the same seed and names, however the work is shared out."""
    return Random("|".join(map(str, ("proof", seed, *names))))  # noqa: S311 - a simulation
