"""The balance certificate: how evenly a league was really played, counted from its seat orders.

This module must not know the schedule, so the certificate also shows what voided or missing matches did to
the balance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from types import MappingProxyType
from typing import Generic, TypeVar

from arena.papayoo import dealer_of, left_of

Bot = TypeVar("Bot", int, str)
Key = TypeVar("Key")

_Played = tuple[tuple[Bot, ...], int]
"""A match: its bots by seat, its rounds."""


@dataclass(frozen=True, slots=True)
class Tally(Generic[Key]):
    """One kind of count. What could have happened and did not is there with a 0.

    least and most are 0 when there is nothing to count.
    """

    counts: Mapping[Key, int]
    least: int
    most: int

    @property
    def spread(self) -> int:
        """Return the most minus the least. 0 is perfect balance."""
        return self.most - self.least


@dataclass(frozen=True, slots=True)
class Balance(Generic[Bot]):
    """The counts of what was played.

    games: matches by bot, whichever number of seats it had.
    meetings: matches by pair of bots (the smaller first) that sat at one table.
    seats: matches by (bot, seat).
    dealing: rounds by bot that it dealt.
    left: seats by (bot, its left neighbour), the neighbour that receives its passes.
    right: seats by (bot, its right neighbour), the neighbour that passes to it. A bot beside itself does not
        count.
    """

    games: Tally[Bot]
    meetings: Tally[tuple[Bot, Bot]]
    seats: Tally[tuple[Bot, int]]
    dealing: Tally[Bot]
    left: Tally[tuple[Bot, Bot]]
    right: Tally[tuple[Bot, Bot]]


@dataclass(frozen=True, slots=True)
class Evenness:
    """A line of the certificate: what was counted, the least, the most, and their spread."""

    name: str
    counted: str
    least: int
    most: int
    spread: int


def evenness(balance: Balance[Bot]) -> tuple[Evenness, ...]:
    """Return the certificate in short, for people."""
    return (
        _line("games", "matches of a bot", balance.games),
        _line("meetings", "matches of two bots together", balance.meetings),
        _line("seats", "matches of a bot at a seat", balance.seats),
        _line("dealing", "rounds that a bot dealt", balance.dealing),
        _line("left", "times that a bot passed to another", balance.left),
        _line("right", "times that a bot received from another", balance.right),
    )


def _line(name: str, counted: str, tally: Tally[Key]) -> Evenness:
    return Evenness(name, counted, tally.least, tally.most, tally.spread)


def certificate(
    rows: Iterable[tuple[Sequence[Bot], int]],
    bots: Iterable[Bot] = (),
    candidates: Iterable[Bot] = (),
    departed: Iterable[Bot] = (),
) -> Balance[Bot]:
    """Return the certificate of the matches played, each given as (its bots by seat, its rounds).

    Bots are numbers or ids, one kind throughout. `bots` names the bots that should have played: one that
    never did counts as 0.

    `candidates` of a gauntlet take turns at one seat: they never meet, and opponents play as often as all
    candidates together. So only candidates are counted then, and only in pairs with an opponent.

    `departed` bots left the field, so they played less. What they played is not counted: the certificate says
    how even the season was for those that are left.

    A bot may hold several seats: a bot of a duel, or the stand-in of several disqualified bots.

    Raises ValueError when the matches differ in their number of seats or a number of rounds is negative.
    """
    played = [(tuple(row), rounds) for row, rounds in rows]
    seats = _seats(played)
    everyone = sorted({bot for row, _ in played for bot in row}.union(bots).difference(departed))
    compared = frozenset(candidates)
    counted = sorted(compared) or everyone
    beside = [(bot, other) for bot in counted for other in everyone if bot != other and other not in compared]
    left = Counter((bot, row[left_of(seat, seats)]) for row, _ in played for seat, bot in enumerate(row))
    right = Counter({(after, before): count for (before, after), count in left.items()})
    return Balance(
        # A set of the row, because a bot with several seats still plays one match.
        games=_tally(Counter(bot for row, _ in played for bot in set(row)), counted),
        meetings=_meetings(played, everyone, compared),
        seats=_tally(_at_seats(played), product(counted, range(seats))),
        dealing=_tally(_dealt(played, seats), counted),
        left=_tally(left, beside),
        right=_tally(right, beside),
    )


def _meetings(
    played: Sequence[_Played[Bot]], everyone: Sequence[Bot], compared: frozenset[Bot]
) -> Tally[tuple[Bot, Bot]]:
    """Return how many matches two bots played together.

    Where some bots are compared, only pairs of one of them and one that is not compared are counted.
    """
    met = Counter(pair for row, _ in played for pair in combinations(sorted(set(row)), 2))
    pairs = combinations(everyone, 2)
    return _tally(met, [two for two in pairs if not compared or len(compared.intersection(two)) == 1])


def _at_seats(played: Sequence[_Played[Bot]]) -> Counter[tuple[Bot, int]]:
    return Counter((bot, seat) for row, _ in played for seat, bot in enumerate(row))


def _dealt(played: Sequence[_Played[Bot]], seats: int) -> Counter[Bot]:
    return Counter(row[dealer_of(number, seats)] for row, rounds in played for number in range(rounds))


def _tally(counts: Counter[Key], possible: Iterable[Key]) -> Tally[Key]:
    full = {key: counts[key] for key in possible}
    return Tally(MappingProxyType(full), min(full.values(), default=0), max(full.values(), default=0))


def _seats(played: Sequence[_Played[Bot]]) -> int:
    """Return the number of seats of every match, 0 when there is none.

    Raises ValueError for an impossible match.
    """
    sizes = {len(row) for row, _ in played}
    if len(sizes) > 1:
        raise ValueError(f"matches of {sorted(sizes)} seats: expected the same number in all")
    for row, rounds in played:
        if rounds < 0:
            raise ValueError(f"{rounds} rounds in the match of {row}: expected 0 or more")
    return sizes.pop() if sizes else 0
