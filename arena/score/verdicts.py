"""Gives always-valid verdicts: who is surely ahead, which ranks can be claimed, what is settled.

Unlike the ± beside the scores, verdicts may be read after every cycle: the chance of any error, over all
looks and pairs together, stays near 5 %. The pairs share it by Holm's step-down ("A simple sequentially
rejective multiple test procedure", 1979): a pair whose order is claimed leaves its share to the others. That
holds at any number of looks: as long as no two equal bots ever cross the boundary of the pairs that are
left, none is claimed. It must not use a session of an unfinished cycle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import combinations, pairwise
from math import exp, expm1, inf, log, sqrt

from arena.score.counting import ENOUGH_SESSIONS, LEAST_CYCLES
from arena.score.entry_ids import version_of
from arena.score.fit import Fit
from arena.score.letters import letters
from arena.score.results import SessionResult
from arena.score.spread import NO_DOUBT, Doubt
from arena.score.table import SAME_SCORE, Plan, by_points

ERROR_RATE = 0.05
"""The chance of any false separation in a season, shared by all pairs."""
TUNED_FOR = 300
"""The sessions of a whole league at which the boundary is narrowest."""
TUNED_AT_LEAST, TUNED_AT_MOST = 32.0, 200.0
"""Limits of that in sessions of each of two bots."""
FIRST_VERSION = 0.8
"""The share of the error that the first version of a bot has in an open season; later ones share the rest."""
MOST_SESSIONS_NEEDED = 100_000
"""The most further sessions that are called within reach. Hardly a league plays more in its life."""

LETTERS_UP_TO = 40
"""The number of bots up to which those that cannot be told apart share letters; more are put into groups."""


class Verdict(Enum):
    """What is known of two bots."""

    AHEAD = "ahead"  # the one with fewer points is surely better
    LEVEL = "level"  # their difference is surely within the margin
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is known of the difference of two bots, of which the first has fewer points.

    `difference`: points a round, 0 or more; `variance`: of it, with its `doubt`; `clock`: the sessions that
    it rests on. `margin`: points within which both count as level. `tuned`: the sessions at which its
    boundary is narrowest.
    """

    better: str
    worse: str
    difference: float
    variance: float
    clock: float
    margin: float
    doubt: Doubt = NO_DOUBT
    tuned: float = TUNED_AT_MOST

    @property
    def se(self) -> float:
        """Return the standard error of the difference."""
        return sqrt(self.variance)

    def reach(self, error: float, times: float = 1.0) -> float:
        """Return half the length of the always-valid interval of the difference; infinite without one.

        `times`: when so many times as many sessions have been played as now.
        """
        doubt = self.doubt if times == 1.0 else self.doubt.later(times)
        return boundary(self.clock * times, error, doubt, self.tuned) * sqrt(self.variance / times)

    def verdict(self, error: float, times: float = 1.0) -> Verdict:
        """Return what may be claimed at this error, if difference and spread stay as they are."""
        # No boundary is lower than sqrt(2 ln(1/error)), which decides most pairs of a large field.
        near = self.difference * self.difference * times <= 2.0 * log(1.0 / error) * self.variance
        if near and self.difference > self.margin:
            return Verdict.OPEN
        reach = self.reach(error, times)
        if self.difference > reach:
            return Verdict.AHEAD
        return Verdict.LEVEL if self.difference + reach <= self.margin else Verdict.OPEN


@dataclass(frozen=True, slots=True)
class Pair:
    """Two bots compared: `better` has fewer points, stands first if they are equal, or was called ahead.

    `difference` and its standard error `se` are in points a round. `low`, `high`: the always-valid interval
    of the difference, at the `error` of the pair.
    """

    better: str
    worse: str
    difference: float
    se: float
    low: float
    high: float
    verdict: Verdict
    error: float
    seen: Comparison

    @property
    def more_sessions(self) -> int | None:
        """Return for an open pair about how many more sessions decide it if the difference stays as it is.

        None for other pairs, and if that is not within reach. It claims nothing.
        """
        # Computed when asked: a field of 300 bots has 45,000 pairs, of which a few are shown.
        return None if self.verdict is not Verdict.OPEN else _sessions_needed(self.seen, self.error)


