"""A fast model of session results whose truth is known exactly.

The points of a bot in a round are the sum of: par, its strength against the table's mean, its effects on and
from each opponent, the effect of passes between neighbours, the hand, the place relative to the dealer, how
the board suits the bot, and luck. Hands, boards and luck are as large as in real rounds
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

__all__ = ["Synthetic", "Texture", "duels_between", "form_of", "joint_between", "passes_between"]

_ROUND_POINTS = 250

Matrix = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True)
class Texture:
    """Standard deviations of a round, in points; measured with `arena.proof.played` at four seats.

    hand: what a hand of a board costs every bot that holds it. board: how a board suits a bot, whichever
    hand the bot holds. luck: everything else; its draws are skewed to the right, as points are. dealing: what
    the places cost, in points, the dealer's first; further places cost nothing.
    """

    hand: float = 50.0
    board: float = 18.0
    luck: float = 38.0
    dealing: tuple[float, ...] = (7.0, 3.0)


@dataclass(frozen=True)
class Synthetic:
    """Bots by their true `scores`, in points a round from par and centred on 0; fewer points are better.

    `duels[i][j]`: the points that bot i takes more, and j less, at a table with j than their strengths say.
    `passes[i][j]`: the points that go from i to j when j is the left neighbour of i. Both matrices come from
    `duels_between` and `passes_between`, whose sums change no score in a complete league. `wild`: a factor on
    the luck of some bots, by number. `faults`: the charges of some bots, by number. `scores` are true with
    charges, so a bot that is charged plays better by its charge. `form`: by cycle, the points that each bot
    takes more than its strength says in all of this cycle; cycles beyond have none. `tails`: the share of
    rounds in which luck is larger, and how many times. `joint[i][j]`: the points that i and j each take more
    when both sit at a table, at the cost of all its seats; from `joint_between`.
    """

    seats: int
    scores: Sequence[float]
    duels: Matrix
    passes: Matrix
    wild: Mapping[int, float] = field(default_factory=dict)
    faults: Mapping[int, Faults] = field(default_factory=dict)
    texture: Texture = Texture()
    form: Matrix = ()
    tails: tuple[float, float] = (0.0, 1.0)
    joint: Matrix = ()

    @cached_property
    def bots(self) -> Sequence[str]:
        """See `World`."""
        return tuple(f"bot{number:02}" for number in range(len(self.scores)))

    @cached_property
    def truth(self) -> Mapping[str, float]:
        """See `World`. Card points sum to 250 whatever is charged, so the mean charge is added for all."""
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
        """Return the strengths s of the bots that make their scores in a complete league come out as given.

        A round gives a bot s less the mean of its table, which contains the bot itself. Over all line-ups of
        k of N bots with strengths that sum to 0, that is s (k - 1) N / (k (N - 1)): hence the division.
        """
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
        levels = [self._levels(row, self._strengths_in(place[0])) for row in rows]
        scales = {bot: self.texture.luck * self.wild.get(bot, 1.0) for bot in order}
        # Hands and suits are drawn once a board and shared by all seat orders: that is what makes a Latin
        # session worth more than as many rounds in random seats. Luck is drawn for each round.
        for dealer in range(self.seats):
            hands = self._hands(dice, dealer)
            suits = dict(zip(order, _centred(dice, self.texture.board, self.seats), strict=True))
            for row, level in zip(rows, levels, strict=True):
                times = self.tails[1] if self.tails[0] and dice.random() < self.tails[0] else 1.0
                luck = _luck(dice, [times * scales[bot] for bot in row])
                for bot, own, hand, chance in zip(row, level, hands, luck, strict=True):
                    totals[bot] += own + suits[bot] + hand + chance
        charges = {
            self.bots[bot]: faults.drawn(dice, len(rows))
            for bot, faults in self.faults.items()
            if bot in totals
        }
        return self._result(place, totals, len(rows) * self.seats, charges)

    def turns(self, dice: Random, place: Place, order: tuple[int, ...], candidates: int) -> SessionResult:
        """See `World`. How a board suits a bot is drawn for each candidate, even for the same bot twice."""
        rows = gauntlet_rows(order, candidates)
        totals = dict.fromkeys(order, 0.0)
        levels = [self._levels(row, self._strengths) for row in rows]
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

    def _hands(self, dice: Random, dealer: int) -> list[float]:
        """Return what the hands of a board and the places relative to the dealer cost, by seat."""
        dealing = [*self.texture.dealing, *[0.0] * self.seats][: self.seats]
        mean = sum(dealing) / self.seats
        hands = _centred(dice, self.texture.hand, self.seats)
        costs = [hand + place - mean for hand, place in zip(hands, dealing, strict=True)]
        return costs[self.seats - dealer :] + costs[: self.seats - dealer]

    def _strengths_in(self, cycle: int) -> Sequence[float]:
        """Return the strengths in a cycle, with the form of the bots."""
        if cycle >= len(self.form):
            return self._strengths
        return [own + form for own, form in zip(self._strengths, self.form[cycle], strict=True)]

    def _levels(self, row: tuple[int, ...], strengths: Sequence[float]) -> list[float]:
        """Return the expected points by seat, whoever deals."""
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
        if not self.joint:
            return levels
        own = [sum(self.joint[bot][other] for other in row) for bot in row]
        mean = sum(own) / self.seats
        return [level + more - mean for level, more in zip(levels, own, strict=True)]

    def _result(
        self, place: Place, totals: Mapping[int, float], rounds: int, charges: Mapping[str, int]
    ) -> SessionResult:
        """Return the result in whole points, 250 a round in all: totals are rounded so that the sum stays.

        A total below 0, which the model does not exclude, becomes 0 at the cost of the largest. With the
        strengths and sessions used here this is so rare that it does not noticeably move the truth.
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
    """Return normal draws less their mean: what a hand or board gives to one seat it takes from others."""
    draws = [dice.gauss(0.0, deviation) for _ in range(count)]
    mean = sum(draws) / count
    return [draw - mean for draw in draws]


