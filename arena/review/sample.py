"""Which of a bot's decisions are reviewed, and in what order, so that a review can end and go on at any time.

Two orders are mixed. The fair sample has every decision with a choice, and each beginning of it is a fair
sample. Beside it stand decisions in which the bot shows a pattern that it shows more than the field: so rare
faults are found, which a sample of a thousand decisions would not hold. Those say nothing of how much all
decisions cost. This module must not know what a decision cost.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from arena.review.course import Course
from arena.review.findings import Place, done_by

__all__ = ["MOST_OF_A_PATTERN", "Asked", "choices_of", "fair_order", "in_order", "targets"]

MOST_OF_A_PATTERN: Final = 80
"""The most decisions that are looked at because of one pattern: that many say well enough what it costs."""
_FIRST_RANK: Final = 8
"""The surest pattern gets twice as many decisions as the one that is so many ranks behind it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision that is to be reviewed. `in_sample`: as part of the fair sample."""

    place: Place
    in_sample: bool


def choices_of(courses: Iterable[Course], bot: str) -> list[Place]:
    """Return the decisions of a bot that had a choice and that it took itself, round by round."""
    return [place for course in courses if bot in course.bots for place in _choices(course, bot)]


def fair_order(choices: Iterable[Place], seed: str) -> list[Place]:
    """Return the decisions in an order whose every beginning is a fair sample: each is as likely to be in it.

    Of each session a beginning has the same share, but for one decision: a session's decisions are shuffled,
    and stand at even distances from a random start (systematic sampling: Cochran, "Sampling Techniques",
    1977, chapter 8). The order within a session depends on it and the seed alone, so sessions that come later
    change nothing in what is compared of the earlier ones.
    """
    sessions: dict[tuple[int, int], list[Place]] = defaultdict(list)
    for place in choices:
        sessions[place[0].cycle, place[0].index].append(place)
    timed = []
    for session, places in sessions.items():
        chance = Random(f"{seed}/sample/{session[0]}.{session[1]}")  # noqa: S311 - the same order each time
        start = chance.random()
        chance.shuffle(places)
        timed += [((number + start) / len(places), place) for number, place in enumerate(places)]
    return [place for _, place in sorted(timed, key=lambda each: each[0])]


def targets(courses: Sequence[Course], bot: str, seed: str) -> list[Place]:
    """Return decisions in which the bot shows patterns that it shows more than the field, of all in turn.

    The surer it is that the bot shows a pattern more than the field, the more of its decisions come early.
    Those of a pattern are drawn at random; a decision that shows several is there once.
    """
    chance = Random(f"{seed}/targets")  # noqa: S311 - the same order each time
    timed: list[tuple[int, Place]] = []
    for rank, places in enumerate(done_by(courses, bot).values(), start=_FIRST_RANK):
        drawn = chance.sample(places, min(len(places), MOST_OF_A_PATTERN))
        timed += [(number * rank, place) for number, place in enumerate(drawn, start=1)]
    return list(dict.fromkeys(place for _, place in sorted(timed, key=lambda each: each[0])))


def in_order(fair: Iterable[Place], aimed: Iterable[Place]) -> Iterator[Asked]:
    """Yield the decisions to review, one of each order in turn.

    A decision of the fair sample that was yielded because of a pattern already is yielded once more, as one
    of the sample: what it cost is the same, and whoever reviews need not do it again.
    """
    sampled: set[Place] = set()
    others = iter(aimed)
    for place in fair:
        sampled.add(place)
        yield Asked(place, in_sample=True)
        other = next((other for other in others if other not in sampled), None)
        if other is not None:
            yield Asked(other, in_sample=False)


def _choices(course: Course, bot: str) -> Iterator[Place]:
    for seat, name in enumerate(course.bots):
        if name == bot and seat not in course.passes_by_stand_in:
            yield course.key, course.number, 0, seat
    for play in course.plays:
        if course.bots[play.seat] == bot and not play.forced and not play.by_stand_in:
            yield course.key, course.number, play.trick + 1, play.seat
