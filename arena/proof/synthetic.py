"""A fast model of session results whose truth is known exactly.

The points of a bot in a round are par, its strength against the table's, what it and each opponent
do to each other, what its pass does to its left neighbour, the hand and the place beside the dealer,
how the board suits it, and luck. Hands, boards and luck are as large as in rounds really played
(`arena.proof.played`); `Texture` has the numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import log
from random import Random

from arena.papayoo import left_of
from arena.proof.world import NO_FAULTS, Faults, Place
from arena.schedule import seat_orders
from arena.schedule.seating import gauntlet_rows
from arena.standings import SessionResult

__all__ = ["Synthetic", "Texture", "duels_between", "passes_between"]

_ROUND_POINTS = 250

Matrix = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Texture:
    """Standard deviations of a round, in points; measured with `arena.proof.played` at four seats.

    hand: what the same hand of a board costs whoever holds it. board: how a board suits a bot
    whichever hand it holds. luck: all else; its draws are skewed to the right as points are.
    dealing: what the places beginning with the dealer's cost, as far as there are any.
    """

    hand: float = 50.0
    board: float = 18.0
    luck: float = 38.0
    dealing: tuple[float, ...] = (7.0, 3.0)


@dataclass(frozen=True)
class Synthetic:
    """Bots by their true `scores`, in points a round from par and centred on 0; fewer are better.

    `duels[i][j]`: points that bot i takes more, and j less, at a table with j than their strengths
    say. `passes[i][j]`: points that go from i to j when j is the left neighbour of i. Both come
    from `duels_between` and `passes_between`, whose sums change nobody's score in a complete
    league. `wild`: a factor on the luck of some bots, by number. `faults`: as `scores` are true
    with charges, a bot that is charged plays so much better.
    """

    seats: int
    scores: Sequence[float]
    duels: Matrix
    passes: Matrix
    wild: Mapping[int, float] = field(default_factory=dict)
    faults: Mapping[int, Faults] = field(default_factory=dict)
    texture: Texture = Texture()

    @cached_property
    def bots(self) -> Sequence[str]:
        """See `World`."""
        return tuple(f"bot{number:02}" for number in range(len(self.scores)))

    @cached_property
    def truth(self) -> Mapping[str, float]:
        """See `World`: card points sum to 250 whatever is charged, so all bear the mean charge."""
        mean = sum(self._charges) / len(self._charges)
        return {
            bot: _ROUND_POINTS / self.seats + score + mean
            for bot, score in zip(self.bots, self.scores, strict=True)
        }

    @cached_property
    def _charges(self) -> Sequence[float]:
        return [self.faults.get(bot, NO_FAULTS).per_round(self.seats) for bot in range(len(self.scores))]

    @cached_property
    def _strengths(self) -> Sequence[float]:
        """What each bot costs itself at a table of equals: among k of N bots a share of it is lost on it."""
        size, seats = len(self.scores), self.seats
        spread = (seats - 1) * size / (seats * (size - 1))
        mean = sum(self._charges) / size
        return [
            (score - charge + mean) / spread for score, charge in zip(self.scores, self._charges, strict=True)
        ]

    def latin(self, dice: Random, place: Place, order: tuple[int, ...]) -> SessionResult:
        """See `World`."""
        rows = seat_orders(order)
        totals = dict.fromkeys(order, 0.0)
        levels = [self._levels(row) for row in rows]
        scales = {bot: self.texture.luck * self.wild.get(bot, 1.0) for bot in order}
        for dealer in range(self.seats):
            hands = self._hands(dice, dealer)
            suits = dict(zip(order, _centred(dice, self.texture.board, self.seats), strict=True))
            for row, level in zip(rows, levels, strict=True):
                luck = _luck(dice, [scales[bot] for bot in row])
                for bot, own, hand, chance in zip(row, level, hands, luck, strict=True):
                    totals[bot] += own + suits[bot] + hand + chance
        charges = {
            self.bots[bot]: faults.drawn(dice, len(rows))
            for bot, faults in self.faults.items()
            if bot in totals
        }
        return self._result(place, totals, len(rows) * self.seats, charges)

    def turns(self, dice: Random, place: Place, order: tuple[int, ...], candidates: int) -> SessionResult:
        """See `World`. How a board suits a candidate is drawn for each, even for the same bot given twice."""
        rows = gauntlet_rows(order, candidates)
        totals = dict.fromkeys(order, 0.0)
        levels = [self._levels(row) for row in rows]
        scales = {bot: self.texture.luck * self.wild.get(bot, 1.0) for bot in order}
        for dealer in range(self.seats):
            hands = self._hands(dice, dealer)
            suits = {bot: dice.gauss(0.0, self.texture.board) for bot in order}
            for row, level in zip(rows, levels, strict=True):
                mean = sum(suits[bot] for bot in row) / self.seats
                luck = _luck(dice, [scales[bot] for bot in row])
                for bot, own, hand, chance in zip(row, level, hands, luck, strict=True):
                    totals[bot] += own + suits[bot] - mean + hand + chance
        matches = len(rows) // candidates
        sat = {self.bots[bot]: matches * self.seats for bot in order[:candidates]}
        charges = {
            self.bots[bot]: faults.drawn(dice, matches if bot in order[:candidates] else len(rows))
            for bot, faults in self.faults.items()
            if bot in totals
        }
        whole = self._result(place, totals, len(rows) * self.seats, charges)
        return replace(whole, seat_rounds=sat if candidates > 1 else {})

    def scattered(self, dice: Random, place: Place, line_up: Sequence[int], rounds: int) -> SessionResult:
        """See `World`."""
        totals = dict.fromkeys(line_up, 0.0)
        for number in range(rounds):
            row = tuple(dice.sample(line_up, self.seats))
            suits = _centred(dice, self.texture.board, self.seats)
            hands = self._hands(dice, number % self.seats)
            luck = _luck(dice, [self.texture.luck * self.wild.get(bot, 1.0) for bot in row])
            effects = zip(row, self._levels(row), hands, suits, luck, strict=True)
            for bot, own, hand, suit, chance in effects:
                totals[bot] += own + hand + suit + chance
        return self._result(place, totals, rounds, {})

    def _hands(self, dice: Random, dealer: int) -> list[float]:
        """What the hands of a board and the places beside the dealer cost, by seat."""
        dealing = [*self.texture.dealing, *[0.0] * self.seats][: self.seats]
        mean = sum(dealing) / self.seats
        hands = _centred(dice, self.texture.hand, self.seats)
        costs = [hand + place - mean for hand, place in zip(hands, dealing, strict=True)]
        return costs[self.seats - dealer :] + costs[: self.seats - dealer]

    def _levels(self, row: tuple[int, ...]) -> list[float]:
        """The expected points by seat, whoever deals."""
        strengths = self._strengths
        centre = sum(strengths[bot] for bot in row) / self.seats
        levels = [
            _ROUND_POINTS / self.seats
            + strengths[bot]
            - centre
            + sum(self.duels[bot][other] for other in row)
            for bot in row
        ]
        for seat, bot in enumerate(row):
            left = left_of(seat, self.seats)
            passed = self.passes[bot][row[left]]
            levels[seat] -= passed
            levels[left] += passed
        return levels

    def _result(
        self, place: Place, totals: Mapping[int, float], rounds: int, charges: Mapping[str, int]
    ) -> SessionResult:
        """Whole points, 250 a round in all: every total rounded so that the sum is kept.

        A total below 0, which the model does not exclude, becomes 0 at the cost of the largest: so
        seldom, with the strengths and sessions used here, that the truth is not noticeably moved.
        """
        cards: dict[str, int] = {}
        whole, exact = 0, 0.0
        for bot, total in sorted(totals.items()):
            exact += total
            cards[self.bots[bot]] = round(exact) - whole
            whole = round(exact)
        while cards[poorest := min(cards, key=cards.__getitem__)] < 0:
            richest = max(cards, key=cards.__getitem__)
            moved = min(-cards[poorest], cards[richest])
            cards[poorest] += moved
            cards[richest] -= moved
        return SessionResult(place[0], place[1], rounds, cards, charges)


def _centred(dice: Random, deviation: float, count: int) -> list[float]:
    """Normal draws less their mean: what a hand or a board gives to one seat it takes from others."""
    draws = [dice.gauss(0.0, deviation) for _ in range(count)]
    mean = sum(draws) / count
    return [draw - mean for draw in draws]


def _luck(dice: Random, scales: Sequence[float]) -> list[float]:
    """Exponential draws less their expectation, and less their mean over the seats."""
    draws = [-scale * (1.0 + log(1.0 - dice.random())) for scale in scales]
    mean = sum(draws) / len(draws)
    return [draw - mean for draw in draws]


def duels_between(dice: Random, kinds: Sequence[int], deviation: float) -> Matrix:
    """What bots do to each other beside their strengths: one's loss is the other's gain, rows sum to 0.

    `kinds` has a number for each bot: those of one kind are the same bot entered again.
    """
    size = len(kinds)
    drawn = [[dice.gauss(0.0, deviation) for _ in kinds] for _ in kinds]
    raw = [[drawn[a][b] - drawn[b][a] for b in kinds] for a in kinds]
    sums = [sum(row) for row in raw]
    return [[raw[i][j] - (sums[i] - sums[j]) / size for j in range(size)] for i in range(size)]


def passes_between(dice: Random, kinds: Sequence[int], deviation: float) -> Matrix:
    """What passes cost the left neighbour: every bot receives as much from all others as it gives to them.

    `kinds`: see `duels_between`.
    """
    size = len(kinds)
    drawn = [[dice.gauss(0.0, deviation) for _ in kinds] for _ in kinds]
    raw = [[drawn[a][b] if a != b else 0.0 for b in kinds] for a in kinds]
    net = [sum(raw[j][i] - raw[i][j] for j in range(size)) / (2 * size) for i in range(size)]
    return [[raw[i][j] + net[i] - net[j] for j in range(size)] for i in range(size)]
