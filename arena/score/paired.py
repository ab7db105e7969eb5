"""Scores what is paired: the duel of two bots, and a gauntlet, whose candidates take turns in the same seats.

A duel is a league of tables of two sides. In a gauntlet every candidate plays in every session, so scores are
plain means, and what a board, a seat and an opponent cost both candidates cancels in their difference:
paired differences (Student, "The probable error of a mean", 1908). A gauntlet ends by a sequential test
between no difference and the margin (Wald, "Sequential analysis", 1947), which needs about half of the
sessions of an interval that is valid for every question. It has no sentences: these are in `words`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import combinations, pairwise
from math import log

import numpy as np

from arena.score.arrays import product
from arena.score.counting import ENOUGH_SESSIONS, Counted, sessions_of_each
from arena.score.fit import Fit, fit
from arena.score.results import SessionResult, SessionResultError
from arena.score.spread import Form, Spread
from arena.score.table import Plan, by_points
from arena.score.verdicts import (
    Comparison,
    Look,
    NoLook,
    Pair,
    Verdict,
    complete_cycles,
    judge,
)

SIDES = 2
"""The bots in a session of a duel; no other league has tables so small."""
OPPONENTS = "opponents"
"""The name of all opponents together, where a single candidate is compared with them."""
MISSED = 0.1
"""The chance that a candidate that is better by the margin is said to be no better."""
LEAST_MARGIN = 0.5
"""The margin in points that the test of a gauntlet has at least: one of 0 would never end."""
LARGER = 8
"""How many differences the test of a gauntlet looks for: the margin, and each twice the one before."""


def is_duel(session: SessionResult) -> bool:
    """Return whether two bots held equally many seats.

    A stand-in of several opponents of a gauntlet's only candidate holds more than the other.
    """
    sat = {session.seat_rounds.get(bot, session.rounds) for bot in session.card_points}
    return len(session.card_points) == SIDES and len(sat) == 1


def duel(sessions: Iterable[SessionResult], bots: Collection[str], seats: int) -> Fit:
    """Return the scores of a duel, in points for a seat and round: a bot with two seats has two a round.

    A `SessionResult` of a duel has the points of all seats of a bot together; its `rounds` are those of
    both matches, and each bot has sat seats * rounds / 2 times. For two bots least squares are the mean of
    the differences. SessionResultError for a session given twice, or with an odd number of rounds: then its
    two matches did not have the same boards.
    """
    whole = fit([_as_two(session) for session in sessions], bots, SIDES)
    # `fit` counts points of a table of two sides; a side holds seats / 2 seats on average.
    unit = SIDES / seats
    return replace(
        whole,
        seats=seats,
        fap=_times(whole.fap, unit),
        charge=_times(whole.charge, unit),
        scores=_times(whole.scores, unit),
        spread=None if whole.spread is None else whole.spread.scaled(unit),
    )


def _as_two(session: SessionResult) -> SessionResult:
    """Return the session as one of a table of two, whatever the number of seats of each bot."""
    if session.rounds % SIDES:
        raise SessionResultError(f"{session.name}: {session.rounds} rounds are no two equal matches")
    return replace(session, seat_rounds={})


def _times(points: Mapping[str, float], factor: float) -> dict[str, float]:
    return {bot: factor * value for bot, value in points.items()}


# A gauntlet


def is_gauntlet(session: SessionResult) -> bool:
    """Return whether some bot sat in only a part of the session's matches, as candidates do."""
    return any(sat < session.rounds for sat in session.seat_rounds.values())


