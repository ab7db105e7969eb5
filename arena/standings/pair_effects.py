"""Separates what bots do to one another, pair by pair, from the chance of a session.

A schedule that lets all pairs meet equally often repeats the effects of pairs equally: they are no error of
the score. What one bot of a pair takes from the other is fitted by least squares, as in an analysis of
variance (Scheffe, 1959). What both take from the rest of the table would need as many numbers again, more
than few sessions can tell, so only its variance is estimated: by the method of moments (Henderson,
"Estimation of variance and covariance components", 1953, method 3). It must not know what is done with that:
`interval` corrects the ± with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb, fsum

from arena.standings.connection import LineUp
from arena.standings.linalg import (
    ALMOST_DEPENDENT,
    Matrix,
    Vector,
    backward,
    dependent_factor,
    dot,
    forward,
    zeros,
)

LineUps = Mapping[LineUp, tuple[int, Mapping[int, float]]]
"""The sessions of each line-up, and the sums over them of the residuals of its bots."""

MOST_PAIRS = 120
"""Pairs up to which they are fitted: those of 16 bots. The work grows with the cube of this number."""


@dataclass(frozen=True, slots=True)
class JointEffects:
    """What both bots of a pair take more, and the others at the table less, beside the effects of pairs.

    With R the columns of these effects, less what the effects of pairs explain of them, and G = R'R:
    `explained` is the square of R' times the residuals, `traces` are those of G, G^2, G^3 and G^4.
    """

    explained: float
    traces: tuple[float, float, float, float]

    def beside(self, squares: float, left: float) -> tuple[float, float] | None:
        """Return the mean square of chance and its degrees of freedom, or None if no joint effects are seen.

        `squares`: what the effects of pairs leave of the residuals, with `left` degrees of freedom. The
        joint effects are taken for random, with the variance at which `squares` and `explained` are what is
        expected; that variance must be above 0, and so must chance.
        """
        one, two, three, four = self.traces
        determinant = left * two - one * one
        if determinant <= ALMOST_DEPENDENT * left * two:
            return None
        variance = (left * self.explained - one * squares) / determinant
        chance = (two * squares - one * self.explained) / determinant
        if variance <= 0.0 or chance <= 0.0:
            return None
        # The relative variance of this estimate, a * squares - b * explained, where all is normal.
        a, b, share = two / determinant, one / determinant, variance / chance
        mixed = a * a * one - 2.0 * a * b * two + b * b * three
        large = a * a * two - 2.0 * a * b * three + b * b * four
        return chance, 1.0 / (a + 2.0 * share * mixed + share * share * large)


@dataclass(frozen=True, slots=True)
class PairEffects:
    """The effects of pairs, fitted to the residuals of all sessions.

    `effects[i][j]`: what i takes more in a session with j, in points a round; antisymmetric. `squares`: the
    sum of squares that they explain. `independent`: how many were fitted, those of the strengths among them.
    `uneven`: 0 if all pairs met equally often, 1 if as unevenly as by chance. `joint`: what both bots of
    a pair take from the rest of the table.
    """

    effects: Matrix
    squares: float
    independent: int
    uneven: float
    joint: JointEffects

    def of(self, members: LineUp) -> Mapping[int, float]:
        """Return what each bot of a line-up takes more, or less, because of the others."""
        return {i: fsum(self.effects[i][j] for j in members) for i in members}


def pair_effects(line_ups: LineUps, size: int) -> PairEffects | None:
    """Return the effects of pairs; None where there are too many pairs.

    `line_ups`: the sessions of each, and the sums over them of the residuals of its bots. The effect of the
    pair i < j is what i takes more, and j less, in a session with both.
    """
    # A stand-in of several bots is in a line-up more than once, and has no effect on itself.
    if comb(size, 2) > MOST_PAIRS or any(len(set(members)) < len(members) for members in line_ups):
        return None
    normal, right = _equations(line_ups, size)
    count = comb(size, 2)
    lower = dependent_factor([row[:count] for row in normal[:count]])
    found = forward(lower, right)
    solved = backward(lower, found)
    effects = zeros(size)
    for (i, j), effect in zip(combinations(range(size), 2), solved, strict=True):
        effects[i][j], effects[j][i] = effect, -effect
    met = [normal[number][number] / 2.0 for number in range(count)]
    mean = fsum(met) / count
    uneven = min(1.0, fsum((each - mean) ** 2 for each in met) / fsum(met))
    independent = sum(row[-1] > 0.0 for row in lower)
    joint = _joint(lower, found, normal, right)
    return PairEffects(effects, dot(found, found), independent, uneven, joint)


def _joint(lower: Matrix, found: Vector, normal: Matrix, right: Vector) -> JointEffects:
    """Return the joint effects beside those of pairs, whose factor is `lower` and solution L'x is `found`."""
    count = len(lower)
    known = [forward(lower, row) for row in normal[count:]]
    left = [
        [value - taken for value, taken in zip(row[count:], own, strict=True)]
        for row, own in zip(normal[count:], _products(known), strict=True)
    ]
    explained = fsum((value - dot(a, found)) ** 2 for value, a in zip(right[count:], known, strict=True))
    return JointEffects(explained, _traces(left))


def _equations(line_ups: LineUps, size: int) -> tuple[Matrix, Vector]:
    """Return the normal equations: first what i takes from j for all pairs i < j, then what both take.

    Columns of the first kind have 1 at i and -1 at j, those of the second 1 at both, less their mean over
    the session.
    """
    pairs = list(combinations(range(size), 2))
    numbers = {pair: number for number, pair in enumerate(pairs)}
    normal, right = zeros(2 * len(pairs)), [0.0] * (2 * len(pairs))
    for members, (sessions, sums) in line_ups.items():
        seats, total = len(members), fsum(sums.values())
        columns = [
            (numbers[pair] + kind * len(pairs), *pair, 2 * kind - 1)
            for kind in (0, 1)
            for pair in combinations(sorted(members), 2)
        ]
        for row, a, b, sign in columns:
            right[row] += sums[a] + sign * sums[b] - (1 + sign) * total / seats
            own = normal[row]
            for column, c, d, other in columns:
                common = (a == c) + other * (a == d) + sign * (b == c) + sign * other * (b == d)
                own[column] += sessions * (common - (1 + sign) * (1 + other) / seats)
    return normal, right


def _traces(matrix: Matrix) -> tuple[float, float, float, float]:
    """Return the traces of the first four powers of a symmetric matrix."""
    square = _products(matrix)
    return (
        fsum(row[i] for i, row in enumerate(matrix)),
        fsum(row[i] for i, row in enumerate(square)),
        fsum(dot(a, b) for a, b in zip(matrix, square, strict=True)),
        fsum(dot(row, row) for row in square),
    )


def _products(rows: Matrix) -> Matrix:
    """Return the scalar products of all rows."""
    half = [[dot(a, b) for b in rows[: i + 1]] for i, a in enumerate(rows)]
    return [[half[max(i, j)][min(i, j)] for j in range(len(rows))] for i in range(len(rows))]
