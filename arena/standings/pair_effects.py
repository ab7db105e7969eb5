"""Separates what bots do to one another, pair by pair, from the chance of a session.

A schedule that lets all pairs meet equally often repeats the effects of pairs equally: they are no error of
the score. Here they are fitted by least squares, as in an analysis of variance (Scheffe, 1959), so that what
is left is chance. It must not know what is done with that: `interval` corrects the ± with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb, fsum

from arena.standings.connection import LineUp
from arena.standings.linalg import Matrix, dot, least_squares, zeros

MOST_PAIRS = 120
"""Pairs up to which they are fitted: those of 16 bots. The work grows with the cube of this number."""


@dataclass(frozen=True, slots=True)
class PairEffects:
    """The effects of pairs, fitted to the residuals of all sessions.

    `effects[i][j]`: what i takes more in a session with j, in points a round; antisymmetric. `squares`: the
    sum of squares that they explain. `independent`: how many were fitted, those of the strengths among them.
    `uneven`: 0 if all pairs met equally often, 1 if as unevenly as by chance.
    """

    effects: Matrix
    squares: float
    independent: int
    uneven: float

    def of(self, members: LineUp) -> Mapping[int, float]:
        """Return what each bot of a line-up takes more, or less, because of the others."""
        return {i: fsum(self.effects[i][j] for j in members) for i in members}


def pair_effects(line_ups: Mapping[LineUp, tuple[int, Mapping[int, float]]], size: int) -> PairEffects | None:
    """Return the effects of pairs; None where there are too many pairs.

    `line_ups`: the sessions of each, and the sums over them of the residuals of its bots. The effect of the
    pair i < j is what i takes more, and j less, in a session with both.
    """
    # A stand-in of several bots is in a line-up more than once, and has no effect on itself.
    if comb(size, 2) > MOST_PAIRS or any(len(set(members)) < len(members) for members in line_ups):
        return None
    numbers = {pair: number for number, pair in enumerate(combinations(range(size), 2))}
    normal, right = zeros(len(numbers)), [0.0] * len(numbers)
    for members, (sessions, sums) in line_ups.items():
        pairs = [(numbers[pair], *pair) for pair in combinations(sorted(members), 2)]
        for row, a, b in pairs:
            right[row] += sums[a] - sums[b]
            own = normal[row]
            for column, c, d in pairs:
                # Columns have 1 at the first bot of a pair and -1 at the second.
                own[column] += sessions * ((a == c) + (b == d) - (a == d) - (b == c))
    solved, independent = least_squares(normal, right)
    effects = zeros(size)
    for (i, j), number in numbers.items():
        effects[i][j], effects[j][i] = solved[number], -solved[number]
    met = [normal[number][number] / 2.0 for number in range(len(numbers))]
    mean = fsum(met) / len(met)
    uneven = min(1.0, fsum((count - mean) ** 2 for count in met) / fsum(met))
    return PairEffects(effects, dot(solved, right), independent, uneven)
