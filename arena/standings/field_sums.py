"""Fits a large or a changing field: the least squares of `jackknife`, with arrays, departed bots eliminated.

It must not decide whether a fit makes sense, or what is claimed: bots are numbers here, the present ones
first. No session may have two departed bots. Then the block of the departed bots in the normal matrix A is
diagonal, and they are eliminated exactly (a Schur complement): all else costs as much as the present field
and the sessions, however many have departed.

With D the diagonal of that block and B the block between present and departed bots, T = B D^-1: a right side
x counts for the present ones as x_p - T x_d, and S+ = (A_pp - T B')+ does what A+ does in `jackknife`. The
strength of a departed bot is (x_d - B' s_p) / D.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arena.standings.arrays import Numbers, Values, added, contrast_inverse, product, solutions
from arena.standings.connection import LineUp
from arena.standings.meetings import correction
from arena.standings.results import ROUND_POINTS, SessionResult


@dataclass(frozen=True)
class Played:
    """The sessions as arrays with a row for each: C rows, k columns.

    `members`: the numbers of the bots, ascending, one for each seat. `rounds`: g_c; `cycles`: numbered from
    0. `deviations`: Y_c - 250/k; `faults`: in points a session.
    """

    members: Numbers
    rounds: Values
    cycles: Numbers
    deviations: Values
    faults: Values

    @classmethod
    def of(cls, ordered: Sequence[SessionResult], line_ups: Sequence[LineUp], names: Sequence[str]) -> Played:
        """Return the sessions, whose bots have these numbers."""
        par = ROUND_POINTS / len(line_ups[0])
        cards, faults = [], []
        for session, line_up in zip(ordered, line_ups, strict=True):
            bots = [names[i] for i in line_up]
            points, charges, rounds = session.card_points, session.fault_points, session.rounds
            if session.seat_rounds:
                cards.append([points[bot] / (rounds * session.seats(bot)) - par for bot in bots])
            else:
                cards.append([points[bot] / rounds - par for bot in bots])
            faults.append([charges.get(bot, 0) for bot in bots] if charges else [0] * len(bots))
        cycles = {cycle: number for number, cycle in enumerate(sorted({s.cycle for s in ordered}))}
        return cls(
            np.array(line_ups, np.int64),
            np.array([session.rounds for session in ordered], np.float64),
            np.array([cycles[session.cycle] for session in ordered], np.int64),
            np.array(cards, np.float64),
            np.array(faults, np.float64),
        )

    @cached_property
    def first(self) -> Values:
        """Return 1 for the first seat of each bot in a session, 0 for more seats of the same bot."""
        same = self.members[:, :, None] == self.members[:, None, :]
        return np.asarray(same.argmax(axis=2) == np.arange(self.members.shape[1]), np.float64)

    @cached_property
    def seats(self) -> Values:
        """Return how many seats the bot of each seat has in the session."""
        same = self.members[:, :, None] == self.members[:, None, :]
        return np.asarray(same.sum(axis=2), np.float64)


@dataclass(frozen=True)
class FieldSums:
    """The fit of `present` bots and of `departed` ones, which have the numbers after theirs.

    Strengths are measured from the mean of the bots with the numbers in `reference`: of all present bots,
    if there are none. `spread`: the factor f between strengths and scores.
    """

    played: Played
    present: int
    departed: int
    spread: float
    reference: Sequence[int] = ()

    @property
    def size(self) -> int:
        """Return the number of all bots."""
        return self.present + self.departed

    @cached_property
    def rounds(self) -> Values:
        """Return G_i, the rounds of each bot at all its seats."""
        return self._by_bot(self.played.rounds[:, None])

    @cached_property
    def faults(self) -> Values:
        """Return F_i, the fault points of each bot."""
        return self._by_bot(self.played.faults * self.played.first)

    @cached_property
    def charges(self) -> Values:
        """Return the fault points of each bot in a round."""
        return self.faults / np.maximum(self.rounds, 1.0)

    @cached_property
    def strengths(self) -> Values:
        """Return s of all bots."""
        right = self._by_bot(self.played.rounds[:, None] * self.played.deviations)
        own = (self.moving * self._reduced(right)).sum(axis=1)
        found = np.concatenate([own, np.zeros(self.departed)])
        for d, met in enumerate(self._met):
            taken = (self._between[d, met] * own[met]).sum()
            found[self.present + d] = (right[self.present + d] - taken) / self._diagonal[d]
        return found

    @cached_property
    def inverse(self) -> Values:
        """Return S+, the A+ of the present bots."""
        left = np.diag(self.rounds[: self.present]) - self._sharing[0]
        for d, met in enumerate(self._met):
            own = self._between[d, met]
            left[np.ix_(met, met)] -= own[:, None] * (own / self._diagonal[d])
        return contrast_inverse(left)

    @cached_property
    def moving(self) -> Values:
        """Return how the strengths of the present bots follow from the points; see `jackknife.about`."""
        if not self.reference:
            return self.inverse
        found: Values = self.inverse - self.inverse[list(self.reference)].mean(axis=0)
        return found

    def moved_by_cycles(self) -> Values:
        """Return how far each cycle moved the scores of the present bots: a row for each cycle."""
        played = self.played
        shape = (int(played.cycles.max()) + 1, self.size)
        places = [played.cycles[:, None], played.members]
        weights = played.rounds[:, None]
        card = added(places, weights * self._card_residuals, shape)
        above = played.faults / weights - self.charges[played.members]
        charge = added(places, weights * above * played.first, shape)[:, : self.present]
        moved = product(self._reduced(card), self.moving.T)
        return self.spread * moved + charge / self.rounds[: self.present]

    def sessions_by_cycle(self) -> list[list[float]]:
        """Return the sessions of each present bot in each cycle: a row for each cycle."""
        played = self.played
        shape = (int(played.cycles.max()) + 1, self.size)
        found = added([played.cycles[:, None], played.members], played.first, shape)
        return [[float(value) for value in row] for row in found[:, : self.present]]

    def covariance(self) -> Values:
        """Return the covariance of the scores of the present bots, as `Jackknife.covariance` defines it."""
        count, shift, charge = len(self.played.rounds), self._strength_shifts, self._charge_shifts
        uu, between, squares = self._outer(shift, shift)
        uw, of_departed, _ = self._outer(shift, charge)
        ww, _, _ = self._outer(charge, charge)
        for d, met in enumerate(self._met):
            away, place = self._between[d, met] / self._diagonal[d], np.ix_(met, met)
            mixed = away[:, None] * between[d, met]
            uu[place] += squares[d] * (away[:, None] * away) - mixed - mixed.T
            uw[place] -= away[:, None] * of_departed[d, met]
        strengths = product(product(self.moving, uu), self.moving.T)
        mixed = product(self.moving, uw)
        both = (strengths + strengths.T) / 2.0
        found = self.spread * self.spread * both + self.spread * (mixed + mixed.T) + ww
        result: Values = (count - 1) / count * found
        return result

    def by_meetings(self) -> Values:
        """Return what effects of pairs add to `covariance`, or take from it; see `meetings`."""
        return correction(self.played.members, self._card_residuals, self.present, self.size)

    @cached_property
    def _sharing(self) -> tuple[Values, Values, Values]:
        """Return the sums of g_c / k over the sessions that two bots share; see `_outer`."""
        share = np.broadcast_to(self.played.rounds[:, None], self.played.members.shape)
        return self._outer(share / self.played.members.shape[1], np.ones(share.shape))

    @cached_property
    def _between(self) -> Values:
        """Return the block B' of A: a row for each departed bot."""
        return -self._sharing[1]

    @cached_property
    def _diagonal(self) -> Values:
        """Return D, the diagonal of A at the departed bots."""
        return self.rounds[self.present :] - self._sharing[2]

    @cached_property
    def _met(self) -> list[Numbers]:
        """Return the present bots that each departed bot met."""
        return [np.nonzero(row)[0] for row in self._between]

    def _reduced(self, sums: Values) -> Values:
        """Return x_p - T x_d for sums by bot; the last axis is that of the bots."""
        own = sums[..., : self.present].copy()
        for d, met in enumerate(self._met):
            own[..., met] -= sums[..., self.present + d, None] * (self._between[d, met] / self._diagonal[d])
        return own

    def _by_bot(self, values: Values) -> Values:
        """Return the sums by bot of values for each seat of each session."""
        return added([self.played.members], np.broadcast_to(values, self.played.members.shape), (self.size,))

    def _outer(self, a: Values, b: Values) -> tuple[Values, Values, Values]:
        """Return the sums over the sessions of a_i b_j: i and j present; i departed; i = j departed."""
        members, n, m = self.played.members, self.present, self.departed
        # Whoever is not of a group has the number after those of the group, and is cut off.
        present, departed = np.minimum(members, n), np.where(members < n, m, members - n)
        terms = a[:, :, None] * b[:, None, :]
        both = added([present[:, :, None], present[:, None, :]], terms, (n + 1, n + 1))[:n, :n]
        if not m:
            return both, np.zeros((0, n)), np.zeros(0)
        mixed = added([departed[:, :, None], present[:, None, :]], terms, (m + 1, n + 1))[:m, :n]
        return both, mixed, added([departed], a * b, (m + 1,))[:m]

    @cached_property
    def _card_residuals(self) -> Values:
        """Return e_c: what the fit leaves of the card points, for each seat of each session."""
        own = self.strengths[self.played.members]
        left: Values = self.played.deviations - own + own.mean(axis=1)[:, None]
        return left

    @cached_property
    def _strength_shifts(self) -> Values:
        """Return u_c of each session, for each seat; see `jackknife`."""
        blocks = self._blocks()
        means = blocks.mean(axis=2)
        size = blocks.shape[1]
        kernels = means[:, :, None] + means[:, None, :] - means.mean(axis=1)[:, None, None] - blocks
        kernels[:, range(size), range(size)] += 1.0 / self.played.rounds[:, None]
        return solutions(kernels, self._card_residuals)

    def _blocks(self) -> Values:
        """Return the part of a generalised inverse of A that belongs to the members of each session."""
        members, n = self.played.members, self.present
        rows, alone = np.concatenate([self.inverse, np.zeros((self.departed, n))]), np.zeros(self.size)
        for d, met in enumerate(self._met):
            away = self._between[d, met] / self._diagonal[d]
            rows[n + d] = -(away[:, None] * self.inverse[met]).sum(axis=0)
            alone[n + d] = 1.0 / self._diagonal[d] - (away * rows[n + d, met]).sum()
        one, other = np.broadcast_arrays(members[:, :, None], members[:, None, :])
        # Of two members at most one has departed, or both are the same bot.
        low, high = np.minimum(one, other), np.maximum(one, other)
        found: Values = np.where(low < n, rows[high, np.minimum(low, n - 1)], alone[low])
        return found

    @cached_property
    def _charge_shifts(self) -> Values:
        """Return w_c of each session, for each seat: how far it shifts the charges of its bots."""
        members, own = self.played.members, self.played.faults
        rounds, faults = self.rounds[members], self.faults[members]
        rest = rounds - self.played.rounds[:, None] * self.played.seats
        # A bot without faults has no shift; only such a bot may lack rounds in other sessions here.
        shifts: Values = faults / rounds - (faults - own) / np.where(rest > 0.0, rest, 1.0)
        return np.where(faults > 0.0, shifts, 0.0) * self.played.first