def _luck(dice: Random, scales: Sequence[float]) -> list[float]:
    """Return exponential draws less their expectation, and less their mean over the seats.

    The expectation is taken off first, since otherwise a wild bot would take more points on average.
    """
    draws = [-scale * (1.0 + log(1.0 - dice.random())) for scale in scales]
    mean = sum(draws) / len(draws)
    return [draw - mean for draw in draws]


def duels_between(dice: Random, kinds: Sequence[int], deviation: float) -> Matrix:
    """Return random effects of bots on one another: antisymmetric, in points, and each row sums to 0.

    `kinds` has a number for each bot. Bots of one kind are the same bot entered again, and have equal rows.
    """
    # Drawn by kind, and then centred by rows and columns, so that no score changes in a complete league.
    size = len(kinds)
    drawn = [[dice.gauss(0.0, deviation) for _ in kinds] for _ in kinds]
    raw = [[drawn[a][b] - drawn[b][a] for b in kinds] for a in kinds]
    sums = [sum(row) for row in raw]
    return [[raw[i][j] - (sums[i] - sums[j]) / size for j in range(size)] for i in range(size)]


def form_of(dice: Random, deviations: Sequence[float], cycles: int, lasts: int) -> Matrix:
    """Return the form of bots in each of the cycles, in points: normal, and drawn anew every `lasts` cycles.

    `deviations`: of each bot, 0 for one whose form does not vary.
    """
    drawn = [[dice.gauss(0.0, own) for own in deviations] for _ in range(-(-cycles // lasts))]
    return [drawn[cycle // lasts] for cycle in range(cycles)]


def passes_between(dice: Random, kinds: Sequence[int], deviation: float) -> Matrix:
    """Return random effects of passes on the left neighbour, in points.

    Every bot receives as much from all others as it gives to them, so no score changes in a complete league.
    `kinds`: see `duels_between`.
    """
    size = len(kinds)
    drawn = [[dice.gauss(0.0, deviation) for _ in kinds] for _ in kinds]
    raw = [[drawn[a][b] if a != b else 0.0 for b in kinds] for a in kinds]
    net = [sum(raw[j][i] - raw[i][j] for j in range(size)) / (2 * size) for i in range(size)]
    return [[raw[i][j] + net[i] - net[j] for j in range(size)] for i in range(size)]


def joint_between(dice: Random, kinds: Sequence[int], deviation: float) -> Matrix:
    """Return random joint effects of pairs on the rest of their table: symmetric, and each row sums to 0.

    So no score changes in a complete league. `kinds`: all different.
    """
    size = len(kinds)
    raw = [[0.0] * size for _ in kinds]
    for i in range(size):
        for j in range(i):
            raw[i][j] = raw[j][i] = dice.gauss(0.0, deviation)
    sums = [sum(row) for row in raw]
    # The part a_i + a_j of each effect, such that all rows sum to 0 without it.
    total = sum(sums) / (2 * (size - 1))
    own = [(each - total) / (size - 2) for each in sums]
    return [[raw[i][j] - own[i] - own[j] if i != j else 0.0 for j in range(size)] for i in range(size)]
