"""What the cards dealt, the die and the cards passed in are worth, before anybody plays: a linear estimate.

Worth is in points of the round; more is worse. All worths of a table sum to 0, so they only say who was
dealt what. This module knows no bots.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import mul
from typing import Final

import numpy as np

from arena.papayoo import PAPAYOOS, PLAIN_SUITS, POINTS_PER_ROUND, SUIT_MASKS
from arena.review.course import Course
from arena.review.hand_priors import NOTHING_KNOWN, PRIORS, Prior
from arena.score.arrays import inverse

__all__ = [
    "CARD_FEATURES",
    "HAND_FEATURES",
    "Luck",
    "Sums",
    "Worths",
    "card_features",
    "fitted",
    "hand_features",
]

Vector = list[float]

PRIOR_SEATS: Final = 2000
"""How many hands' evidence the worths measured beforehand count for, beside those of the league."""

CARD_FEATURES: Final = (
    "Payoos 1 to 5", "Payoos 6 to 10", "Payoos 11 to 15", "Payoos 16 to 20", "the Papayoo",
    "cards above the Papayoo", "cards of the Papayoo's suit", "8 to 10 of other suits",
    "1 to 3 of plain suits",
)  # fmt: skip
"""The names of `card_features`, in their order."""

HAND_FEATURES: Final = (*CARD_FEATURES, "plain suits of two cards or fewer", "deals", "seats from the dealer")
"""The names of `hand_features`, in their order."""

_BANDS: Final = tuple(0b11111 << first for first in (40, 45, 50, 55))
_LOW_THREE: Final = sum(0b111 << 10 * suit for suit in PLAIN_SUITS)
_HIGH_THREE: Final = tuple(0b111 << 10 * suit + 7 for suit in PLAIN_SUITS)
_ALL_HIGH: Final = sum(_HIGH_THREE)
_SHORT = 2


@dataclass(frozen=True, slots=True)
class Luck:
    """What one seat had in a round before the first card: points to expect beyond par, by their source.

    deal: of the cards dealt, the die not yet rolled. die: what the die added. passed_in: what was received in
    the pass, compared with what the others received.
    """

    deal: float
    die: float
    passed_in: float


@dataclass(frozen=True, slots=True)
class Worths:
    """The worth of each feature of a hand as dealt, and of each feature of the cards received.

    Raises ValueError unless there is one number for each feature.
    """

    dealt: tuple[float, ...]
    received: tuple[float, ...]

    def __post_init__(self) -> None:
        if (len(self.dealt), len(self.received)) != (len(HAND_FEATURES), len(CARD_FEATURES)):
            raise ValueError("worths need one number for each feature")

    def luck(self, course: Course) -> list[Luck]:
        """Return the luck of each seat of a round.

        The worth of a hand before the die is its mean over what the die can show. So what the die adds is 0
        on average.
        """
        by_suit = [self._of_hands(course, suit) for suit in PLAIN_SUITS]
        passed_in = [_dot(self.received, each) for each in _centred(_received(course))]
        found = []
        for seat in range(course.players):
            before = sum(worths[seat] for worths in by_suit) / len(by_suit)
            found.append(Luck(before, by_suit[course.papayoo_suit][seat] - before, passed_in[seat]))
        return found

    def _of_hands(self, course: Course, suit: int) -> list[float]:
        return [_dot(self.dealt, each) for each in _centred(_dealt(course, suit))]


def card_features(cards: int, papayoo_suit: int) -> Vector:
    """Return what a set of cards holds, by `CARD_FEATURES`: sums over the cards."""
    papayoo = 1 << PAPAYOOS[papayoo_suit]
    above = cards & _HIGH_THREE[papayoo_suit]
    return [
        *(float((cards & band).bit_count()) for band in _BANDS),
        float(bool(cards & papayoo)),
        float(above.bit_count()),
        float((cards & SUIT_MASKS[papayoo_suit]).bit_count()),
        float((cards & _ALL_HIGH & ~_HIGH_THREE[papayoo_suit]).bit_count()),
        float((cards & _LOW_THREE).bit_count()),
    ]


def hand_features(hand: int, papayoo_suit: int, position: int, players: int) -> Vector:
    """Return what a hand as dealt holds, by `HAND_FEATURES`. `position`: seats to the left of the dealer."""
    short = sum((hand & SUIT_MASKS[suit]).bit_count() <= _SHORT for suit in PLAIN_SUITS)
    own = card_features(hand, papayoo_suit)
    return [*own, float(short), float(position == 0), position / (players - 1)]


