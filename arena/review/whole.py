"""The whole review of a bot, from the rounds that were read and the decisions that were reviewed.

It puts together what the other modules find, and judges nothing itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from arena.match.stand_in import STAND_IN
from arena.review.average import average_cost
from arena.review.course import Course
from arena.review.discovery import blunders
from arena.review.findings import findings
from arena.review.hands import fitted
from arena.review.ledger import Part, ledger
from arena.review.phases import Phase
from arena.review.points import Row, where_points_go
from arena.review.reviewed import Reviewed
from arena.review.summary import BotReview, Moment, PhaseCost
from arena.review.weaknesses import weaknesses

__all__ = ["MOST_MOMENTS", "review_of"]

MOST_MOMENTS = 10
"""The costliest decisions that are shown."""


def review_of(
    courses: Sequence[Course],
    bot: str,
    reviewed: Sequence[Reviewed],
    strengths: Mapping[str, float],
    fault_points: int,
    played: int,
) -> BotReview:
    """Return the review of a bot.

    `courses`: all rounds that were read, at tables of one size; those without the bot are of use too.
    `reviewed`: what is known of decisions; those of other bots are passed over. `strengths`: the score of
    each bot of the field, fault points left out, or nothing. `fault_points`: the charge of a fault. `played`:
    how many matches the bot has finished in all. Raises ValueError if the bot has no round among `courses`,
    or if a reviewed decision is not in them.
    """
    own = [course for course in courses if bot in course.bots]
    if not own:
        raise ValueError(f"no round of {bot} is among these matches")
    costs = [each for each in reviewed if each.bot == bot]
    rounds = sum(course.bots.count(bot) for course in own)
    luck = ledger(own, bot, fitted(courses, own[0].players), strengths, costs)
    phases = _phases(own, bot, costs, rounds)
    costly = blunders(costs)
    return BotReview(
        bot=bot,
        played=played,
        matches=len({course.key for course in own}),
        rounds=rounds,
        choices=sum(phase.choices for phase in phases),
        reviewed=len(costs),
        mistakes_a_round=luck.parts[Part.MISTAKES],
        phases=phases,
        findings=tuple(findings(own, bot, costs, fault_points)),
        blunders=len(costly),
        costliest=_moments(own, costly[:MOST_MOMENTS]),
        points=_points(courses, bot, strengths),
        ledger=luck,
        weaknesses=weaknesses(courses, bot),
    )


def _phases(
    courses: Iterable[Course], bot: str, costs: Iterable[Reviewed], rounds: int
) -> tuple[PhaseCost, ...]:
    choices = dict.fromkeys(Phase, 0)
    for course in courses:
        for seat, name in enumerate(course.bots):
            choices[Phase.PASS] += name == bot and seat not in course.passes_by_stand_in
        for play in course.plays:
            choices[play.phase] += course.bots[play.seat] == bot and not play.forced and not play.by_stand_in
    sample = [each for each in costs if each.in_sample]
    return tuple(
        _phase(phase, count, [each for each in sample if each.phase is phase], rounds)
        for phase, count in choices.items()
    )


def _phase(phase: Phase, choices: int, costs: Sequence[Reviewed], rounds: int) -> PhaseCost:
    each = average_cost(costs) if costs else None
    return PhaseCost(phase, choices, len(costs), each, each.value * choices / rounds if each else None)


def _moments(courses: Iterable[Course], costly: Sequence[Reviewed]) -> tuple[Moment, ...]:
    wanted = {(each.match, each.round) for each in costly}
    found = {place: course for course in courses if (place := (course.key, course.number)) in wanted}
    lost = wanted - found.keys()
    if lost:
        key, number = next(iter(lost))
        raise ValueError(f"a reviewed decision is of match {key}, round {number}, which was not read")
    return tuple(_moment(found[each.match, each.round], each) for each in costly)


def _moment(course: Course, decision: Reviewed) -> Moment:
    if decision.trick is None:
        return Moment(decision, course.dealt[decision.seat], (), None)
    play = course.play_of(decision.seat, decision.trick)
    return Moment(decision, play.hand, play.table, course.papayoo_suit)


def _points(courses: Sequence[Course], bot: str, strengths: Mapping[str, float]) -> tuple[Row, ...]:
    """Return where the points go, beside the bot with the best score of those at these tables.

    Their points in these rounds decide only where no scores are known: of few rounds the luckiest bot has the
    fewest. A bot with nobody but the stand-in has no field to stand beside.
    """
    if all(set(course.bots) <= {bot, STAND_IN} for course in courses if bot in course.bots):
        return ()
    scored = {name for course in courses for name in course.bots if name != STAND_IN} & strengths.keys()
    best = min(sorted(scored), key=lambda name: strengths[name], default=None)
    return where_points_go(courses, bot, best)
