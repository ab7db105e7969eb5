"""Builds the leaderboard from session results, as plain data for pages and exports.

It must not claim that a rank is sure (that is `verdicts`) and must not format numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from arena.standings.fit import Fit
from arena.standings.fit_any import fit_any
from arena.standings.results import SessionResult

SAME_SCORE = 1e-9
"""Points. Scores nearer than this are equal: the difference is a rounding error."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the leaderboard. Points are per round; fewer are better.

    `rank` counts from 1, ties share the better one (1, 1, 3); house bots, disqualified bots (withdrawn
    ones are scored like them) and bots without a session have none. `score` = `fap` + `charge`; all three
    are None without a session. `half_width` is the ± of the score, a 95 % interval valid for one look at
    the end. `standard_error` is that of the jackknife over sessions. Both are None
    without intervals.
    """

    bot: str
    rank: int | None
    score: float | None
    fap: float | None
    charge: float | None
    half_width: float | None
    standard_error: float | None
    sessions: int
    rounds: int
    house: bool
    disqualified: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What a league is to play: `cycles` of `sessions_per_cycle` each.

    `left_out`: sessions (cycle, index) that will never count, because they are void or were aborted three
    times. A cycle does not wait for them. `sizes`: the sessions of cycles that have another number of them,
    because bots left the field; 0 if too few were left to play.
    """

    sessions_per_cycle: int
    cycles: int
    left_out: frozenset[tuple[int, int]] = frozenset()
    sizes: Mapping[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a plan without sessions."""
        if self.sessions_per_cycle < 1 or self.cycles < 1:
            found = f"{self.cycles} cycles of {self.sessions_per_cycle}"
            raise ValueError(f"a plan has at least one cycle of one session, not {found}")

    def sessions_in(self, cycle: int) -> int:
        """Return the number of sessions of a cycle."""
        return self.sizes.get(cycle, self.sessions_per_cycle)

    def over(self, sessions: Iterable[SessionResult]) -> Counter[int]:
        """Return how many sessions of each cycle are over, if `sessions` are the complete ones."""
        return Counter(cycle for cycle, __ in {session.key for session in sessions} | self.left_out)


@dataclass(frozen=True, slots=True)
class Standings:
    """The leaderboard of a league.

    `rows`: fewest points first, then bots without a session, then the disqualified; `house`: house bots and
    stand-in, in the same order. `par`: an average bot's score without faults. While not `comparable`,
    scores are plain means and ranks only their order: the page says "not yet comparable". `provisional`: a
    phrase such as "provisional, cycle 3 at 60 %", None at the end of the plan or without one. `fit` has the
    covariance and the standard errors of pairs. `retired`: who has left a changing field, in the same order.
    """

    rows: tuple[Standing, ...]
    house: tuple[Standing, ...]
    par: float
    comparable: bool
    intervals: bool
    provisional: str | None
    fit: Fit
    retired: tuple[Standing, ...] = ()


def standings(
    sessions: Iterable[SessionResult],
    entrants: Sequence[str],
    seats: int,
    *,
    house: Collection[str] = (),
    disqualified: Collection[str] = (),
    departed: Collection[str] = (),
    plan: Plan | None = None,
) -> Standings:
    """Build the leaderboard from all complete sessions.

    `entrants`: the ids of all bots of the field in the season's order (which only orders ties), with house
    bots and disqualified ones, and with the stand-in from its first session on. `departed`: those that left
    the field; what they played counts, and the others average par. Raises ValueError for an id in `house` or
    `disqualified` that is no entrant or an entrant named twice, SessionResultError for
    sessions that do not belong together.
    """
    played = list(sessions)
    _check(entrants, house, disqualified)
    seated = {bot for session in played for bot in session.card_points}
    # Who left before a single session of it was complete says nothing of anybody.
    fitted = [bot for bot in entrants if bot in seated or bot not in departed]
    result = fit_any(played, fitted, seats, departed=departed)
    ordered = by_points(entrants, {bot: result.scores[bot] for bot in entrants if bot in result.scores})
    ranked = [bot for bot in ordered if bot not in house and bot not in disqualified]
    last = [bot for bot in ordered if bot in disqualified and bot not in house]
    lines = Lines(result, ranks_of(ranked, result.scores), house, disqualified)
    return Standings(
        rows=lines.of([*ranked, *last]),
        house=lines.of([bot for bot in ordered if bot in house]),
        par=result.par,
        comparable=result.comparable,
        intervals=result.intervals,
        provisional=None if plan is None else progress(played, plan),
        fit=result,
    )


@dataclass(frozen=True, slots=True)
class Lines:
    """What every line of a leaderboard is made from."""

    fit: Fit
    ranks: Mapping[str, int]
    house: Collection[str]
    disqualified: Collection[str]

    def of(self, bots: Iterable[str]) -> tuple[Standing, ...]:
        """Return the lines of `bots`, in their order."""
        return tuple(map(self._line, bots))

    def _line(self, bot: str) -> Standing:
        return Standing(
            bot=bot,
            rank=self.ranks.get(bot),
            score=_unsigned_zero(self.fit.scores.get(bot)),
            fap=_unsigned_zero(self.fit.fap.get(bot)),
            charge=_unsigned_zero(self.fit.charge.get(bot)),
            half_width=self.fit.half_width(bot) if bot in self.fit.sessions else None,
            standard_error=self.fit.standard_error(bot) if bot in self.fit.sessions else None,
            sessions=self.fit.sessions.get(bot, 0),
            rounds=self.fit.rounds.get(bot, 0),
            house=bot in self.house,
            disqualified=bot in self.disqualified,
        )


def _unsigned_zero(points: float | None) -> float | None:
    """Return the points, and 0.0 for -0.0, which nobody wants to see in data."""
    return None if points is None else points + 0.0


def progress(sessions: Iterable[SessionResult], plan: Plan) -> str | None:
    """Return the progress of a league as a phrase beginning with "provisional"; None if the plan is complete.

    Cycles are counted from 1 here, as people do. The cycle named is the first incomplete one. Its share is
    rounded down, so an incomplete cycle is never at 100 %. Cycles beyond the plan do not count.
    """
    over = plan.over(sessions)
    for cycle in range(plan.cycles):
        count = over[cycle]
        if count >= plan.sessions_in(cycle):
            continue
        if count or not cycle:
            share = 100 * count // plan.sessions_in(cycle)
            return f"provisional, cycle {cycle + 1} at {share} %"
        return f"provisional, {cycle} of {plan.cycles} cycles"
    return None


def by_points(entrants: Sequence[str], scores: Mapping[str, float]) -> list[str]:
    """Return the bots, fewest points first; ties in the order of `entrants`, bots without a score last."""
    place = {bot: number for number, bot in enumerate(entrants)}
    groups = _tied(sorted(scores, key=lambda bot: scores[bot]), scores)
    ordered = [bot for group in groups for bot in sorted(group, key=lambda bot: place[bot])]
    return ordered + [bot for bot in entrants if bot not in scores]


def _check(entrants: Sequence[str], house: Collection[str], disqualified: Collection[str]) -> None:
    """Refuse lists of ids that contradict each other."""
    twice = sorted({bot for bot in entrants if entrants.count(bot) > 1})
    if twice:
        raise ValueError(f"entrants named twice: {', '.join(twice)}")
    for kind, ids in (("house bots", house), ("disqualified bots", disqualified)):
        strangers = sorted(set(ids) - set(entrants))
        if strangers:
            raise ValueError(f"{kind} that are no entrants: {', '.join(strangers)}")


def ranks_of(ordered: Sequence[str], scores: Mapping[str, float]) -> dict[str, int]:
    """Return 1, 1, 3 for bots already in order of points; none for those without a score."""
    ranks: dict[str, int] = {}
    for group in _tied([bot for bot in ordered if bot in scores], scores):
        ranks.update(dict.fromkeys(group, len(ranks) + 1))
    return ranks


def _tied(ordered: Iterable[str], scores: Mapping[str, float]) -> list[list[str]]:
    """Return the bots, already in order of points, in groups of equal scores."""
    groups: list[list[str]] = []
    for bot in ordered:
        if groups and scores[bot] - scores[groups[-1][0]] <= SAME_SCORE:
            groups[-1].append(bot)
        else:
            groups.append([bot])
    return groups