@dataclass(frozen=True, slots=True)
class Look:
    """The verdicts after a complete cycle.

    `cycles` and `sessions`: how many it is based on; `bots`: those compared, best first by the `fit` of
    these sessions; `pairs`: in that order; `ranks`: lowest and highest possible rank of each bot; `letters`:
    of each bot. `waiting`: the ranked ones that are not compared, sorted, because they have too few counted
    sessions. `final`: whether nobody can come any more, so that a settled league stays so.
    """

    cycles: int
    sessions: int
    bots: tuple[str, ...]
    pairs: tuple[Pair, ...]
    ranks: Mapping[str, tuple[int, int]]
    letters: Mapping[str, tuple[str, ...]]
    fit: Fit
    waiting: tuple[str, ...] = ()
    final: bool = True

    @property
    def open_neighbours(self) -> tuple[Pair, ...]:
        """Return the pairs next to each other in the order of scores that are neither ahead nor level."""
        neighbours = {frozenset(two) for two in pairwise(self.bots)}
        return tuple(
            pair
            for pair in self.pairs
            if pair.verdict is Verdict.OPEN and frozenset((pair.better, pair.worse)) in neighbours
        )

    @property
    def settled(self) -> bool:
        """Return whether every pair of neighbours is ahead or level, and nobody waits or may come."""
        return self.final and not self.waiting and not self.open_neighbours

    @property
    def ahead(self) -> frozenset[tuple[str, str]]:
        """Return the pairs (better, worse) whose order is claimed."""
        return frozenset((p.better, p.worse) for p in self.pairs if p.verdict is Verdict.AHEAD)

    @property
    def in_groups(self) -> bool:
        """Return whether groups are shown and not letters: among hundreds each bot has tens of letters."""
        return len(self.bots) > LETTERS_UP_TO

    @property
    def groups(self) -> tuple[tuple[str, ...], ...]:
        """Return the bots in groups, best first: within a group nobody is surely ahead of anybody.

        Bots are taken in the order of their scores. One that somebody of the group is surely ahead of begins
        the next group. So the first bot of each group is surely behind a bot of the group before, but others
        of both groups may well be equally strong.
        """
        ahead, found = self.ahead, list[list[str]]()
        for bot in self.bots:
            if found and not any((other, bot) in ahead for other in found[-1]):
                found[-1].append(bot)
            else:
                found.append([bot])
        return tuple(map(tuple, found))

    @property
    def protected(self) -> bool:
        """Return whether form from cycle to cycle is allowed for."""
        return self.fit.protected


@dataclass(frozen=True, slots=True)
class NoLook:
    """Why there are no verdicts (yet), in words."""

    reason: str


