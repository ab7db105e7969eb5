"""Where at the table points are made: by seat, by distance from the dealer. It reads and writes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reports.facts import LeagueFacts
from reports.pages.bars import ShareRow, by_dealer, by_seat
from reports.tally import BotTally

__all__ = ["Positions", "positions"]


@dataclass(frozen=True, slots=True)
class Positions:
    """Card points a round of all bots together, by seat and by distance from the dealer."""

    seats: tuple[ShareRow, ...]
    dealing: tuple[ShareRow, ...]


def positions(facts: LeagueFacts) -> Positions | None:
    """Return where at the table points are made; None before the first round that counts."""
    total = BotTally(facts.season.seats)
    for own in facts.tallies.values():
        total.rounds += own.rounds
        total.seats = list(_added(total.seats, own.seats))
        total.dealing = list(_added(total.dealing, own.dealing))
    if not total.rounds:
        return None
    par = facts.standings.par
    return Positions(by_seat(total, par), by_dealer(total, par))


def _added(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    return ((a + c, b + d) for (a, b), (c, d) in zip(one, other, strict=True))
