"""Gives verdicts on a changing field: each pair of entries has a clock of its own.

What is claimed holds for the table that is shown: with some chance that is at most about 5 %, any pair of it
is called in the wrong order. A verdict may lapse, when sessions stop counting because rivals have left, so
nothing is ever settled. It must not use a session of an unfinished cycle.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isinf

from arena.standings.boundary import TUNED_FOR_PAIRS, boundary, error_of_pair
from arena.standings.entry_ids import version_of
from arena.standings.form import LEAST_CYCLES
from arena.standings.letters import letters
from arena.standings.needed import Measured, Missing
from arena.standings.open_field import ENOUGH_SESSIONS, OpenFit, open_fit
from arena.standings.results import SessionResult
from arena.standings.table import SAME_SCORE, Plan, by_points
from arena.standings.verdicts import (
    Look,
    NoLook,
    Pair,
    Verdict,
    complete_cycles,
    rank_intervals,
    too_few_cycles,
)


@dataclass(frozen=True, slots=True)
class OpenLook(Look):
    """The verdicts on a changing field after a cycle.

    `bots`: the ranked entries that are compared, best first; `waiting`: the ranked ones that are not, sorted,
    because they have fewer than 16 counted sessions or no score. `ranks` are places among all of them.
    `boundary`: the least of all pairs. In an open pair, `more_sessions` are those of each of the two.
    `protected`: whether form from cycle to cycle is allowed for. If not, the table says "not protected
    against drift".
    """

    waiting: tuple[str, ...]
    protected: bool

    @property
    def settled(self) -> bool:
        """Return False: whoever comes may open any pair again."""
        return False


def share_of_versions(one: str, other: str) -> float:
    """Return the share of the error of two bots that these versions of theirs have: 1/(v(v+1)w(w+1)).

    The shares of all versions that the bots may ever have add up to 1. So somebody who enters a program
    again and again has no better chance to be lucky once.
    """
    v, w = version_of(one), version_of(other)
    return 1.0 / (v * (v + 1) * w * (w + 1))


def open_look(
    sessions: Iterable[SessionResult],
    field_: Sequence[str],
    ranked: Sequence[str],
    seats: int,
    plan: Plan,
    margin: float,
) -> OpenLook | NoLook:
    """Compare the `ranked` entries of the field by the leading complete cycles of `plan`.

    `field_`: all entries now in it, with house bots; `ranked`: those that have a rank, in the season's order.
    `margin`: points within which two entries count as level. A catch-up block counts as a cycle.
    """
    cycles, complete = complete_cycles(sessions, plan)
    if cycles < LEAST_CYCLES:
        return NoLook(too_few_cycles(LEAST_CYCLES, cycles))
    return open_judged(cycles, open_fit(complete, field_, seats), ranked, margin)


def _too_few_ready(ready: int, ranked: int) -> str:
    if not ready:
        return (
            f"verdicts need {ENOUGH_SESSIONS} counted sessions of two entries; so far none of "
            f"{ranked} has so many"
        )
    return (
        f"verdicts need {ENOUGH_SESSIONS} counted sessions of two entries; so far {ready} of "
        f"{ranked} has so many"
    )


def open_judged(
    cycles: int, result: OpenFit, ranked: Sequence[str], margin: float, error: float | None = None
) -> OpenLook | NoLook:
    """Compare every pair of `ranked` that has enough sessions, and derive ranks and letters.

    `result`: the fit of the sessions of so many complete `cycles`. `error`: that of two bots; by default 5 %
    divided by the number of pairs of the ranked entries.
    """
    if len(ranked) < 2:
        return NoLook("there is only one entry, so there is nothing to compare")
    if not result.intervals:
        return NoLook("the entries have not met often enough to be compared")
    ready = [
        entry
        for entry in ranked
        if entry in result.counted.present and result.sessions[entry] >= ENOUGH_SESSIONS
    ]
    if len(ready) < 2:
        return NoLook(_too_few_ready(len(ready), len(ranked)))
    each = error_of_pair(len(ranked)) if error is None else error
    bots = tuple(by_points(ready, {entry: result.scores[entry] for entry in ready}))
    judged = [_compare(result, two, each, margin) for two in combinations(bots, 2)]
    pairs = tuple(pair for pair, __ in judged)
    ahead = {(pair.better, pair.worse) for pair in pairs if pair.verdict is Verdict.AHEAD}
    return OpenLook(
        cycles=cycles,
        sessions=result.session_count,
        boundary=min(critical for __, critical in judged),
        bots=bots,
        pairs=pairs,
        ranks=rank_intervals(bots, ahead, len(ranked)),
        letters=letters(bots, lambda a, b: (a, b) in ahead or (b, a) in ahead),
        fit=result,
        waiting=tuple(sorted(set(ranked).difference(ready))),
        protected=result.protected,
    )


def _compare(result: OpenFit, two: tuple[str, str], error: float, margin: float) -> tuple[Pair, float]:
    """Return the verdict on two entries, given in the order of their scores, and their boundary."""
    better, worse = two
    difference = result.scores[worse] - result.scores[better]
    if difference <= SAME_SCORE:
        difference = 0.0
    own, clock, doubt = error * share_of_versions(*two), result.clock(*two), result.doubt_of(*two)
    critical = boundary(clock, own, doubt, TUNED_FOR_PAIRS)
    se = result.verdict_se(*two) or 0.0
    seen = Measured(difference, se, int(clock), own, doubt, TUNED_FOR_PAIRS)
    if isinf(critical):  # form varies too much for so few cycles, even where the scores do not
        return Pair(better, worse, difference, se, Verdict.OPEN, Missing(seen, margin)), critical
    reach = critical * se
    if difference > reach:
        return Pair(better, worse, difference, se, Verdict.AHEAD, None), critical
    if difference + reach <= margin:
        return Pair(better, worse, difference, se, Verdict.LEVEL, None), critical
    return Pair(better, worse, difference, se, Verdict.OPEN, Missing(seen, margin)), critical