def fitted(courses: Iterable[Course], players: int) -> Worths:
    """Return the worths by least squares over every seat of these rounds and what is known beforehand.

    First the points beyond par are fitted by the features of the hands dealt; then what is left, by those of
    the cards received and passed on together. Only the received ones count as luck; the passed ones are there
    so that a seat's own choice is not taken for it. All features are centred at the table. The worths known
    beforehand (`arena.review.hand_priors`) enter as a ridge around them (Hoerl and Kennard, "Ridge
    Regression", 1970, with its origin moved), with the weight of `PRIOR_SEATS` hands: so a single match can
    be judged too, and a league of hundreds judges by its own. Takes about 0.2 ms a round.
    """
    sums = Sums(players)
    for course in courses:
        sums.add(course)
    found = sums.solved(PRIORS[players])
    return Worths(found.dealt, found.received)


class Sums:
    """The sums that the fit of the worths needs, round by round, at tables of so many players."""

    def __init__(self, players: int) -> None:
        self._par = POINTS_PER_ROUND / players
        self._first = _Squares(len(HAND_FEATURES))
        self._second = _Squares(2 * len(CARD_FEATURES))
        # The second fit needs what the first leaves over. As the first is linear, that follows from sums.
        self._cross = [[0.0] * len(HAND_FEATURES) for _ in range(2 * len(CARD_FEATURES))]

    def add(self, course: Course) -> None:
        """Add every seat of a round."""
        own, moved = _centred(_dealt(course, course.papayoo_suit)), _moved(course)
        for seat, points in enumerate(course.points):
            self._first.add(own[seat], points - self._par)
            self._second.add(moved[seat], points - self._par)
            for line, x in zip(self._cross, moved[seat], strict=True):
                _add_times(line, own[seat], x)

    def solved(self, known: Prior = NOTHING_KNOWN, weight: float = PRIOR_SEATS) -> Prior:
        """Return the worths, with those `known` beforehand counting for as many hands as `weight`."""
        dealt = self._first.solved(known.dealt, weight)
        self._second.less = [_dot(row, dealt) for row in self._cross]
        moved = self._second.solved((*known.received, *known.passed), weight)
        size = len(CARD_FEATURES)
        return Prior(tuple(dealt), tuple(moved[:size]), tuple(moved[size:]))


class _Squares:
    """The sums of a least-squares fit without a constant. `less`: what is taken off the right side."""

    def __init__(self, size: int) -> None:
        self._square = [[0.0] * size for _ in range(size)]
        self._right = [0.0] * size
        self._rows = 0
        self.less = [0.0] * size

    def add(self, row: Sequence[float], value: float) -> None:
        self._rows += 1
        _add_times(self._right, row, value)
        for line, x in zip(self._square, row, strict=True):
            _add_times(line, row, x)

    def solved(self, known: Sequence[float], weight: float) -> Vector:
        """Return the fit with a ridge around the known numbers, in proportion to each feature's spread."""
        ridge = [weight * row[i] / self._rows if row[i] > 0 else 1.0 for i, row in enumerate(self._square)]
        lifted = [row[:] for row in self._square]
        right = [value - less for value, less in zip(self._right, self.less, strict=True)]
        for i, more in enumerate(ridge):
            lifted[i][i] += more
            right[i] += more * known[i]
        return [_dot(row, right) for row in inverse(np.array(lifted)).tolist()]


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    total: float = sum(map(mul, a, b))
    return total


def _add_times(line: Vector, row: Sequence[float], x: float) -> None:
    """Add x times the row to the line."""
    if x:
        for j, y in enumerate(row):
            line[j] += x * y


def _moved(course: Course) -> list[Vector]:
    received = _centred(_received(course))
    passed = _centred([card_features(cards, course.papayoo_suit) for cards in course.passed])
    return [[*own, *away] for own, away in zip(received, passed, strict=True)]


def _dealt(course: Course, suit: int) -> list[Vector]:
    return [
        hand_features(hand, suit, course.position(seat), course.players)
        for seat, hand in enumerate(course.dealt)
    ]


def _received(course: Course) -> list[Vector]:
    return [card_features(cards, course.papayoo_suit) for cards in course.received]


def _centred(rows: Sequence[Vector]) -> list[Vector]:
    """Subtract the mean of the table from each feature."""
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return [[value - middle for value, middle in zip(row, means, strict=True)] for row in rows]
