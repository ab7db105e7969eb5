"""Builds the leaderboard from session results, as plain data for pages and exports.

It must not claim that a rank is sure (that is `verdicts`) and must not format numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from arena.score.fit import Fit
from arena.score.results import SessionResult

SAME_SCORE = 1e-9
"""Points. Scores nearer than this are equal: the difference is a rounding error."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the leaderboard. Points are per round; fewer are better.

    `rank` counts from 1, ties share the better one (1, 1, 3); house bots, excluded ones, bots without a
    session and newcomers that scores are not measured against yet have none. `score` = `fap` + `charge`; all
    three are None without a session. `half_width` is the ± of the score, a 95 % interval valid for one look
    at the end. `standard_error` is that of the jackknife over sessions. `sessions`, `rounds`: those that
    count; `played`: the complete sessions that it sat in.
    """

    bot: str
    rank: int | None
    score: float | None
    fap: float | None
    charge: float | None
    half_width: float | None
    standard_error: float | None
    sessions: int
    played: int
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

    `rows`: fewest points first, then newcomers, then bots without a session, then the excluded; `house`:
    house bots and stand-in, in the same order. `par`: an average bot's score without faults. While not
    `comparable`, scores are plain means and ranks only their order: the page says "not yet comparable".
    `provisional`: a phrase such as "provisional, cycle 3 at 60 %", None at the end of the plan or without
    one. `retired`: who has left an open field, in the same order.
    """

    rows: tuple[Standing, ...]
    house: tuple[Standing, ...]
    par: float
    comparable: bool
    provisional: str | None
    fit: Fit
    retired: tuple[Standing, ...] = ()


def standings(
    result: Fit,
    entrants: Sequence[str],
    *,
    house: Collection[str] = (),
    excluded: Collection[str] = (),
    retired: Collection[str] = (),
    provisional: str | None = None,
) -> Standings:
    """Build the leaderboard from a fit.

    `entrants`: the ids of all bots in the season's order (which only orders ties), with house bots and
    excluded ones, and with the stand-in from its first session on. `retired`: those that left an open field.
    """
    ordered = by_points(entrants, {bot: result.scores[bot] for bot in entrants if bot in result.scores})
    here = [bot for bot in ordered if bot not in house and bot not in retired]
    ranked = [bot for bot in here if bot not in excluded]
    # While nothing is comparable, whoever played has a rank.
    new = [bot for bot in ranked if result.comparable and bot not in result.counted.measured]
    ranks = ranks_of([bot for bot in ranked if bot not in new], result.scores)

    def line(bot: str) -> Standing:
        return Standing(
            bot=bot,
            rank=ranks.get(bot),
            score=_unsigned_zero(result.scores.get(bot)),
            fap=_unsigned_zero(result.fap.get(bot)),
            charge=_unsigned_zero(result.charge.get(bot)),
            half_width=result.half_width(bot),
            standard_error=result.standard_error(bot),
            sessions=result.sessions.get(bot, 0),
            rounds=result.rounds.get(bot, 0),
            played=result.counted.played.get(bot, 0),
            house=bot in house,
            disqualified=bot in excluded,
        )

    rows = [bot for bot in ranked if bot not in new], new, [bot for bot in here if bot in excluded]
    return Standings(
        rows=tuple(line(bot) for group in rows for bot in group),
        house=tuple(line(bot) for bot in ordered if bot in house and bot not in retired),
        par=result.par,
        comparable=result.comparable,
        provisional=provisional,
        fit=result,
        retired=tuple(line(bot) for bot in ordered if bot in retired and bot not in house),
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
