"""One review of a bot: what is left to look at is looked at, kept, and put together.

It prints nothing: whoever calls it shows how far it is, and what was found.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Final, Protocol

from arena.errors import Interrupted, UsageError
from arena.review.findings import Place
from arena.review.reviewed import Reviewed
from arena.review.sample import Asked, choices_of, fair_order, in_order, targets
from arena.review.summary import BotReview
from arena.review.whole import review_of
from arena.workbench.review_keeping import Keeper, Keeping
from arena.workbench.review_material import Material
from arena.workbench.review_room import Room, RunBy
from arena.workbench.reviewing import Crew, Work, review_all

__all__ = ["Limits", "Result", "Watcher", "reviewed_bot"]

_ASK_SECONDS: Final = 2.0
"""How often to ask whether a run has begun meanwhile."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is reviewed. `seconds`: None for no limit. `whole`: all decisions, as of a single match."""

    seed: str
    worlds: int
    seconds: float | None
    whole: bool


@dataclass(frozen=True, slots=True)
class Result:
    """The review of a bot, and what is known of its decisions."""

    review: BotReview
    decisions: tuple[Reviewed, ...]


class Watcher(Protocol):
    """Is told how far the review is."""

    def begins(self, choices: int, known: int) -> None:
        """Of so many decisions with a choice so many are reviewed already."""

    def found(self, reviewed: Reviewed) -> None:
        """One more is reviewed."""

    def say(self, text: str) -> None:
        """Something that is not the result."""


def reviewed_bot(material: Material, keeper: Keeper, limits: Limits, room: Room, watcher: Watcher) -> Result:
    """Review what is left of a bot's decisions, keep it, and return all that is known then.

    Raises UsageError where it never had a choice; Interrupted when a run begins meanwhile that the room was
    not made for.
    """
    choices = choices_of(material.courses, material.bot)
    if not choices:
        raise UsageError(f"{material.bot} never had a choice in these matches: the stand-in played for it")
    crew = Crew(room.jobs, limits.seed, limits.worlds, room.cores, room.beside_a_run)
    with Keeping(keeper, limits.worlds) as keeping:
        watcher.begins(len(choices), len(keeping.of(choices)))

        def found(one: Reviewed) -> None:
            keeping.add(one)
            watcher.found(one)

        works = (
            Work(material.records[asked.place[0]], asked)
            for asked in keeping.left(_wanted(material, choices, limits))
        )
        review_all(works, crew, found, _Enough(limits.seconds, None if room.beside_a_run else room.run_by))
        known = keeping.of(choices)
    result = _put_together(material, known, None if limits.whole else fair_order(choices, limits.seed))
    keeper.conclude(result.review)
    return result


def _wanted(material: Material, choices: list[Place], limits: Limits) -> Iterator[Asked]:
    fair = fair_order(choices, limits.seed)
    if limits.whole:
        # Of the whole bot they are no fair sample.
        return (Asked(place, in_sample=False) for place in fair)
    return in_order(fair, targets(material.courses, material.bot, limits.seed))


def _put_together(material: Material, known: list[Reviewed], fair: list[Place] | None) -> Result:
    """Return the review. `fair`: the order of the fair sample; None where all decisions are a sample of all.

    The sample is the beginning of this order as far as it was looked at. What was looked at for an order of
    less matches, or from another seed, is no fair sample of today's: old sessions would count for more.
    """
    if fair is not None:
        drawn = {one.place for one in known if one.in_sample}
        sample = set(takewhile(drawn.__contains__, fair))
        known = [replace(one, in_sample=one.place in sample) for one in known]
    else:
        known = [replace(one, in_sample=True) for one in known]
    review = review_of(
        material.courses, material.bot, known, material.strengths, material.fault_points, material.played
    )
    return Result(review, tuple(known))


class _Enough:
    """Says when to stop: when the time is over. Raises Interrupted when a run has begun."""

    def __init__(self, seconds: float | None, run_by: RunBy | None) -> None:
        now = time.monotonic()
        self._end = None if seconds is None else now + seconds
        self._run_by = run_by
        self._asked = now

    def __call__(self) -> bool:
        now = time.monotonic()
        if self._run_by is not None and now - self._asked >= _ASK_SECONDS:
            self._asked = now
            if self._run_by() is not None:
                raise Interrupted(
                    "stopped, because a run of this league has begun; what was found is kept. Go on when it "
                    "has ended, or with --jobs on cores that it leaves free"
                )
        return self._end is not None and now >= self._end
