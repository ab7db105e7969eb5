"""What the story of a match is told from: its totals, its points by round and, where shown, its tricks.

It counts and compares, and chooses no words. Seats and rounds count from 0. While the cards are hidden there
are no tricks here, so nothing that is told can rest on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from operator import add
from typing import Final, Protocol

from arena.match.faults import HandOver
from arena.papayoo import PAPAYOO_POINTS, POINTS_PER_ROUND, SUITS
from reports.pages.rounds import CardFace, RoundPart, TrickRow
from reports.pages.story_words import Who

__all__ = ["Finish", "MatchFacts", "PaidTrick"]

_PAYOO: Final = SUITS[-1]
_MOST: Final = 20

WORTH: Final = {f"{_PAYOO}{rank}": rank for rank in range(1, _MOST + 1)}
"""The points of the Payoo cards by name. The Papayoo's are known from its face."""


class Finish(Protocol):
    """How a seat ended: a `SeatView` or a `SeatRecord`, which say what each of these is."""

    @property
    def points(self) -> int: ...
    @property
    def charge(self) -> int: ...
    @property
    def place(self) -> int: ...
    @property
    def faults(self) -> int: ...
    @property
    def hand_over(self) -> HandOver | None: ...
    @property
    def hand_over_at(self) -> tuple[int, int] | None: ...


@dataclass(frozen=True, slots=True)
class PaidTrick:
    """A trick with points. `papayoo`: who played the Papayoo to it; None if it was not there.

    `dearest`: who played the card of most points.
    """

    round: int
    row: TrickRow
    papayoo: int | None
    dearest: int

    @property
    def order(self) -> tuple[int, int]:
        """Return its place in the match."""
        return self.round, self.row.number


class MatchFacts:
    """A finished match, by the questions that the rules of a story ask of it.

    `names`, `seats`: by seat; `points`: card points by round and seat; `rounds`: with the cards, or none.
    """

    def __init__(
        self,
        names: Sequence[str],
        seats: Sequence[Finish],
        points: Sequence[Sequence[int]],
        rounds: Sequence[RoundPart] = (),
    ) -> None:
        self.seats = seats
        self.points = points
        self.rounds = rounds
        self.totals = tuple(seat.points + seat.charge for seat in seats)
        self.winners = tuple(seat for seat, finish in enumerate(seats) if finish.place == 1)
        self.after = tuple(accumulate(points, _added))
        self._who = tuple(Who(seat, name, names.count(name) == 1) for seat, name in enumerate(names))

    @property
    def players(self) -> int:
        """Return the number of seats."""
        return len(self.seats)

    @cached_property
    def charged(self) -> bool:
        """Return whether anybody got fault points: then the course of the card points decides nothing."""
        return any(seat.charge for seat in self.seats)

    @cached_property
    def dearest_trick(self) -> int:
        """Return the most points that a trick can have: the Papayoo and the highest Payoos."""
        return PAPAYOO_POINTS + sum(range(_MOST, _MOST - self.players + 1, -1))

    def who(self, seat: int, face: CardFace | None = None) -> Who:
        """Return a bot for a sentence. `face`: the card that it is said to have played."""
        plain = self._who[seat]
        if face is None or not face.stand_in or self.absent(seat):
            return plain
        return Who(plain.seat, plain.name, plain.alone, by_stand_in=True)

    def absent(self, seat: int) -> bool:
        """Return whether the stand-in has the whole seat, under its own name."""
        finish = self.seats[seat]
        return not finish.faults and finish.hand_over is None

    def leader(self, round_: int) -> int | None:
        """Return who alone has the fewest card points after a round."""
        return _only_least(self.after[round_])

    def last(self, round_: int) -> int | None:
        """Return who alone has the most card points after a round."""
        return _only_least([-points for points in self.after[round_]])

    @property
    def paid(self) -> Sequence[PaidTrick]:
        """Return the tricks with points, in order."""
        return self._counted[0]

    @property
    def gave(self) -> Sequence[Sequence[int]]:
        """Return the points of the cards that each seat played into tricks of each seat."""
        return self._counted[1]

    @cached_property
    def _counted(self) -> tuple[list[PaidTrick], list[list[int]]]:
        """Look at every card once: this is most of what a story costs."""
        gave = [[0] * self.players for _ in self.seats]
        paid = [_paid(part.number, row, gave) for part in self.rounds for row in part.tricks if row.points]
        return paid, gave

    @cached_property
    def papayoos(self) -> tuple[tuple[int, int], ...]:
        """Return of each round who played the Papayoo, and who took it."""
        return tuple((one.papayoo, one.row.taker) for one in self.paid if one.papayoo is not None)

    @cached_property
    def decided(self) -> PaidTrick | None:
        """Return the trick after which the winner led alone to the end; None unless one bot won on cards.

        Whoever has fewer card points than each other leads, also within a round.
        """
        if len(self.winners) != 1 or self.charged:
            return None
        found = None
        for trick in reversed(self.paid):
            if not self._leads(self.winners[0], trick):
                return found
            found = trick
        return found

    def _leads(self, seat: int, trick: PaidTrick) -> bool:
        """Return whether a seat has fewer points than each other once a trick is taken."""
        standing = self.standing(trick)
        own = standing[seat]
        return own == min(standing) and standing.count(own) == 1

    def standing(self, trick: PaidTrick) -> list[int]:
        """Return the card points by seat after a trick."""
        if not trick.round:
            return list(trick.row.running)
        return list(map(add, self.after[trick.round - 1], trick.row.running))


def _added(before: Sequence[int], more: Sequence[int]) -> tuple[int, ...]:
    return tuple(map(add, before, more))


def _only_least(values: Sequence[int]) -> int | None:
    least = min(values)
    return values.index(least) if values.count(least) == 1 else None


def _paid(round_: int, row: TrickRow, gave: list[list[int]]) -> PaidTrick:
    """Return a trick with points, and add them to those that each seat `gave` its taker."""
    dearest, most, papayoo, taker = 0, 0, None, row.taker
    for seat, face in enumerate(row.cards):
        worth = WORTH.get(face.name, 0)
        if face.papayoo:
            papayoo, worth = seat, PAPAYOO_POINTS
        if worth:
            gave[seat][taker] += worth
            if worth > most:
                dearest, most = seat, worth
    return PaidTrick(round_, row, papayoo, dearest)


assert PAPAYOO_POINTS + sum(WORTH.values()) == POINTS_PER_ROUND, "the sentences say 250"
