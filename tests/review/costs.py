"""Reviews made up for tests: real places of real rounds, with costs that the test decides. No asserts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random

from arena.review.course import Course, Play
from arena.review.phases import Phase
from arena.review.reviewed import Reviewed

CostOf = Callable[[Course, int, Play | None], float]
"""What a decision really costs: of the seat's pass where there is no play."""


def choices(course: Course, bot: str) -> Iterator[tuple[int, Play | None]]:
    """The (seat, play) of each decision of a bot that had a choice; None for the pass."""
    for seat, name in enumerate(course.bots):
        if name == bot and seat not in course.passes_by_stand_in:
            yield seat, None
    for play in course.plays:
        if course.bots[play.seat] == bot and not play.forced and not play.by_stand_in:
            yield play.seat, play


def made_up(
    courses: Iterable[Course],
    bot: str,
    cost_of: CostOf,
    share: float = 1.0,
    noise: float = 1.0,
    seed: int = 1,
) -> list[Reviewed]:
    """A review of about this share of the bot's decisions, each cost found with an error of `noise`."""
    dice = Random(seed)
    found = []
    for course in courses:
        for seat, play in choices(course, bot):
            if dice.random() < share:
                cost = cost_of(course, seat, play) + dice.gauss(0, noise)
                found.append(
                    Reviewed(
                        match=course.key,
                        round=course.number,
                        question=play.trick + 1 if play else 0,
                        seat=seat,
                        bot=bot,
                        phase=play.phase if play else Phase.PASS,
                        chosen=1 << play.card if play else course.passed[seat],
                        best=0,
                        cost=cost,
                        error=noise,
                        true_cost=cost,
                        beside=cost,
                        beside_error=noise,
                        expected=60.0,
                        worlds=64,
                        options=2,
                    )
                )
    return found
