"""Does the algebra of field-adjusted points: the least-squares fit and its delete-one-session covariance.

It must not decide whether a fit makes sense: `fit` asks `connection` first. Bots are numbers here.

The model of session c with members m(c): Y_c - 250/k = P_c s + noise, weight g_c (its rounds), P_c = I -
J/k on m(c), sum s = 0. With A = sum g_c P_c and A+ its pseudo-inverse, s = A+ sum g_c P_c (Y_c - 250/k).
Deleting session c moves s by exactly A+ u_c, u_c = (I/g_c - P_c A+_cc P_c)^-1 e_c, e_c the residuals (the
block form of Sherman, Morrison and Woodbury), so no refits are needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arena.standings.connection import LineUp
from arena.standings.linalg import (
    Matrix,
    Vector,
    contrast_inverse,
    inverse,
    product,
    times_vector,
    transpose,
    zeros,
)


@dataclass(frozen=True, slots=True)
class Observation:
    """One session: member numbers, rounds g_c, Y_c - 250/k and fault points of each member.

    A bot with several seats is a member as often, each time with the mean of its seats and all its faults.
    """

    members: LineUp
    rounds: int
    deviations: Vector
    faults: Sequence[int]


def session_information(rounds: Mapping[LineUp, int], size: int) -> Matrix:
    """Return A+ of a connected field: `rounds` has the rounds of each line-up over all its sessions."""
    information = zeros(size)
    for line_up, weight in rounds.items():
        share = weight / len(line_up)
        for i in line_up:
            row = information[i]
            row[i] += weight
            for j in line_up:
                row[j] -= share
    return contrast_inverse(information)


def about(information: Matrix, present: Sequence[int]) -> Matrix:
    """Return L A+: how strengths above the mean of the `present` bots follow from the points.

    A+ itself where all are present, for then the mean is 0 whatever happens.
    """
    if len(present) == len(information):
        return information
    means = [sum(information[i][j] for i in present) / len(present) for j in range(len(information))]
    return [[value - mean for value, mean in zip(row, means, strict=True)] for row in information]


@dataclass(slots=True)
class Jackknife:
    """Sums over sessions of the outer products of u_c and w_c; see `covariance`.

    `inverse` is A+, `strengths` s. `rounds` and `faults` are each bot's totals G_i and F_i. Every bot must
    have rounds outside each of its sessions, and no session may be a bridge of the field.
    """

    inverse: Matrix
    strengths: Vector
    rounds: Sequence[int]
    faults: Sequence[int]
    _count: int = 0
    _uu: Matrix = field(init=False)
    _uw: Matrix = field(init=False)
    _ww: Matrix = field(init=False)
    _kernels: dict[tuple[LineUp, int], Matrix] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Set all sums to zero."""
        size = len(self.strengths)
        self._uu, self._uw, self._ww = zeros(size), zeros(size), zeros(size)

    def add(self, session: Observation) -> None:
        """Add one session to the sums: k x k terms, whatever the size of the field."""
        self._count += 1
        members = session.members
        moved = self._moved_strength(session)
        for i, value in zip(members, moved, strict=True):
            row = self._uu[i]
            for j, other in zip(members, moved, strict=True):
                row[j] += value * other
        charges = self._moved_charges(session)
        for j, w in charges:
            for i, value in zip(members, moved, strict=True):
                self._uw[i][j] += value * w
            for i, other in charges:
                self._ww[i][j] += other * w

    def covariance(self, spread: float, present: Sequence[int]) -> Matrix:
        """Return the covariance of the scores: (C-1)/C sum_c D_c D_c' with D_c = spread L A+ u_c + w_c.

        `spread` is the factor f between strengths and field-adjusted points. L subtracts the mean strength of
        the `present` bots, see `about`. D_c is the full estimate less the one without session c; the sum is
        centred on the full estimate.
        """
        factor = (self._count - 1) / self._count
        # L A+ is applied once to the sums, not once to each session.
        moving = about(self.inverse, present)
        strengths = product(product(moving, self._uu), transpose(moving))
        mixed = product(moving, self._uw)
        turned = transpose(mixed)
        size = range(len(strengths))
        return [
            [
                factor
                * (spread * spread * strengths[i][j] + spread * (mixed[i][j] + turned[i][j]) + self._ww[i][j])
                for j in size
            ]
            for i in size
        ]

    def _moved_strength(self, session: Observation) -> Vector:
        """Return u_c on the members: A+ u_c is the shift of the strengths by the session."""
        own = [self.strengths[i] for i in session.members]
        mean = sum(own) / len(own)
        residuals = [d - s + mean for d, s in zip(session.deviations, own, strict=True)]
        key = (session.members, session.rounds)
        # Line-ups and rounds recur from cycle to cycle, so each kernel is inverted once.
        kernel = self._kernels.get(key)
        if kernel is None:
            kernel = self._kernels[key] = self._kernel(*key)
        return times_vector(kernel, residuals)

    def _kernel(self, members: LineUp, rounds: int) -> Matrix:
        """Return (I/g_c - P_c A+_cc P_c)^-1, the same for all sessions of a line-up with equal rounds."""
        size = len(members)
        block = [[self.inverse[i][j] for j in members] for i in members]
        means = [sum(row) / size for row in block]
        overall = sum(means) / size
        for a, row in enumerate(block):
            for b, value in enumerate(row):
                row[b] = means[a] + means[b] - overall - value
            row[a] += 1.0 / rounds
        return inverse(block)

    def _moved_charges(self, session: Observation) -> list[tuple[int, float]]:
        """Return (bot, w_c): the shift of the charges by the session, for bots that have any."""
        if not any(self.faults[i] for i in session.members):
            return []
        rounds = {i: session.rounds * seats for i, seats in Counter(session.members).items()}
        return [
            (i, self.faults[i] / self.rounds[i] - (self.faults[i] - own) / (self.rounds[i] - rounds[i]))
            for i, own in dict(zip(session.members, session.faults, strict=True)).items()
            if self.faults[i]
        ]
