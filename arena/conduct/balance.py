"""The balance certificate: how evenly a league was really played, counted from its seat orders.

This module must not know the schedule, so the certificate also shows what voided or missing matches did to
the balance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import NamedTuple, TypeAlias

from arena.papayoo import dealer_of, left_of

Bot: TypeAlias = str | int
"""A bot by its id or by its number; of one kind in a certificate."""


_Counts: TypeAlias = "Counter[tuple[Bot, ...]]"


@dataclass(frozen=True, slots=True)
class Tally:
    """One kind of count, in words what was `counted`, by bot, by pair of bots or by bot and seat.

    What could have happened and did not is there with a 0.
    """

    name: str
    counted: str
    counts: Mapping[tuple[Bot, ...], int]

    @property
    def least(self) -> int:
        """Return the least count, 0 when there is nothing to count."""
        return min(self.counts.values(), default=0)

    @property
    def most(self) -> int:
        """Return the highest count, 0 when there is nothing to count."""
        return max(self.counts.values(), default=0)

    @property
    def spread(self) -> int:
        """Return the most minus the least. 0 is perfect balance."""
        return self.most - self.least


class Balance(NamedTuple):
    """The certificate. Of a pair that met the one with the smaller name stands first.

    `left`: by bot and its left neighbour, who receives its passes; `right`: by bot and its right neighbour,
    who passes to it. A bot beside itself does not count.
    """

    games: Tally
    meetings: Tally
    seats: Tally
    dealing: Tally
    left: Tally
    right: Tally


def certificate(
    rows: Iterable[tuple[Sequence[Bot], int]],
    bots: Iterable[Bot] = (),
    candidates: Iterable[Bot] = (),
    departed: Iterable[Bot] = (),
) -> Balance:
    """Return the certificate of the matches played, each given as (its bots by seat, its rounds).

    `bots` names the bots that should have played: one that never did counts as 0.

    `candidates` of a gauntlet take turns at one seat: they never meet, and opponents play as often as all
    candidates together. So only candidates are counted then, and only in pairs with an opponent.

    `departed` bots left the field, so they played less. What they played is not counted: the certificate says
    how even the season was for those that are left.

    A bot may hold several seats: a bot of a duel, or the stand-in of several bots that are out. Raises
    ValueError when the matches differ in their number of seats.
    """
    played = [(tuple(row), rounds) for row, rounds in rows]
    sizes = {len(row) for row, _ in played}
    if len(sizes) > 1:
        raise ValueError(f"matches of {sorted(sizes)} seats: expected the same number in all")
    seats = sizes.pop() if sizes else 0
    everyone = sorted({bot for row, _ in played for bot in row}.union(bots).difference(departed), key=str)
    compared = frozenset(candidates)
    counted = sorted(compared, key=str) or everyone
    beside = [(bot, other) for bot in counted for other in everyone if bot != other and other not in compared]
    pairs = [two for two in combinations(everyone, 2) if not compared or len(compared.intersection(two)) == 1]
    # A set of the row, because a bot with several seats still plays one match.
    tables = [sorted(set(row), key=str) for row, _ in played]
    met: _Counts = Counter(pair for table in tables for pair in combinations(table, 2))
    at_seats: _Counts = Counter((bot, seat) for row, _ in played for seat, bot in enumerate(row))
    dealt: _Counts = Counter(
        (row[dealer_of(number, seats)],) for row, rounds in played for number in range(rounds)
    )
    left: _Counts = Counter(
        (bot, row[left_of(seat, seats)]) for row, _ in played for seat, bot in enumerate(row)
    )
    right: _Counts = Counter({pair[::-1]: count for pair, count in left.items()})
    alone = [(bot,) for bot in counted]

    def tally(name: str, counted: str, counts: _Counts, possible: Iterable[tuple[Bot, ...]]) -> Tally:
        return Tally(name, counted, {key: counts[key] for key in possible})

    return Balance(
        tally("games", "matches of a bot", Counter((bot,) for table in tables for bot in table), alone),
        tally("meetings", "matches of two bots together", met, pairs),
        tally("seats", "matches of a bot at a seat", at_seats, product(counted, range(seats))),
        tally("dealing", "rounds that a bot dealt", dealt, alone),
        tally("left", "times that a bot passed to another", left, beside),
        tally("right", "times that a bot received from another", right, beside),
    )
