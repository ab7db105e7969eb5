"""Plain counts beside the score: how often a bot takes which place, and its points seat by seat.

They decide nothing: no adjustment for opponents, no intervals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .results import ROUND_POINTS


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The points of one match, all lists by seat: `line_up` the bots' ids, whole points in all.

    Raises ValueError if the lists differ in length or the card points are not 250 a round.
    """

    line_up: Sequence[str]
    rounds: int
    card_points: Sequence[int]
    fault_points: Sequence[int]

    def __post_init__(self) -> None:
        """Refuse what no match can give."""
        seats = len(self.line_up)
        if len(self.card_points) != seats or len(self.fault_points) != seats:
            raise ValueError(
                f"a match of {seats} seats has {len(self.card_points)} card points "
                f"and {len(self.fault_points)} charges"
            )
        if self.rounds < 1 or sum(self.card_points) != ROUND_POINTS * self.rounds:
            raise ValueError(f"{sum(self.card_points)} card points in a match of {self.rounds} rounds")

    def places(self) -> list[int]:
        """The place of each seat by card + fault points: 1 for fewest, ties share (1, 1, 3)."""
        totals = [card + fault for card, fault in zip(self.card_points, self.fault_points, strict=True)]
        return [1 + sum(other < total for other in totals) for total in totals]


def place_shares(matches: Iterable[MatchResult]) -> dict[str, tuple[float, ...]]:
    """For each bot the shares of its matches that it finished at place 1, 2, ..., k; they sum to 1."""
    counts: dict[str, list[int]] = {}
    for match in matches:
        for bot, place in zip(match.line_up, match.places(), strict=True):
            counts.setdefault(bot, [0] * len(match.line_up))[place - 1] += 1
    return {bot: tuple(count / sum(own) for count in own) for bot, own in counts.items()}


def seat_means(matches: Iterable[MatchResult]) -> dict[str, tuple[float | None, ...]]:
    """For each bot its mean card points a round at seat 0, 1, ..., k-1; None where it never sat."""
    points: dict[str, list[int]] = {}
    rounds: dict[str, list[int]] = {}
    for match in matches:
        for seat, bot in enumerate(match.line_up):
            points.setdefault(bot, [0] * len(match.line_up))[seat] += match.card_points[seat]
            rounds.setdefault(bot, [0] * len(match.line_up))[seat] += match.rounds
    return {
        bot: tuple(total / count if count else None for total, count in zip(own, rounds[bot], strict=True))
        for bot, own in points.items()
    }
