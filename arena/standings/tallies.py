"""Counts beside the score: places, points by seat and by distance from the dealer, Papayoos.

These numbers decide nothing: there is no adjustment for opponents and no interval.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.papayoo import PAPAYOOS, left_of, suit_of
from arena.standings.results import ROUND_POINTS


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The points of one match, all lists by seat. `line_up`: the bots' ids; points are whole numbers.

    Raises ValueError if the lists differ in length or the card points are not 250 a round.
    """

    line_up: Sequence[str]
    rounds: int
    card_points: Sequence[int]
    fault_points: Sequence[int]

    def __post_init__(self) -> None:
        """Refuse values that no match can have."""
        seats = len(self.line_up)
        if len(self.card_points) != seats or len(self.fault_points) != seats:
            raise ValueError(
                f"a match of {seats} seats has {len(self.card_points)} card points "
                f"and {len(self.fault_points)} charges"
            )
        if self.rounds < 1 or sum(self.card_points) != ROUND_POINTS * self.rounds:
            raise ValueError(f"{sum(self.card_points)} card points in a match of {self.rounds} rounds")

    def places(self) -> list[int]:
        """Return the place of each seat by card + fault points: 1 for fewest, ties share it (1, 1, 3)."""
        totals = [card + fault for card, fault in zip(self.card_points, self.fault_points, strict=True)]
        return [1 + sum(other < total for other in totals) for total in totals]


@dataclass(frozen=True, slots=True)
class RoundResult:
    """One round, the lists by seat. `line_up`: the bots' ids; card points are without charges.

    `dealer` and `papayoo_taker` are seats. Raises ValueError for values that no round can have.
    """

    line_up: Sequence[str]
    dealer: int
    card_points: Sequence[int]
    papayoo_taker: int

    def __post_init__(self) -> None:
        """Refuse values that no round can have."""
        seats = len(self.line_up)
        if len(self.card_points) != seats or sum(self.card_points) != ROUND_POINTS:
            raise ValueError(
                f"a round of {seats} seats has {len(self.card_points)} numbers of card points, "
                f"{sum(self.card_points)} in all"
            )
        for name, seat in (("dealer", self.dealer), ("papayoo_taker", self.papayoo_taker)):
            if not 0 <= seat < seats:
                raise ValueError(f"{name} = {seat}: there are only the seats 0 to {seats - 1}")


def papayoo_taker(plays: Sequence[int], dealer: int, players: int, papayoo_suit: int) -> int:
    """Return the seat that took the Papayoo in a round: `plays` are all its cards in the order of play.

    Raises ValueError if the Papayoo is not among them.
    """
    papayoo, leader = PAPAYOOS[papayoo_suit], dealer
    left_of(dealer, players)  # refuses a seat that is not at the table
    for start in range(0, len(plays), players):
        trick = plays[start : start + players]
        led = suit_of(trick[0])
        best = max(card for card in trick if suit_of(card) == led)
        leader = (leader + trick.index(best)) % players
        if papayoo in trick:
            return leader
    raise ValueError(f"no Papayoo among the {len(plays)} cards played")


def place_shares(matches: Iterable[MatchResult]) -> dict[str, tuple[float, ...]]:
    """Return the shares of each bot's matches that it finished at place 1, 2, ..., k; they sum to 1."""
    counts: dict[str, list[int]] = {}
    for match in matches:
        for bot, place in zip(match.line_up, match.places(), strict=True):
            counts.setdefault(bot, [0] * len(match.line_up))[place - 1] += 1
    return {bot: tuple(count / sum(own) for count in own) for bot, own in counts.items()}


def seat_means(matches: Iterable[MatchResult]) -> dict[str, tuple[float | None, ...]]:
    """Return each bot's mean card points a round at seat 0, 1, ..., k-1; None where it never sat."""
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


def dealer_means(rounds: Iterable[RoundResult]) -> dict[str, tuple[float | None, ...]]:
    """Return each bot's mean card points a round as dealer, and 1, 2, ..., k-1 seats to the dealer's left.

    None where it never sat there.
    """
    points: dict[str, list[int]] = {}
    counts: dict[str, list[int]] = {}
    for round_ in rounds:
        seats = len(round_.line_up)
        for seat, bot in enumerate(round_.line_up):
            distance = (seat - round_.dealer) % seats
            points.setdefault(bot, [0] * seats)[distance] += round_.card_points[seat]
            counts.setdefault(bot, [0] * seats)[distance] += 1
    return {
        bot: tuple(total / count if count else None for total, count in zip(own, counts[bot], strict=True))
        for bot, own in points.items()
    }


def papayoo_shares(rounds: Iterable[RoundResult]) -> dict[str, float]:
    """Return, for each bot, the share of the Papayoos of its rounds that it took; 1/k for an average bot."""
    taken: dict[str, int] = {}
    counts: dict[str, int] = {}
    for round_ in rounds:
        for seat, bot in enumerate(round_.line_up):
            taken[bot] = taken.get(bot, 0) + (seat == round_.papayoo_taker)
            counts[bot] = counts.get(bot, 0) + 1
    return {bot: taken[bot] / count for bot, count in counts.items()}
