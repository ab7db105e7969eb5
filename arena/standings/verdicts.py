"""Gives always-valid verdicts: which bots are surely ahead, which ranks can be claimed, what is settled.

Unlike the ± beside the scores, verdicts may be read after every cycle: the chance of any error, over all
looks and pairs together, stays near 5 %. It must not use a session of an unfinished cycle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations, pairwise
from math import ceil, isinf

from arena.standings.boundary import boundary, error_of_pair
from arena.standings.fit import Fit
from arena.standings.fit_any import fit_any
from arena.standings.form import LEAST_CYCLES
from arena.standings.letters import letters
from arena.standings.needed import Measured, Missing
from arena.standings.paired_means import is_gauntlet
from arena.standings.results import SessionResult
from arena.standings.table import SAME_SCORE, Plan, by_points

MIN_SESSIONS = 30
"""Sessions of complete cycles that a look needs."""
MIN_SESSIONS_A_BOT = 16
"""Sessions of each bot that a look needs.

With 12 sessions a bot, false separations were measured at 5-9 %; with 18, at 0.5-1.3 %.
"""

Fitting = Callable[[Collection[SessionResult], Collection[str]], Fit]
"""Makes the fit of some sessions and the bots of a field."""


class Verdict(Enum):
    """What is known of two bots."""

    AHEAD = "ahead"  # the one with fewer points is surely better
    LEVEL = "level"  # their difference is surely within the margin
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two bots compared: `better` has fewer points, or stands first if they are equal.

    `difference` >= 0 and its standard error `se` are in points a round. `missing`: for an open pair, what
    is missing until it is decided.
    """

    better: str
    worse: str
    difference: float
    se: float
    verdict: Verdict
    missing: Missing | None

    @property
    def more_sessions(self) -> int | None:
        """Return for an open pair about how many more sessions decide it if the difference stays as it is.

        None for other pairs, and if that is not within reach (see `needed`).
        """
        # Computed when asked: a field of 300 bots has 45,000 pairs, of which a few are shown.
        return None if self.missing is None else self.missing.sessions


@dataclass(frozen=True, slots=True)
class Look:
    """The verdicts after a complete cycle.

    `cycles` and `sessions` (t): how many it is based on; `boundary`: u(t); `bots`: best first by the `fit`
    of these sessions; `pairs`: in that order; `ranks`: lowest and highest possible rank of each bot;
    `letters`: of each bot.
    """

    cycles: int
    sessions: int
    boundary: float
    bots: tuple[str, ...]
    pairs: tuple[Pair, ...]
    ranks: Mapping[str, tuple[int, int]]
    letters: Mapping[str, tuple[str, ...]]
    fit: Fit

    @property
    def open_neighbours(self) -> tuple[Pair, ...]:
        """Return the pairs next to each other in the order of scores that are neither ahead nor level."""
        neighbours = set(pairwise(self.bots))
        return tuple(
            pair
            for pair in self.pairs
            if (pair.better, pair.worse) in neighbours and pair.verdict is Verdict.OPEN
        )

    @property
    def settled(self) -> bool:
        """Return whether every pair of neighbours is ahead or level, by this look alone."""
        return not self.open_neighbours


@dataclass(frozen=True, slots=True)
class NoLook:
    """Why there are no verdicts (yet), in words."""

    reason: str


def look(
    sessions: Iterable[SessionResult],
    ranked: Sequence[str],
    seats: int,
    plan: Plan,
    margin: float,
    starters: int | None = None,
) -> Look | NoLook:
    """Compare the `ranked` bots by the leading complete cycles of `plan`.

    `ranked`: entrants that are neither house bots nor disqualified, in the season's order. `margin`: points
    within which two bots count as level. `starters`: ranked entrants when the season began (default: now).
    It fixes the share of error of a pair, whoever is disqualified later. House bots, stand-in and
    disqualified bots take part in the fit of the sessions they sat in.
    """

    def fitting(complete: Collection[SessionResult], field: Collection[str]) -> Fit:
        return fit_any(complete, field, seats)

    return look_with(fitting, sessions, ranked, plan, margin, starters)


def look_with(
    fitting: Fitting,
    sessions: Iterable[SessionResult],
    ranked: Sequence[str],
    plan: Plan,
    margin: float,
    starters: int | None = None,
) -> Look | NoLook:
    """Do what `look` does, for callers with their own way to fit sessions, or with a fit at hand."""
    started = len(ranked) if starters is None else starters
    if len(ranked) < 2 or started < 2:
        return NoLook("there is only one bot, so there is nothing to compare")
    cycles, complete = complete_cycles(sessions, plan)
    reason = too_early(complete, ranked, 1 if any(map(is_gauntlet, complete)) else LEAST_CYCLES)
    if reason:
        return NoLook(reason)
    field = {bot for session in complete for bot in session.card_points}.union(ranked)
    result = fitting(complete, field)
    if not result.intervals:
        return NoLook("the bots have not met often enough to be compared")
    return judged(cycles, result, ranked, error_of_pair(started), margin)


