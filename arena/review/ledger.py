"""The luck ledger: from what a bot's difference from par comes, in parts that add up to it.

All parts are card points a round; more is worse. Par is 250 / players. Faults are charged apart from the
cards and are not in here.

deal, die, passed in: what the cards of each seat were worth before anybody played (`arena.review.hands`), a
linear estimate fitted to the league. Over a session in which every seat order was played, deal and die are 0,
to the last bit that rounding leaves: each bot holds each hand of each board equally often, and the worths of
a board sum to 0. They are not 0 for a single match, or while matches of a session are missing. What is passed
in depends on who sits to the right, and does not cancel.

opponents: points by the strength of the bots at the table, compared with the whole field. If s are the
strengths (sum 0), the score's model expects s_i - mean of s at the table; against the whole field it expects
(k - 1) N / (k (N - 1)) s_i, with k seats and N bots (docs/score.md). The part is the first minus the second.

mistakes: the costs of the bot's own decisions, from the sample that was reviewed, scaled to all: for each
phase the mean cost of a decision that it had to take, times how many of those there were in a round. It is
measured from the best choice, not from the field's play. Par is what bots with mistakes of their own take;
so a bot with the field's skill has mistakes above 0, and about as much below 0 in the rest.

rest: what is left. It holds others' mistakes, chance in the play, and what the estimates miss.

In statistical words, deal, die and passed in are control variates: they are 0 on average and go with the
points, so what they explain is noise taken off a short match.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from math import fsum, hypot

from arena.papayoo import POINTS_PER_ROUND
from arena.review.average import FEWEST_SESSIONS
from arena.review.clusters import Estimate, Tally, mean
from arena.review.course import Course
from arena.review.hands import Worths
from arena.review.phases import Phase
from arena.review.reviewed import Reviewed

__all__ = ["Ledger", "Part", "ledger"]


class Part(StrEnum):
    """The parts, in the order in which they are shown."""

    DEAL = "deal"
    DIE = "die"
    PASSED_IN = "passed in"
    OPPONENTS = "opponents"
    MISTAKES = "mistakes"
    REST = "rest"


@dataclass(frozen=True, slots=True)
class Ledger:
    """The parts of a bot's difference from par in so many `rounds` (at all its seats).

    `mistakes` is None in `parts` while a phase has decisions and none of them was reviewed; what mistakes
    cost is then in the rest. An error is None where one board is all there is. The error of a part is its
    spread over sessions; that of the worths themselves is not in it. The errors of the rest and of the
    mistakes are added as if independent, which is cautious. `explained`: the share of the variance of its
    points of a round that deal, die and what was passed in explain; None for fewer than two rounds.
    """

    rounds: int
    difference: Estimate
    parts: Mapping[Part, Estimate | None]
    explained: float | None


@dataclass(slots=True)
class _Sums:
    """What is collected of one bot: by cluster and part, by phase, and the squares of its points."""

    by_session: bool
    parts: dict[str, dict[tuple[int, ...], Tally]] = field(default_factory=lambda: defaultdict(dict))
    choices: dict[Phase, int] = field(default_factory=lambda: defaultdict(int))
    points: list[float] = field(default_factory=list)
    left: list[float] = field(default_factory=list)

    def add(self, course: Course, seat: int, worths: Worths, opponents: float) -> None:
        luck = worths.luck(course)[seat]
        beyond = course.points[seat] - POINTS_PER_ROUND / course.players
        known = luck.deal + luck.die + luck.passed_in
        values = {
            "difference": beyond,
            Part.DEAL: luck.deal,
            Part.DIE: luck.die,
            Part.PASSED_IN: luck.passed_in,
            Part.OPPONENTS: opponents,
            Part.REST: beyond - known - opponents,
        }
        cluster = course.session if self.by_session else course.board
        for part, value in values.items():
            self.parts[part].setdefault(cluster, Tally()).add(value)
        self.points.append(beyond)
        self.left.append(beyond - known)
        self.choices[Phase.PASS] += seat not in course.passes_by_stand_in
        for play in course.plays:
            self.choices[play.phase] += play.seat == seat and not play.forced and not play.by_stand_in

    def estimate(self, part: str) -> Estimate:
        return mean(self.parts[part].values())


def ledger(
    courses: Sequence[Course],
    bot: str,
    worths: Worths,
    strengths: Mapping[str, float],
    reviewed: Iterable[Reviewed] = (),
) -> Ledger:
    """Return the ledger of a bot.

    `courses`: the rounds to explain; those in which the bot did not sit are passed over. `worths`: fitted to
    all rounds of the league. `strengths`: the score of every bot of the field in points a round (fault points
    left out), or nothing if there is none yet; then the part of the opponents is 0. `reviewed`: decisions of
    any bots; those of this one in the fair sample count. Raises ValueError if the bot has no round here.
    """
    own = [course for course in courses if bot in course.bots]
    if not own:
        raise ValueError(f"no round of {bot} is among these matches")
    sums = _Sums(len({course.session for course in own}) >= FEWEST_SESSIONS)
    for course in own:
        against = _opponents(course, bot, strengths)
        for seat, name in enumerate(course.bots):
            if name == bot:
                sums.add(course, seat, worths, against)
    costs = [each for each in reviewed if each.bot == bot and each.in_sample]
    mistakes = _mistakes(sums, costs)
    parts: dict[Part, Estimate | None] = {
        part: mistakes if part is Part.MISTAKES else sums.estimate(part) for part in Part
    }
    if mistakes is not None:
        parts[Part.REST] = _less(sums.estimate(Part.REST), mistakes)
    return Ledger(len(sums.points), sums.estimate("difference"), parts, _explained(sums))


def _opponents(course: Course, bot: str, strengths: Mapping[str, float]) -> float:
    """Return what the table takes or gives, by the formula above. Who has no score counts as average."""
    field_size, players = len(strengths), course.players
    if bot not in strengths or field_size < 2:
        return 0.0
    middle = fsum(strengths.values()) / field_size
    shrunk = (players - 1) * field_size / (players * (field_size - 1))  # a score is this times a strength
    own = strengths[bot] - middle
    table = fsum(strengths.get(name, middle) - middle for name in course.bots) / players
    return (own - table) / shrunk - own


def _mistakes(sums: _Sums, costs: Sequence[Reviewed]) -> Estimate | None:
    rounds = len(sums.points)
    value, error, freedom = 0.0, 0.0, []
    for phase, count in sums.choices.items():
        clusters: dict[tuple[int, ...], Tally] = defaultdict(Tally)
        for each in costs:
            if each.phase is phase:
                session = each.match.cycle, each.match.index
                clusters[session if sums.by_session else (*session, each.round)].add(each.cost)
        if count and not clusters:
            return None
        if count:
            found = mean(clusters.values())
            value += count / rounds * found.value
            error = hypot(error, count / rounds * (found.error if found.error is not None else float("inf")))
            freedom.append(found.freedom)
    return Estimate(value, error if error != float("inf") else None, max(freedom))


def _less(whole: Estimate, part: Estimate) -> Estimate:
    known = whole.error is not None and part.error is not None
    error = hypot(whole.error or 0.0, part.error or 0.0) if known else None
    return Estimate(whole.value - part.value, error, whole.freedom)


def _explained(sums: _Sums) -> float | None:
    whole = _squares(sums.points)
    return 1.0 - _squares(sums.left) / whole if whole > 0 else None


def _squares(values: Sequence[float]) -> float:
    middle = fsum(values) / len(values)
    return fsum((value - middle) ** 2 for value in values)
