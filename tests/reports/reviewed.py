"""Reviews for the tests of the pages: real decisions of made-up leagues, with made-up costs.

Nothing is played out, so this is quick. Everything follows from the arguments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from arena.match.record import MatchRecord
from arena.papayoo import cards_of, mask_of
from arena.review.clusters import Estimate
from arena.review.course import courses_of
from arena.review.decisions import Decision, decisions_of
from arena.review.findings import Finding
from arena.review.patterns import PATTERNS
from arena.review.reviewed import Reviewed
from arena.review.summary import BotReview
from arena.review.weaknesses import Weakness
from arena.review.whole import review_of
from arena.store import read
from arena.store.database import Database
from tests.review.samples import save, save_whole

__all__ = ["AT", "BOT", "full", "of_all", "reviewed", "store", "store_all"]

AT = 1_700_000_100_000
"""When these reviews were made, in milliseconds."""

BOT = "greedy"

_ONE_IN = 12
"""One decision of so many was a blunder."""


def reviewed(record: MatchRecord, bot: str) -> Iterator[Reviewed]:
    """What a review might say of all decisions of a bot in a match."""
    dice = Random(f"{record.key} {bot}")
    for decision in decisions_of(record):
        if decision.bot == bot and not decision.forced and not decision.by_stand_in:
            yield _made_up(record, decision, dice)


def _made_up(record: MatchRecord, decision: Decision, dice: Random) -> Reviewed:
    blunder = dice.randrange(_ONE_IN) == 0
    others = list(cards_of(decision.legal & ~decision.chosen))
    better = mask_of(dice.sample(others, decision.chosen.bit_count())) if others else decision.chosen
    cost = dice.uniform(2, 20) if blunder else dice.gauss(0, 0.2)
    round_, question = decision.place
    so_far, end = decision.points[decision.seat], record.rounds[round_].points[decision.seat]
    return Reviewed(
        match=record.key,
        round=round_,
        question=question,
        seat=decision.seat,
        bot=decision.bot,
        phase=decision.phase,
        chosen=decision.chosen,
        best=better if blunder else decision.chosen,
        cost=cost,
        error=dice.uniform(0.2, 0.5),
        true_cost=float(dice.randrange(-10, 40)) if blunder else 0.0,
        beside=cost,
        beside_error=0.4,
        expected=max(so_far, 60 + (end - 60) * question / 16 + dice.gauss(0, 3)),
        worlds=256,
        options=decision.legal.bit_count(),
    )


def store(database: Database, bot: str, *numbers: int) -> list[Reviewed]:
    """Store such a review of the first season's matches of these numbers. Return its decisions."""
    records = (read.record(database, 1, number) for number in numbers)
    found = [one for record in records for one in reviewed(record, bot)]
    save(database, found)
    return found


def of_all(database: Database, bot: str) -> tuple[BotReview, list[Reviewed]]:
    """Return the review of a bot in all finished matches, and what it says of each decision."""
    records = [read.record(database, 1, match.number) for match in read.each_match(database, 1)]
    found = [one for record in records for one in reviewed(record, bot)]
    courses = [course for record in records for course in courses_of(record)]
    return review_of(courses, bot, found, {}, 40, len(records)), found


def full(review: BotReview, found: Sequence[Reviewed], opponent: str) -> BotReview:
    """Return the review with as many findings and weaknesses as a page shows, and more, in long words."""
    longest = sorted(PATTERNS, key=lambda pattern: -len(pattern.words))[:12]
    places = [one.place for one in found if one.question]
    findings = tuple(
        Finding(
            pattern.key, pattern.words, 1200 - number, 12_345, 0.123, 0.0456, Estimate(12.34, 1.23, 99), 1000,
            12.5 - number, tuple(places[3 * number : 3 * number + 3]), 1e-9,
        )
        for number, pattern in enumerate(longest)
    )  # fmt: skip
    weaknesses = tuple(
        Weakness(
            f"w{number}", "when it sits at the left of" if number % 2 else "when holding three 7s",
            opponent if number % 2 else "", Estimate(11.1 - number / 10, 1.22, 60), 1234,
            tuple((key, round_, seat) for key, round_, _, seat in places[number : number + 3]), 1e-6,
        )
        for number in range(12)
    )  # fmt: skip
    return replace(review, findings=findings, weaknesses=weaknesses)


def store_all(database: Database, bot: str = BOT, opponent: str = "duck") -> BotReview:
    """Store a full review of a bot in all finished matches."""
    review, found = of_all(database, bot)
    save(database, found)
    whole = full(review, found, opponent)
    save_whole(database, whole, AT)
    return whole
