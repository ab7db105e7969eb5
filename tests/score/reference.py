"""An independent, slow reference of the score: exact fractions, bordered normal equations, real refits.

Nothing of arena.score is used: the constraint sum s = 0 is a Lagrange multiplier here, not a
lifted pseudo-inverse, the design is written out row by row, and sessions are really left out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from arena.score.results import SessionResult


def solve(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Gauss-Jordan elimination in exact arithmetic; ValueError if singular."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for column in range(size):
        pivot = next((i for i in range(column, size) if rows[i][column]), None)
        if pivot is None:
            raise ValueError("singular")
        rows[column], rows[pivot] = rows[pivot], rows[column]
        lead = rows[column][column]
        rows[column] = [value / lead for value in rows[column]]
        for i in range(size):
            factor = rows[i][column]
            if i != column and factor:
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[column], strict=True)]
    return [row[-1] for row in rows]


def scores(
    sessions: Sequence[SessionResult], bots: Sequence[str], seats: int, measured: Collection[str]
) -> list[Fraction]:
    """FAP + charge of each bot, against the mean of the `measured`; ValueError if they are not connected."""
    strengths = strengths_of(sessions, bots, seats)
    against = [strength for bot, strength in zip(bots, strengths, strict=True) if bot in measured]
    mean = sum(against, Fraction(0)) / len(against)
    factor = spread(len(against), seats)
    return [
        Fraction(250, seats) + factor * (strength - mean) + charge(sessions, bot)
        for bot, strength in zip(bots, strengths, strict=True)
    ]


def spread(size: int, seats: int) -> Fraction:
    """The factor from a strength to points in a complete league."""
    return Fraction((seats - 1) * size, seats * (size - 1)) if size > 1 else Fraction(seats - 1, seats)


def strengths_of(sessions: Sequence[SessionResult], bots: Sequence[str], seats: int) -> list[Fraction]:
    """The least-squares strengths, which sum to 0."""
    size = len(bots)
    matrix = [[Fraction(0)] * (size + 1) for _ in range(size + 1)]
    right = [Fraction(0)] * (size + 1)
    for i in range(size):
        matrix[i][size] = matrix[size][i] = Fraction(1)
    for session in sessions:
        sat = {i: session.seats(bot) for i, bot in enumerate(bots) if bot in session.card_points}
        for i, own in sat.items():  # one observation for each seat: s_i less the mean of the seats' s
            design = {j: Fraction(int(i == j)) - Fraction(several, seats) for j, several in sat.items()}
            y = Fraction(session.card_points[bots[i]], session.rounds * own) - Fraction(250, seats)
            for a, x in design.items():
                right[a] += session.rounds * own * x * y
                for b, z in design.items():
                    matrix[a][b] += session.rounds * own * x * z
    return solve(matrix, right)[:size]


def charge(sessions: Sequence[SessionResult], bot: str) -> Fraction:
    """Fault points for each round and seat of the bot."""
    own = [session for session in sessions if bot in session.card_points]
    rounds = sum(session.rounds * session.seats(bot) for session in own)
    return Fraction(sum(session.fault_points.get(bot, 0) for session in own), rounds)


def covariance(
    sessions: Sequence[SessionResult], bots: Sequence[str], seats: int, measured: Collection[str]
) -> list[list[Fraction]]:
    """The delete-one-session jackknife, centred on the full estimate, by real refits."""
    full = scores(sessions, bots, seats, measured)
    count, size = len(sessions), range(len(bots))
    total = [[Fraction(0)] * len(bots) for _ in bots]
    for left_out in range(count):
        rest = [*sessions[:left_out], *sessions[left_out + 1 :]]
        moved = [a - b for a, b in zip(full, scores(rest, bots, seats, measured), strict=True)]
        for i in size:
            for j in size:
                total[i][j] += moved[i] * moved[j]
    return [[Fraction(count - 1, count) * value for value in row] for row in total]
