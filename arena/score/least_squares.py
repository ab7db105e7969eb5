"""Does the algebra of the score: least squares over sessions, and how each session moves the scores.

Knows no names: entries are numbers, those kept in full first. It must not decide whether a fit makes sense,
or what is claimed.

The model of session c with members m(c): Y_c - 250/k = P_c s + noise, weight g_c (its rounds), P_c = I -
J/k on m(c). With A = sum g_c P_c and A+ its pseudo-inverse, s = A+ sum g_c P_c (Y_c - 250/k). Deleting
session c moves s by exactly A+ u_c, u_c = (I/g_c - P_c A+_cc P_c)^-1 e_c, e_c the residuals (the block form
of Sherman, Morrison and Woodbury), so the jackknife needs no refits.

Entries that departed and met no other departed one are eliminated exactly (a Schur complement), for their
block in A is diagonal: all else costs as much as those kept in full and the sessions, however many have
departed. With D the diagonal of that block and B the block between, T = B D^-1: a right side x counts for
those in full as x_p - T x_d, and S+ = (A_pp - T B')+ does what A+ does above. The strength of an eliminated
one is (x_d - B' s_p) / D.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arena.score.arrays import Numbers, Values, added, contrast_inverse, product, solutions
from arena.score.counting import LineUp
from arena.score.results import ROUND_POINTS, SessionResult


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
    """The fit of `full` entries, and of `sole` ones that are eliminated and have the numbers after theirs.

    Strengths are measured from the mean of the entries with the numbers in `reference`. `spread`: the factor
    f between strengths and scores.
    """

    played: Played
    full: int
    sole: int
    spread: float
    reference: Sequence[int]

    @property
    def size(self) -> int:
        """Return the number of all bots."""
        return self.full + self.sole

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
        found = np.concatenate([own, np.zeros(self.sole)])
        for d, met in enumerate(self._met):
            taken = (self._between[d, met] * own[met]).sum()
            found[self.full + d] = (right[self.full + d] - taken) / self._diagonal[d]
        return found

    @cached_property
    def inverse(self) -> Values:
        """Return S+, the A+ of the present bots."""
        left = np.diag(self.rounds[: self.full]) - self._sharing[0]
        for d, met in enumerate(self._met):
            own = self._between[d, met]
            left[np.ix_(met, met)] -= own[:, None] * (own / self._diagonal[d])
        return contrast_inverse(left)

    @cached_property
    def moving(self) -> Values:
        """Return how the strengths of the entries in full follow from the points."""
        found: Values = self.inverse - self.inverse[list(self.reference)].mean(axis=0)
        return found

    def moved_by_cycles(self) -> Values:
        """Return how far each cycle moved the scores of the present bots: a row for each cycle."""
        played = self.played
        shape = (int(played.cycles.max()) + 1, self.size)
        places = [played.cycles[:, None], played.members]
        weights = played.rounds[:, None]
        card = added(places, weights * self.card_residuals, shape)
        above = played.faults / weights - self.charges[played.members]
        charge = added(places, weights * above * played.first, shape)[:, : self.full]
        moved = product(self._reduced(card), self.moving.T)
        return self.spread * moved + charge / self.rounds[: self.full]

    def sessions_by_cycle(self) -> Values:
        """Return the sessions of each entry in full in each cycle: a row for each cycle."""
        played = self.played
        shape = (int(played.cycles.max()) + 1, self.size)
        return added([played.cycles[:, None], played.members], played.first, shape)[:, : self.full]

    def covariance(self) -> Values:
        """Return the covariance of the scores of the entries in full, by the jackknife over sessions.

        That is (C-1)/C sum_c D_c D_c', D_c the score less the one without session c, centred on the score.
        """
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
        return self.rounds[self.full :] - self._sharing[2]

    @cached_property
    def _met(self) -> list[Numbers]:
        """Return the present bots that each departed bot met."""
        return [np.nonzero(row)[0] for row in self._between]

    def _reduced(self, sums: Values) -> Values:
        """Return x_p - T x_d for sums by bot; the last axis is that of the bots."""
        own = sums[..., : self.full].copy()
        for d, met in enumerate(self._met):
            own[..., met] -= sums[..., self.full + d, None] * (self._between[d, met] / self._diagonal[d])
        return own

    def _by_bot(self, values: Values) -> Values:
        """Return the sums by bot of values for each seat of each session."""
        return added([self.played.members], np.broadcast_to(values, self.played.members.shape), (self.size,))

    def _outer(self, a: Values, b: Values) -> tuple[Values, Values, Values]:
        """Return the sums over the sessions of a_i b_j: i and j present; i departed; i = j departed."""
        members, n, m = self.played.members, self.full, self.sole
        # Whoever is not of a group has the number after those of the group, and is cut off.
        present, departed = np.minimum(members, n), np.where(members < n, m, members - n)
        terms = a[:, :, None] * b[:, None, :]
        both = added([present[:, :, None], present[:, None, :]], terms, (n + 1, n + 1))[:n, :n]
        if not m:
            return both, np.zeros((0, n)), np.zeros(0)
        mixed = added([departed[:, :, None], present[:, None, :]], terms, (m + 1, n + 1))[:m, :n]
        own = np.where(members[:, :, None] == members[:, None, :], terms, 0.0).sum(axis=2)
        return both, mixed, added([departed], own, (m + 1,))[:m]

    @cached_property
    def card_residuals(self) -> Values:
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
        return solutions(kernels, self.card_residuals)

    def _blocks(self) -> Values:
        """Return the part of a generalised inverse of A that belongs to the members of each session."""
        members, n = self.played.members, self.full
        rows, alone = np.concatenate([self.inverse, np.zeros((self.sole, n))]), np.zeros(self.size)
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