def look(
    result: Fit,
    ranked: Sequence[str],
    cycles: int,
    margin: float,
    *,
    began: int | None = None,
    claimed: Collection[tuple[str, str]] = (),
    final: bool = True,
) -> Look | NoLook:
    """Compare the `ranked` bots by the fit of the leading complete `cycles`.

    `ranked`: entrants that are neither house bots nor excluded, in the season's order. `margin`: points
    within which two bots count as level. `began`: how many bots began, whose pairs share the error (default:
    the ranked ones); `claimed`: the orders that were claimed before, which stand. `final`: see `Look`.
    """
    if len(ranked) < 2:
        return NoLook("there is only one bot, so there is nothing to compare")
    if cycles < LEAST_CYCLES:
        there = "there is" if cycles == 1 else "there are"
        return NoLook(f"verdicts need {LEAST_CYCLES} complete cycles; so far {there} {cycles:,}")
    if not result.comparable:
        return NoLook("the bots have not met often enough to be compared")
    ready = [bot for bot in ranked if bot in result.bots and result.sessions[bot] >= ENOUGH_SESSIONS]
    if len(ready) < 2:
        second = sorted(result.sessions.get(bot, 0) for bot in ranked)[-2]
        return NoLook(
            f"verdicts need {ENOUGH_SESSIONS} sessions of each of two bots; so far no two have more than "
            f"{second}"
        )
    bots = by_points(ready, {bot: result.scores[bot] for bot in ready})
    field = len(ranked) if began is None else began
    tuned = min(TUNED_AT_MOST, max(TUNED_AT_LEAST, TUNED_FOR * result.seats / field))
    compared = [_compare(result, two, margin, tuned) for two in combinations(bots, 2)]
    if all(one.doubt.ratio > 1.0 and one.reach(ERROR_RATE) == inf for one in compared):
        return NoLook(f"form varies from cycle to cycle, too much to compare bots after {cycles:,} cycles")
    return judge(cycles, result, bots, compared, field * (field - 1) // 2, claimed, ranked, final)


def judge(
    cycles: int,
    result: Fit,
    bots: Sequence[str],
    compared: Sequence[Comparison],
    pairs: int,
    claimed: Collection[tuple[str, str]] = (),
    ranked: Sequence[str] = (),
    final: bool = True,
    error: float | None = None,
) -> Look:
    """Give the verdicts of so many `pairs` that share the error, and derive ranks and letters.

    `bots`: best first. `error`: that of each pair, where it is shared in another way.
    """
    judged = tuple(_judged(compared, pairs, frozenset(claimed), error))
    ahead = {(pair.better, pair.worse) for pair in judged if pair.verdict is Verdict.AHEAD}
    return Look(
        cycles=cycles,
        sessions=result.session_count,
        bots=tuple(bots),
        pairs=judged,
        ranks=rank_intervals(tuple(bots), ahead, max(len(bots), len(ranked))),
        letters=letters(bots, lambda a, b: (a, b) in ahead or (b, a) in ahead),
        fit=result,
        waiting=tuple(sorted(set(ranked).difference(bots))),
        final=final,
    )


def _compare(result: Fit, two: tuple[str, str], margin: float, tuned: float) -> Comparison:
    """Return what is known of two bots, given in the order of their scores."""
    better, worse = two
    difference = result.scores[worse] - result.scores[better]
    variance, doubt = result.of_verdict(better, worse)
    clock = 2.0 / (1.0 / result.sessions[better] + 1.0 / result.sessions[worse])
    if difference <= SAME_SCORE:
        difference = 0.0
    return Comparison(better, worse, difference, variance, clock, margin, doubt, tuned)


def _judged(
    compared: Sequence[Comparison], pairs: int, claimed: frozenset[tuple[str, str]], error: float | None
) -> Iterator[Pair]:
    """Yield the verdict on each pair, by Holm's step-down unless each has an `error` of its own."""
    ahead = set(claimed)
    left = max(1, pairs - len(claimed))
    waiting = [one for one in compared if not {(one.better, one.worse), (one.worse, one.better)} & ahead]
    while error is None:
        found = [one for one in waiting if one.verdict(_share(one, left)) is Verdict.AHEAD]
        if not found:
            break
        ahead |= {(one.better, one.worse) for one in found}
        waiting = [one for one in waiting if (one.better, one.worse) not in ahead]
        left = max(1, left - len(found))
    for one in compared:
        own = _share(one, left) if error is None else error
        reach = one.reach(own)
        low, high = one.difference - reach, one.difference + reach
        if (one.worse, one.better) in ahead:  # it was claimed before, and stands
            order, ends = (one.worse, one.better), (-high, -low)
            yield Pair(*order, -one.difference, one.se, *ends, Verdict.AHEAD, own, one)
            continue
        verdict = Verdict.AHEAD if (one.better, one.worse) in ahead else one.verdict(own)
        yield Pair(one.better, one.worse, one.difference, one.se, low, high, verdict, own, one)


def _share(one: Comparison, left: int) -> float:
    """Return the error of a pair where so many pairs share what is left of it."""
    return ERROR_RATE / left * _of_version(one.better) * _of_version(one.worse)


@lru_cache(maxsize=4096)  # a pair is asked for several times, and a bot is in many
def _of_version(entry: str) -> float:
    """Return the share of a bot's error that this version of it has, 1 in a closed season.

    The shares of all versions that the bot may ever have add up to 1. So somebody who enters a program again
    and again has no better chance to be lucky once.
    """
    version = version_of(entry)
    if "@" not in entry:
        return 1.0
    return FIRST_VERSION if version == 1 else (1.0 - FIRST_VERSION) / (version * (version - 1))


def boundary(sessions: float, error: float, doubt: Doubt = NO_DOUBT, tuned: float = TUNED_AT_MOST) -> float:
    """Return u(t): the standard errors that a difference must exceed at t sessions.

    If two bots are equal, their difference exceeds it at any t with a chance of at most `error`. This is the
    normal-mixture boundary of Robbins (1970), tuned to be narrowest near T = `tuned` sessions as in
    Waudby-Smith et al., Time-uniform central limit theory and asymptotic confidence sequences: u = sqrt(2
    (tr + 1)/(tr) ln(sqrt(tr + 1)/a)), a the error, r = (-2 ln a + ln(1 - 2 ln a))/T.

    A ratio above 1 has `doubt`. Then the mixture is that of Student's t (Lai, "On confidence sequences",
    1976) with nu = q (rho/(rho - 1))^2 degrees of freedom: g = 1 + tr, K = (sqrt(g)/a)^(2/(nu + 1)) and
    u^2 = nu (K - 1)/(1 - K/g). It is infinite where K >= g: then nothing can be claimed yet.
    """
    rate = (-2.0 * log(error) + log(1.0 - 2.0 * log(error))) / tuned
    weight = sessions * rate
    evidence = log(sqrt(weight + 1.0) / error)
    if doubt.ratio <= 1.0:
        return sqrt(2.0 * (weight + 1.0) / weight * evidence)
    freedom = doubt.freedom * (doubt.ratio / (doubt.ratio - 1.0)) ** 2
    power = 2.0 * evidence / (freedom + 1.0)
    below = 1.0 - exp(power) / (weight + 1.0) if power < log(weight + 1.0) else 0.0
    return sqrt(freedom * expm1(power) / below) if below > 0.0 else inf


def _sessions_needed(seen: Comparison, error: float) -> int | None:
    """Return the fewest more sessions after which the pair is decided if difference and spread stay.

    None if that takes more than `MOST_SESSIONS_NEEDED`.
    """

    def is_decided(more: int) -> bool:
        return seen.verdict(error, 1.0 + more / seen.clock) is not Verdict.OPEN

    undecided, decided = 0, MOST_SESSIONS_NEEDED
    if not is_decided(decided):
        return None
    # The interval shrinks with the sessions, so bisection finds the first that decides.
    while decided - undecided > 1:
        middle = (decided + undecided) // 2
        undecided, decided = (undecided, middle) if is_decided(middle) else (middle, decided)
    return decided


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


def rank_intervals(
    bots: tuple[str, ...], ahead: Collection[tuple[str, str]], places: int | None = None
) -> dict[str, tuple[int, int]]:
    """Return the possible ranks: [1 + surely better, `places` - surely worse]; as many places as bots.

    Excluded bots stand last and count as surely worse.
    """
    better = Counter(worse for _, worse in ahead)
    worse = Counter(better for better, _ in ahead)
    last = len(bots) if places is None else places
    return {bot: (1 + better[bot], last - worse[bot]) for bot in bots}