def judged(cycles: int, result: Fit, ranked: Sequence[str], error: float, margin: float) -> Look | NoLook:
    """Compare every pair of `ranked` at the share `error` of a pair, and derive ranks and letters.

    `result`: the fit, which has intervals, of the sessions of so many complete `cycles`. There is no look
    while the form of the bots varies too much for so few cycles.
    """
    # The boundary holds at all looks together, so their number is not corrected for. The number of pairs
    # is: `error` is the share of one pair.
    critical = boundary(result.session_count, error, result.doubt)
    if isinf(critical):
        return NoLook(f"form varies from cycle to cycle, too much to compare bots after {cycles:,} cycles")
    bots = tuple(by_points(ranked, {bot: result.scores[bot] for bot in ranked}))
    pairs = tuple(_compare(result, two, (critical, error), margin) for two in combinations(bots, 2))
    ahead = {(pair.better, pair.worse) for pair in pairs if pair.verdict is Verdict.AHEAD}
    return Look(
        cycles=cycles,
        sessions=result.session_count,
        boundary=critical,
        bots=bots,
        pairs=pairs,
        ranks=rank_intervals(bots, ahead),
        letters=letters(bots, lambda a, b: (a, b) in ahead or (b, a) in ahead),
        fit=result,
    )


def cycles_to_first_look(sessions: int, of_each: int, form: bool = True) -> int:
    """Return how many complete cycles the first verdicts need.

    `sessions`: of a cycle. `of_each`: the sessions of a cycle in which each ranked bot sits. `form`:
    whether it is looked at how the scores move from cycle to cycle, see `Fit.form`.
    """
    least = LEAST_CYCLES if form else 1
    return max(least, ceil(MIN_SESSIONS / sessions), ceil(MIN_SESSIONS_A_BOT / of_each))


def complete_cycles(sessions: Iterable[SessionResult], plan: Plan) -> tuple[int, list[SessionResult]]:
    """Return how many leading cycles are complete, and their sessions.

    A later cycle does not count while an earlier one is unfinished, so the look does not depend on which
    sessions ran side by side. Sessions that the plan leaves out are not waited for.
    """
    played = list(sessions)
    over = plan.over(played)
    cycles = 0
    while 0 < plan.sessions_in(cycles) <= over[cycles]:
        cycles += 1
    return cycles, [s for s in played if s.cycle < cycles and s.key not in plan.left_out]


def too_early(complete: list[SessionResult], ranked: Collection[str], least: int = 1) -> str:
    """Return why these sessions are too few for a look; empty if they are enough.

    `least`: the cycles that it needs: more than one where it matters how scores move from cycle to cycle.
    """
    cycles = len({session.cycle for session in complete})
    played = Counter(bot for session in complete for bot in session.card_points)
    fewest = min(played[bot] for bot in ranked)
    if len(complete) >= MIN_SESSIONS and fewest >= MIN_SESSIONS_A_BOT:
        return "" if cycles >= least else too_few_cycles(least, cycles)
    return (
        f"verdicts need {MIN_SESSIONS} sessions of complete cycles and {MIN_SESSIONS_A_BOT} of every "
        f"bot; so far there are {len(complete)} and {fewest}"
    )


def too_few_cycles(least: int, found: int) -> str:
    """Return that verdicts need at least so many complete cycles."""
    return (
        f"verdicts need {least} complete cycles; so far there is {found:,}"
        if found == 1
        else f"verdicts need {least} complete cycles; so far there are {found:,}"
    )


def _compare(result: Fit, two: tuple[str, str], bound: tuple[float, float], margin: float) -> Pair:
    """Return the verdict on two bots, given in the order of their scores.

    `bound`: the boundary, and the share of error of a pair.
    """
    better, worse = two
    critical, error = bound
    difference = result.scores[worse] - result.scores[better]
    if difference <= SAME_SCORE:
        difference = 0.0
    se = result.verdict_se(better, worse) or 0.0
    reach = critical * se
    missing = None
    if difference > reach:
        verdict = Verdict.AHEAD
    elif difference + reach <= margin:
        verdict = Verdict.LEVEL
    else:
        verdict = Verdict.OPEN
        missing = Missing(Measured(difference, se, result.session_count, error, result.doubt), margin)
    return Pair(better, worse, difference, se, verdict, missing)


def rank_intervals(
    bots: tuple[str, ...], ahead: Collection[tuple[str, str]], places: int | None = None
) -> dict[str, tuple[int, int]]:
    """Return the possible ranks: [1 + surely better, `places` - surely worse]; as many places as bots.

    Disqualified bots stand last and count as surely worse.
    """
    better = Counter(worse for __, worse in ahead)
    worse = Counter(better for better, __ in ahead)
    last = len(bots) if places is None else places
    return {bot: (1 + better[bot], last - worse[bot]) for bot in bots}
