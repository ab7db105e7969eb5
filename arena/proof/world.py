"""A fast model of sessions whose truth is known exactly. It draws all sessions of a cycle at once.

The points of a bot in a round are the sum of par, its strength against the table's mean, its effects on and
from each opponent, the effect of passes between neighbours, how the board suits the bot, and luck. What a
hand costs (50 points) and what the places after the dealer cost (7 and 3) need not be drawn: in a session
each bot holds each hand and deals each board equally often, so they cancel to the last point.
These numbers were measured in real rounds of simple bots at four seats.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from arena.schedule import Session, seat_orders
from arena.schedule.seating import neighbour_links
from arena.score.results import SessionResult

ROUND_POINTS = 250
MOST_CYCLES = 200
"""The cycles for which the form of bots is drawn; no study has more."""

Dice = np.random.Generator
Values = NDArray[np.float64]


def dice_of(seed: int, *names: object) -> Dice:
    """Return the dice of these names: always the same for a seed, however the work is divided."""
    text = "|".join(map(str, ("proof", seed, *names)))
    return np.random.Generator(np.random.PCG64(int.from_bytes(sha256(text.encode()).digest()[:16])))


@dataclass(frozen=True, slots=True)
class Faults:
    """The charges of a bot: `points` in a share `rate` of its matches.

    `clustered`: the share of cycles in which all of them fall, 1 for all cycles alike.
    """

    rate: float
    points: int
    clustered: float = 1.0


@dataclass(frozen=True, slots=True)
class Texture:
    """What the points of a round are made of: standard deviations, in points.

    `board`: how a board suits a bot, whichever hand the bot holds. `luck`: everything else that is chance;
    its draws are skewed to the right, as points are. `wild`: a factor on the luck of some bots, by number.
    `tails`: the share of rounds in which luck is larger, and how many times. `duels`: of half of what a bot
    takes from another beyond their strengths; `passes`: of what a bot costs its left neighbour; `joint`: of
    what two bots at a table each take more at the cost of all its seats. `form`: of what a bot plays worse in
    all of a cycle, of all bots or of each; it is drawn anew every `lasts` cycles. `faults`: the charges of
    some bots, by number.
    """

    board: float = 18.0
    luck: float = 38.0
    wild: Mapping[int, float] = field(default_factory=dict)
    tails: tuple[float, float] = (0.0, 1.0)
    duels: float = 3.0
    passes: float = 3.0
    joint: float = 0.0
    form: float | tuple[float, ...] = 0.0
    lasts: int = 1
    faults: Mapping[int, Faults] = field(default_factory=dict)


PLAIN = Texture()


class World:
    """Bots of known `strengths`, in points against the mean of a table.

    `duels`, `passes`, `joint`: what a bot (row) does with another, see `Texture`. `form`: a row for each
    cycle, and so `rates`: the share of matches with a charge of `charges` points; `charge`: the mean of that
    in points a round, for a match has as many rounds as seats.
    """

    def __init__(
        self,
        dice: Dice,
        names: Sequence[str],
        seats: int,
        strengths: Sequence[float],
        texture: Texture,
        kinds: Sequence[int] = (),
    ) -> None:
        """Draw what these bots do to one another, and their form.

        `kinds`: a number from 0 for each bot. Bots of one kind are the same but for their strengths.
        """
        size = len(names)
        self.names, self.seats, self.texture = names, seats, texture
        self.strengths = np.array(strengths, np.float64)
        places = np.ix_(kinds or range(size), kinds or range(size))
        taken, passed, both = dice.normal(size=(3, size, size))
        apart = 1.0 - np.eye(size)
        self.duels = texture.duels * (taken - taken.T)[places]
        self.passes = texture.passes * passed[places] * apart
        self.joint = texture.joint / sqrt(2.0) * (both + both.T)[places] * apart
        form = dice.normal(size=(-(-MOST_CYCLES // texture.lasts), size)) * np.asarray(texture.form)
        self.form = np.repeat(form, texture.lasts, axis=0)[:MOST_CYCLES]
        self.rates, self.charges, self.charge = np.zeros((MOST_CYCLES, size)), np.zeros(size), np.zeros(size)
        for bot, faults in texture.faults.items():
            struck = dice.random(MOST_CYCLES) < faults.clustered
            self.rates[:, bot], self.charges[bot] = faults.rate / faults.clustered * struck, faults.points
            self.charge[bot] = faults.rate * faults.points / seats

    def give_scores(self, scores: Sequence[float]) -> None:
        """Change the strengths so that these are the true scores, in points from their mean."""
        known, wanted = np.array(list(self.truth(range(len(scores))).values())), np.array(scores)
        missing = (wanted - wanted.mean()) - (known - known.mean())
        self.strengths += missing / _share(len(scores), self.seats)

    def truth(self, present: Collection[int]) -> dict[str, float]:
        """Return the true scores of the bots that are in the field.

        That is the mean of card points a round over all line-ups of this field and all their orders, plus the
        expected charge.
        """
        here, seats = list(present), self.seats
        size, places = len(here), np.ix_(here, here)
        own, passes, joint = self.strengths[here], self.passes[places], self.joint[places].sum(axis=1)
        beside = (seats - 1) / (size - 1)
        third = beside * (seats - 2) / (size - 2) if size > 2 else 0.0
        rest = self.joint[places].sum() / 2.0 - joint
        card = (
            ROUND_POINTS / seats
            + _share(size, seats) * (own - own.mean())
            + beside * self.duels[places].sum(axis=1)
            + (passes.sum(axis=0) - passes.sum(axis=1)) / (size - 1)
            + beside * joint
            - 2.0 / seats * (beside * joint + third * rest)
        )
        return dict(zip([self.names[i] for i in here], (card + self.charge[here]).tolist(), strict=True))

    def play(self, dice: Dice, sessions: Sequence[Session]) -> list[SessionResult]:
        """Play these sessions: the same boards in every seat order of each.

        In a gauntlet a board suits each candidate in its own way, even the same bot twice.
        """
        seats, turns = self.seats, max(1, sessions[0].candidates)
        matches = len(seat_orders(tuple(range(seats))))
        members = np.array([session.order for session in sessions])
        cycles = np.array([session.cycle for session in sessions])
        suits = dice.normal(size=members.shape) * (self.texture.board * matches * sqrt(seats))
        totals = np.zeros(members.shape)
        for candidate in range(turns):
            columns = [candidate, *range(turns, members.shape[1])]
            table, suited = members[:, columns], suits[:, columns]
            totals[:, columns] += self._expected(table, cycles, matches)
            totals[:, columns] += (
                suited - suited.mean(axis=1, keepdims=True) + self._luck(dice, table, matches)
            )
        sat = np.where(np.arange(members.shape[1]) < turns, matches, matches * turns)
        charges = self.charges[members] * dice.binomial(sat, self.rates[cycles[:, None], members])
        results = zip(sessions, whole_points(totals).tolist(), charges.astype(int).tolist(), strict=True)
        return [
            SessionResult(
                session.cycle,
                session.index,
                matches * seats * turns,
                dict(zip(names := [self.names[bot] for bot in session.order], cards, strict=True)),
                {bot: points for bot, points in zip(names, charged, strict=True) if points},
                dict.fromkeys(names[:turns], matches * seats) if turns > 1 else {},
            )
            for session, cards, charged in results
        ]

    def _expected(self, table: NDArray[np.int64], cycles: NDArray[np.int64], matches: int) -> Values:
        """Return the expected points of each member of tables in a session, given the form of each."""
        own = self.strengths[table] + self.form[cycles[:, None], table]
        pairs = table[:, :, None], table[:, None, :]
        own = own + self.joint[pairs].sum(axis=2)
        level = ROUND_POINTS / self.seats + own - own.mean(axis=1, keepdims=True)
        found: Values = matches * self.seats * (level + self.duels[pairs].sum(axis=2))
        for giver, taker, times in neighbour_links(self.seats):
            passed = times * self.seats * self.passes[table[:, giver], table[:, taker]]
            found[:, giver] -= passed
            found[:, taker] += passed
        return found

    def _luck(self, dice: Dice, table: NDArray[np.int64], matches: int) -> Values:
        """Return exponential draws of each round less their expectation, and less their mean over the seats.

        The expectation is taken off first, since otherwise a wild bot would take more points on average. The
        sum of n exponential draws has a gamma distribution.
        """
        share, times = self.texture.tails
        rounds = matches * self.seats
        larger = dice.binomial(rounds, share, (len(table), 1))
        luck = dice.gamma(rounds - larger, 1.0, table.shape) - (rounds - larger)
        if share:
            luck += times * (dice.gamma(np.maximum(larger, 1e-9), 1.0, table.shape) - larger)
        scales = np.full(len(self.names), self.texture.luck)
        for bot, factor in self.texture.wild.items():
            scales[bot] *= factor
        luck *= scales[table]
        found: Values = luck - luck.mean(axis=1, keepdims=True)
        return found


def whole_points(totals: Values) -> NDArray[np.int64]:
    """Return points of sessions, a row for each, as whole numbers from 0 with the same sums.

    A total below 0, which the model does not exclude, becomes 0 at the cost of the largest. That is so rare
    that it does not noticeably move the truth.
    """
    ends = np.rint(np.cumsum(totals, axis=1)).astype(np.int64)
    found = np.diff(ends, axis=1, prepend=0)
    for row in np.nonzero((found < 0).any(axis=1))[0]:
        points = found[row]  # a view
        while points.min() < 0:
            moved = min(-points.min(), points.max())
            points[points.argmin()] += moved
            points[points.argmax()] -= moved
    return found


def _share(size: int, seats: int) -> float:
    """Return how much of a strength shows in a score: a table's mean contains the bot itself."""
    return (seats - 1) * size / (seats * (size - 1))
