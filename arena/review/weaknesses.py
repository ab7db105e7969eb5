"""Where a bot does worse: its paired score over features of the game, those that survive a correction."""

from __future__ import annotations

from dataclasses import dataclass

from arena.deals import MatchKey
from arena.review.clusters import Estimate

__all__ = ["Weakness"]


@dataclass(frozen=True, slots=True)
class Weakness:
    """A feature of rounds in which the bot does worse than otherwise.

    `words`: "when holding three 7s". `opponent`: the bot that the feature is about, else empty (a page puts
    its name after the words). `difference`: points a round with the feature beyond the field's on the same
    boards, minus the same without it. `boards`: how many have it. `worst`: up to three (match, round, seat).
    """

    key: str
    words: str
    opponent: str
    difference: Estimate
    boards: int
    worst: tuple[tuple[MatchKey, int, int], ...]
    p: float
