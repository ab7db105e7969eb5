"""An independent, slow reference of the score: exact fractions, bordered normal equations, real refits.

Nothing of arena.standings is used: the constraint sum s = 0 is a Lagrange multiplier here, not a
lifted pseudo-inverse, the design is written out row by row, and sessions are really left out.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

from arena.standings import SessionResult


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


Equations = tuple[list[list[Fraction]], list[Fraction]]


def scores(
    sessions: Sequence[SessionResult], bots: Sequence[str], seats: int, departed: Collection[str] = ()
) -> list[Fraction]:
    """FAP + charge of each bot; ValueError if they cannot all be compared."""
    strengths = strengths_of(sessions, bots, seats)
    present = [strength for bot, strength in zip(bots, strengths, strict=True) if bot not in departed]
    mean = sum(present, Fraction(0)) / len(present)
    factor = spread(len(present), seats)
    return [
        Fraction(250, seats) + factor * (strength - mean) + charge(sessions, bot)
        for bot, strength in zip(bots, strengths, strict=True)
    ]


def spread(size: int, seats: int) -> Fraction:
    """The factor from a strength to points in a complete league."""
    return Fraction((seats - 1) * size, seats * (size - 1))


def strengths_of(sessions: Sequence[SessionResult], bots: Sequence[str], seats: int) -> list[Fraction]:
    """The least-squares strengths, which sum to 0."""
    matrix, right = equations(sessions, bots, seats, [Fraction(0)] * len(bots))
    return solve(matrix, right)[: len(bots)]


def equations(
    sessions: Sequence[SessionResult], bots: Sequence[str], seats: int, known: Sequence[Fraction]
) -> Equations:
    """The bordered normal equations of the points that are left beside the `known` strengths.

    Both sides are multiplied by seats squared, so that they are whole where nothing is known.
    """
    size = len(bots)
    border = [[0] * (size + 1) for _ in range(size + 1)]
    right: list[int | Fraction] = [0] * (size + 1)
    for i in range(size):
        border[i][size] = border[size][i] = 1
    for session in sessions:
        members = [i for i, bot in enumerate(bots) if bot in session.card_points]
        for i in members:  # one observation: deviation of bot i = s_i - mean of the members' s
            y: int | Fraction = seats * session.card_points[bots[i]] - 250 * session.rounds
            design = {j: seats * (i == j) - 1 for j in members}
            if any(known):
                y -= session.rounds * sum(x * known[j] for j, x in design.items())
            for a, x in design.items():
                right[a] += x * y
                for b, z in design.items():
                    border[a][b] += session.rounds * x * z
    return [list(map(Fraction, row)) for row in border], list(map(Fraction, right))


def moved_by_cycles(
    sessions: Sequence[SessionResult], bots: Sequence[str], seats: int
) -> list[list[Fraction]]:
    """How far each cycle moves the scores: the fit of all sessions to what is left in those of the cycle."""
    known = strengths_of(sessions, bots, seats)
    matrix, _ = equations(sessions, bots, seats, known)
    moved = []
    for cycle in sorted({session.cycle for session in sessions}):
        part = [session for session in sessions if session.cycle == cycle]
        _, right = equations(part, bots, seats, known)
        away = solve(matrix, right)[: len(bots)]
        moved.append(
            [
                spread(len(bots), seats) * own + extra
                for own, extra in zip(away, charged(sessions, part, bots), strict=True)
            ]
        )
    return moved


def charged(
    sessions: Sequence[SessionResult], part: Sequence[SessionResult], bots: Sequence[str]
) -> list[Fraction]:
    """What the charges of a part of the sessions have above the mean, for each round of all sessions."""
    found = []
    for bot in bots:
        rounds = sum(session.rounds for session in sessions if bot in session.card_points)
        own = [session for session in part if bot in session.card_points]
        mean = charge(sessions, bot)
        above = sum(session.fault_points.get(bot, 0) - session.rounds * mean for session in own)
        found.append(Fraction(above) / rounds)
    return found


def charge(sessions: Sequence[SessionResult], bot: str) -> Fraction:
    """Fault points per round of the bot's sessions."""
    own = [session for session in sessions if bot in session.card_points]
    return Fraction(
        sum(session.fault_points.get(bot, 0) for session in own), sum(session.rounds for session in own)
    )


def covariance(
    sessions: Sequence[SessionResult], bots: Sequence[str], seats: int, departed: Collection[str] = ()
) -> list[list[Fraction]]:
    """The delete-one-session jackknife, centred on the full estimate, by real refits."""
    full = scores(sessions, bots, seats, departed)
    count, size = len(sessions), range(len(bots))
    total = [[Fraction(0)] * len(bots) for _ in bots]
    for left_out in range(count):
        rest = [*sessions[:left_out], *sessions[left_out + 1 :]]
        moved = [a - b for a, b in zip(full, scores(rest, bots, seats, departed), strict=True)]
        for i in size:
            for j in size:
                total[i][j] += moved[i] * moved[j]
    return [[Fraction(count - 1, count) * value for value in row] for row in total]