def paired_means(sessions: Iterable[SessionResult], bots: Collection[str], seats: int) -> Fit:
    """Return the mean card and fault points of every bot for each seat and round, with their covariance.

    By the jackknife over sessions: with D_c the shift of the means by session c, (C-1)/C sum_c D_c D_c'. Bots
    with fewer than two sessions have no ±. SessionResultError for a session that is given twice.
    """
    ordered = sorted(sessions, key=lambda session: session.key)
    for one, other in pairwise(ordered):
        if one.key == other.key:
            raise SessionResultError(f"{one.name} is given twice")
    count = sessions_of_each(ordered)
    names = sorted({*bots, *count})
    shape = (len(ordered), len(names))
    cards, faults, rounds = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    for row, session in enumerate(ordered):
        for column, bot in enumerate(names):
            if bot in session.card_points:
                cards[row, column] = session.card_points[bot]
                faults[row, column] = session.fault_points.get(bot, 0)
                rounds[row, column] = session.seat_rounds.get(bot, session.rounds)
    sat = rounds.sum(axis=0)
    per_round = np.where(sat > 0.0, sat, 1.0)
    fap, charge = cards.sum(axis=0) / per_round, faults.sum(axis=0) / per_round
    known = [number for number, bot in enumerate(names) if count[bot] >= 2]
    rest = per_round - rounds
    without = (cards.sum(axis=0) + faults.sum(axis=0) - cards - faults) / np.where(rest > 0.0, rest, 1.0)
    moved = np.where(rounds > 0.0, fap + charge - without, 0.0)[:, known]
    seated = [number for number, bot in enumerate(names) if count[bot]]
    spread = None
    if len(known) > 1 and len(ordered) > 1:
        size = len(known)
        spread = Spread(
            (len(ordered) - 1) / len(ordered) * product(moved.T, moved),
            1.0,
            np.zeros((size, size)),
            np.array([count[names[number]] for number in known], np.float64),
            Form(np.zeros(size), np.zeros(size), 0.0, 1.0, 0.0, protected=False),
        )
    here = tuple(names[number] for number in known)
    return Fit(
        bots=here,
        seats=seats,
        session_count=len(ordered),
        sessions={bot: count[bot] for bot in names},
        rounds={bot: int(value) for bot, value in zip(names, sat.tolist(), strict=True)},
        fap={names[i]: float(fap[i]) for i in seated},
        charge={names[i]: float(charge[i]) for i in seated},
        scores={names[i]: float(fap[i] + charge[i]) for i in seated},
        counted=Counted(tuple(ordered), here, (), frozenset(), frozenset(here), (), count, count),
        spread=spread,
    )


class Outcome(Enum):
    """What is known of the first of two candidates."""

    BETTER = "better"
    WORSE = "worse"
    LEVEL = "level"  # it is not better by the margin
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Trial(Comparison):
    """Two candidates: the sequential test of whether the `first` is better, by the margin m or more.

    With d the points by which the first is better and v their variance, the likelihood of a difference of x
    over that of none has the logarithm x (d - x/2) / v. The first is better once that is ln(2/a) for x = m, a
    the error, or ln(4/a) for 2m, ln(8/a) for 4m and so on: so a large difference is found as soon as it
    shows, and together they are wrong with a chance of a at most. It is no better by the margin once the
    logarithm for m is -ln(1/`MISSED`).
    """

    first: str = ""

    @property
    def ahead(self) -> float:
        """Return the points by which the first is better, negative if it is worse."""
        return self.difference if self.first == self.better else -self.difference

    def reach(self, error: float, times: float = 1.0) -> float:
        """Return how far the interval reaches to either side; each end is wrong with the error at most."""
        variance, smallest = self._variance(times), max(LEAST_MARGIN, self.margin)
        shares = [(smallest * 2.0**k, error / 2.0 ** (k + 1)) for k in range(LARGER)]
        return min(size / 2.0 + log(1.0 / share) * variance / size for size, share in shares)

    def verdict(self, error: float, times: float = 1.0) -> Verdict:
        """Return AHEAD where one is surely better, LEVEL where the first is not better by the margin."""
        if self.clock * times < ENOUGH_SESSIONS:
            return Verdict.OPEN
        if self.difference > self.reach(error, times):
            return Verdict.AHEAD
        margin = max(LEAST_MARGIN, self.margin)
        least = margin / 2.0 - log(1.0 / MISSED) * self._variance(times) / margin
        return Verdict.LEVEL if self.ahead <= least else Verdict.OPEN

    def _variance(self, times: float) -> float:
        # The variance is itself an estimate, of as many sessions: with few it may be too small.
        return self.variance / times * (1.0 + 3.0 / (self.clock * times))


