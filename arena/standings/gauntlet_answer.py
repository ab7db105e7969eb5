"""Answers a gauntlet: how each candidate compares with the others, always valid, and what is missing.

The interval of a difference is d ± u(t) se with the boundary of `boundary`. It may be read after every
cycle: in all but about 5 % of gauntlets, all intervals together contain the truth. A candidate is *better*
when the interval lies above 0, *level* when it lies within the margin, else the pair is *open*. It has no
sentences: these are in `gauntlet_words`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations

from arena.standings.boundary import error_of_pair
from arena.standings.paired_means import paired_means
from arena.standings.results import SessionResult
from arena.standings.table import Plan
from arena.standings.verdicts import (
    Look,
    NoLook,
    Pair,
    Verdict,
    complete_cycles,
    judged,
    too_early,
)

OPPONENTS = "opponents"
"""The name of all opponents together, where a single candidate is compared with them."""


class Outcome(Enum):
    """What is known of the first of two candidates."""

    BETTER = "better"
    WORSE = "worse"
    LEVEL = "level"  # the difference is surely within the margin
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Comparison:
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
    open. `margin`: points within which candidates count as level.
    """

    sessions: int
    cycles: int
    margin: float
    settled: bool
    comparisons: tuple[Comparison, ...]

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


@dataclass(frozen=True, slots=True)
class Gap:
    """Points a round by which `first` was better so far. It claims nothing. `sessions`: complete ones."""

    first: str
    second: str
    difference: float
    sessions: int


def gaps(sessions: Sequence[SessionResult], candidates: Sequence[str], seats: int) -> list[Gap]:
    """Return how every two candidates differ in their means; a single one is compared with its opponents."""
    if len(candidates) == 1:
        order: list[str] = [*candidates, OPPONENTS]
        field = set(order)
        played = [_two_sides(session, order[0], seats) for session in sessions]
    else:
        order, played = list(candidates), list(sessions)
        field = {bot for session in played for bot in session.card_points}.union(order)
    scores = paired_means(played, field, seats).scores
    known = [bot for bot in order if bot in scores]
    return [Gap(a, b, scores[b] - scores[a], len(played)) for a, b in combinations(known, 2)]


def answer(seen: Look | NoLook, candidates: Sequence[str], margin: float) -> Answer | NoLook:
    """Return what a look at a gauntlet says of its candidates, given in order, or why it says nothing yet.

    With one candidate the look is that of `look_at_one`.
    """
    if isinstance(seen, NoLook):
        return seen
    order = list(candidates) if len(candidates) > 1 else [*candidates, OPPONENTS]
    pairs = {frozenset((pair.better, pair.worse)): pair for pair in seen.pairs}
    compared = tuple(
        _compared(pairs[frozenset(two)], two, seen)
        for two in combinations([bot for bot in order if bot in seen.bots], 2)
    )
    return Answer(seen.sessions, seen.cycles, margin, seen.settled, compared)


def look_at_one(
    sessions: Iterable[SessionResult], candidate: str, seats: int, plan: Plan, margin: float
) -> Look | NoLook:
    """Compare a single candidate with the mean of its opponents, all seats beside it together."""
    cycles, complete = complete_cycles(sessions, plan)
    reason = too_early(complete, [candidate])
    if reason:
        return NoLook(reason)
    sides = (candidate, OPPONENTS)
    result = paired_means([_two_sides(session, candidate, seats) for session in complete], sides, seats)
    # Two sides are one pair, which has the whole error rate.
    return judged(cycles, result, sides, error_of_pair(2), margin)


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


def _compared(pair: Pair, two: tuple[str, str], seen: Look) -> Comparison:
    sign = 1.0 if pair.better == two[0] else -1.0
    # Adding 0.0 turns -0.0 into 0.0.
    difference, reach = sign * pair.difference + 0.0, seen.boundary * pair.se
    outcome = {
        Verdict.AHEAD: Outcome.BETTER if sign > 0 else Outcome.WORSE,
        Verdict.LEVEL: Outcome.LEVEL,
        Verdict.OPEN: Outcome.OPEN,
    }[pair.verdict]
    low, high = difference - reach, difference + reach
    return Comparison(*two, difference, low, high, pair.se, outcome, pair.more_sessions)
