"""What a bot does wrong again and again: patterns that it shows more than the field, and that surely cost.

A pattern becomes a finding when two things are sure together: the bot does it in a larger share of the places
than the other bots do on the same boards, and the decisions in which it does it cost more than
`LEAST_COST` points each, by their review. The larger of the two p-values counts (the intersection-union test:
Berger, "Multiparameter hypothesis testing and acceptance sampling", Technometrics 24, 1982), corrected over
all patterns (`arena.review.discovery`). Faults are charged, so their cost is known and only their share is
tested.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt

from arena.deals import MatchKey
from arena.match.stand_in import STAND_IN
from arena.review.average import FEWEST_SESSIONS, average_cost
from arena.review.clusters import Estimate, Tally, difference, p_above
from arena.review.course import Course
from arena.review.discovery import RATE, surviving
from arena.review.patterns import PASSES, PLAYS
from arena.review.reviewed import Reviewed

__all__ = ["LEAST_COST", "Finding", "Place", "done_by", "findings"]

LEAST_COST = 0.3
"""The points that a decision must cost on average. Playouts by a policy that is not the bot's own may find a
tenth of a point in play that has no fault."""

_FAULTS: dict[str, str] = {
    "timeout": "is late",
    "illegal": "answers with cards that the rules forbid",
    "bad_message": "sends what is no message",
    "crashed": "crashes",
    "flood": "floods its output",
    "resource": "uses more memory or processor time than it may",
    "start_failed": "does not start",
}

_WORDS = {pattern.key: pattern.words for pattern in (*PASSES, *PLAYS)} | _FAULTS

Place = tuple[MatchKey, int, int, int]
"""A decision, as `Reviewed.place`: match, round, question (0 the pass, t + 1 the play to trick t), seat."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding.

    `count` of `places`: how often the bot did it, of how often it could. `share`, `field_share`: of 1.
    `each`: points for each time, with an error; `reviewed`: from how many decisions. `a_round`: points a
    round, for as far as the bot does it more than the field. `examples`: up to three places, the costliest
    first. `p`: how likely so much is where there is nothing.
    """

    key: str
    words: str
    count: int
    places: int
    share: float
    field_share: float
    each: Estimate
    reviewed: int
    a_round: float
    examples: tuple[Place, ...]
    p: float

    def sentence(self, bot: str) -> str:
        """Return the finding in words."""
        error = f" ± {self.each.error:.1f}" if self.each.error else ""
        return (
            f"{bot} {self.words}: {self.count} of {self.places} times ({_percent(self.share)}; "
            f"the field {_percent(self.field_share)}), {self.each.value:.1f}{error} points each, "
            f"{self.a_round:.1f} points a round"
        )


@dataclass(slots=True)
class _Count:
    """One pattern: by cluster, what the bot did and the others did; and the costs where the bot did it."""

    own: dict[tuple[int, ...], Tally] = field(default_factory=lambda: defaultdict(Tally))
    others: dict[tuple[int, ...], Tally] = field(default_factory=lambda: defaultdict(Tally))
    costs: list[Reviewed] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)


def findings(
    courses: Iterable[Course], bot: str, reviewed: Iterable[Reviewed], fault_points: int, rate: float = RATE
) -> list[Finding]:
    """Return the findings of a bot, those that cost most a round first.

    `courses`: all rounds of the field. `reviewed`: all that is known of the bot's decisions, in the fair
    sample or looked at because of a pattern; others' are passed over. `fault_points`: the charge of a fault.
    Raises ValueError if the bot has no round.
    """
    listed = list(courses)
    rounds = sum(course.bots.count(bot) for course in listed)
    if not rounds:
        raise ValueError(f"no round of {bot} is among these matches")
    known = {each.place: each for each in reviewed if each.bot == bot}
    tested = [
        _tested(key, count, rounds, fault_points)
        for key, count in _counted(listed, bot, known).items()
        if _comparable(count)
    ]
    kept = surviving([each.p for each in tested], rate)
    found = [each for each, sure in zip(tested, kept, strict=True) if sure and each.count]
    return sorted(found, key=lambda each: -each.a_round)


def done_by(courses: Iterable[Course], bot: str) -> dict[str, list[Place]]:
    """Return the places where the bot shows each pattern that it shows more than the field, by the pattern.

    A review that also looks at some of these at random (`Reviewed.in_sample` False) can tell what a rare
    pattern costs. Those that are surely more frequent come first.
    """
    counts = _counted(list(courses), bot, {})
    ordered = sorted(
        ((p_above(_excess(count)), key) for key, count in counts.items() if _comparable(count)),
    )
    return {key: counts[key].places for p, key in ordered if p < 0.5 and key not in _FAULTS}


def _counted(courses: Sequence[Course], bot: str, known: Mapping[Place, Reviewed]) -> dict[str, _Count]:
    counts: dict[str, _Count] = {key: _Count() for key in _WORDS}
    sessions = {course.session for course in courses if bot in course.bots}
    for course in courses:
        if bot not in course.bots:
            continue
        cluster = course.session if len(sessions) >= FEWEST_SESSIONS else course.board
        for key, seat, question, done in (*_decisions(course), *_faults(course)):
            count = counts[key]
            own = course.bots[seat] == bot
            (count.own if own else count.others)[cluster].add(done)
            if own and done:
                place = course.key, course.number, question, seat
                count.places.append(place)
                if place in known:
                    count.costs.append(known[place])
    return counts


def _decisions(course: Course) -> Iterator[tuple[str, int, int, bool]]:
    """Yield (pattern, seat, question, done) for each place of each pattern where a bot decided."""
    for seat, bot in enumerate(course.bots):
        if bot != STAND_IN and seat not in course.passes_by_stand_in:
            for pattern in PASSES:
                done = pattern.done(course, seat)
                if done is not None:
                    yield pattern.key, seat, 0, done
    for play in course.plays:
        if not play.forced and not play.by_stand_in:
            for each in PLAYS:
                if each.phase is play.phase:
                    done = each.done(course, play)
                    if done is not None:
                        yield each.key, play.seat, play.trick + 1, done


def _faults(course: Course) -> Iterator[tuple[str, int, int, bool]]:
    """Yield each question, for each kind of fault. Where the bot was replaced, nobody asked it."""
    for seat, bot in enumerate(course.bots):
        if bot != STAND_IN:
            asked = [0] * (seat not in course.passes_by_stand_in)
            asked += [play.trick + 1 for play in course.plays if play.seat == seat and not play.by_stand_in]
            own = [(kind, question) for who, kind, question in course.faults if who == seat]
            for kind in _FAULTS:
                for question in asked:
                    yield kind, seat, question, False
            for kind, question in own:
                yield kind, seat, question, True


def _comparable(count: _Count) -> bool:
    return any(t.count for t in count.own.values()) and any(t.count for t in count.others.values())


def _tested(key: str, count: _Count, rounds: int, fault_points: int) -> Finding:
    own, others = _sum(count.own.values()), _sum(count.others.values())
    excess = _excess(count)
    if key in _FAULTS:
        each, p_cost = Estimate(float(fault_points), 0.0, 1), 0.0 if fault_points > LEAST_COST else 1.0
    else:
        each = average_cost(count.costs)
        p_cost = p_above(each, LEAST_COST)
    examples = sorted(count.costs, key=lambda cost: -cost.cost)[:3]
    places = tuple(cost.place for cost in examples) if examples else tuple(count.places[:3])
    return Finding(
        key,
        _WORDS[key],
        round(own.total),
        round(own.count),
        own.total / own.count,
        others.total / others.count,
        each,
        len(count.costs),
        max(0.0, excess.value) * own.count / rounds * each.value,
        places,
        max(p_above(excess), p_cost),
    )


def _excess(count: _Count) -> Estimate:
    """Return by how much the bot's share is larger than the field's.

    The error is at least that of as many independent throws with the share of all, one more done and one more
    not done added (Laplace's rule), so that a share of 0 or 1 in a few places is not taken for certain.
    """
    clusters = count.own.keys() | count.others.keys()
    found = difference((count.own[each], count.others[each]) for each in sorted(clusters))
    own, others = _sum(count.own.values()), _sum(count.others.values())
    share = (own.total + others.total + 1) / (own.count + others.count + 2)
    least = sqrt(share * (1 - share) * (1 / own.count + 1 / others.count))
    return found if found.error is None else Estimate(found.value, max(found.error, least), found.freedom)


def _sum(tallies: Iterable[Tally]) -> Tally:
    whole = Tally()
    for tally in tallies:
        whole.add(tally.total, tally.count)
    return whole


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