def look_at_candidates(
    sessions: Iterable[SessionResult], candidates: Sequence[str], seats: int, plan: Plan, margin: float
) -> Look | NoLook:
    """Compare the candidates of a gauntlet after its complete cycles; a single one with its opponents."""
    cycles, complete = complete_cycles(sessions, plan)
    if len(complete) < ENOUGH_SESSIONS:
        return NoLook(f"an answer needs {ENOUGH_SESSIONS} sessions; so far there are {len(complete)}")
    order = list(candidates) if len(candidates) > 1 else [*candidates, OPPONENTS]
    if len(candidates) == 1:
        complete = [_two_sides(session, order[0], seats) for session in complete]
    result = paired_means(complete, order, seats)
    if not set(order) <= set(result.bots) or result.spread is None:
        return NoLook("the candidates have not played often enough to be compared")
    bots = by_points(order, {bot: result.scores[bot] for bot in order})
    trials = []
    for better, worse in combinations(bots, 2):
        difference = result.scores[worse] - result.scores[better]
        variance, doubt = result.of_verdict(better, worse)
        first = min(better, worse, key=order.index)
        clock = float(min(result.sessions[better], result.sessions[worse]))
        trials.append(Trial(better, worse, difference, variance, clock, margin, doubt, first=first))
    return judge(cycles, result, bots, trials, len(order) * (len(order) - 1) // 2)


@dataclass(frozen=True, slots=True)
class Measured:
    """Two candidates. `difference`: points a round by which `first` is better, negative if it is worse.

    `low` and `high`: its always-valid interval. `se`: its standard error. `more_sessions`: as in `Pair`.
    """

    first: str
    second: str
    difference: float
    low: float
    high: float
    se: float
    outcome: Outcome
    more_sessions: int | None


@dataclass(frozen=True, slots=True)
class Answer:
    """Every two candidates compared, in the order in which they were given, after `sessions`.

    `settled`: whether nothing more needs to be played, because no neighbours in the order of scores are
    open. `margin`: the points that the test is about.
    """

    sessions: int
    cycles: int
    margin: float
    settled: bool
    comparisons: tuple[Measured, ...]

    @property
    def more_sessions(self) -> int | None:
        """Return about how many more sessions decide everything that is open.

        None if nothing is open, or if not all of it is within reach.
        """
        needed = [one.more_sessions for one in self.comparisons if one.outcome is Outcome.OPEN]
        known = [sessions for sessions in needed if sessions is not None]
        return max(known) if known and len(known) == len(needed) else None

    def of_first(self) -> Outcome:
        """Return what is known of the first candidate against all others: BETTER only if it is better than
        each.
        """
        first = self.comparisons[0].first
        outcomes = [one.outcome for one in self.comparisons if one.first == first]
        for worst in (Outcome.WORSE, Outcome.LEVEL, Outcome.OPEN):
            if worst in outcomes:
                return worst
        return Outcome.BETTER


def answer(seen: Look | NoLook, candidates: Sequence[str], margin: float) -> Answer | NoLook:
    """Return what a look at a gauntlet says of its candidates, given in order, or why it says nothing yet."""
    if isinstance(seen, NoLook):
        return seen
    order = list(candidates) if len(candidates) > 1 else [*candidates, OPPONENTS]
    pairs = {frozenset((pair.better, pair.worse)): pair for pair in seen.pairs}
    compared = tuple(_measured(pairs[frozenset(two)], two) for two in combinations(order, 2))
    return Answer(seen.sessions, seen.cycles, margin, seen.settled, compared)


def _measured(pair: Pair, two: tuple[str, str]) -> Measured:
    first = pair.better == two[0]
    # Adding 0.0 turns -0.0 into 0.0.
    difference = (pair.difference if first else -pair.difference) + 0.0
    low, high = (pair.low, pair.high) if first else (-pair.high, -pair.low)
    outcome = {
        Verdict.AHEAD: Outcome.BETTER if first else Outcome.WORSE,
        Verdict.LEVEL: Outcome.LEVEL,
        Verdict.OPEN: Outcome.OPEN,
    }[pair.verdict]
    return Measured(*two, difference, low, high, pair.se, outcome, pair.more_sessions)


def _two_sides(session: SessionResult, candidate: str, seats: int) -> SessionResult:
    """Return the session with the points of all opponents added up."""
    mine, charged = session.card_points[candidate], session.fault_points.get(candidate, 0)
    return SessionResult(
        session.cycle,
        session.index,
        session.rounds,
        {candidate: mine, OPPONENTS: sum(session.card_points.values()) - mine},
        {candidate: charged, OPPONENTS: sum(session.fault_points.values()) - charged},
        {OPPONENTS: (seats - 1) * session.rounds},
    )
