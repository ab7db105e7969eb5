"""A reviewed decision and the review of a bot, with every kind of value, and what a league stores of such."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from arena.review.clusters import Estimate
from arena.review.documents import decision_from, text_of_review
from arena.review.findings import Finding
from arena.review.ledger import Ledger, Part
from arena.review.phases import Phase
from arena.review.points import Row, Split
from arena.review.reviewed import Reviewed
from arena.review.summary import BotReview, Moment, PhaseCost
from arena.review.weaknesses import Weakness
from arena.store import read, write
from arena.store.database import Database
from arena.store.views import MatchSlot, StoredReview
from arena.workbench.review_keeping import to_store
from tests.store.samples import keys

FOUND = Reviewed(
    keys()[0], 1, 5, 2, "cat", Phase.LEAD, 1 << 59, 1 << 40, 1.25, 0.5, -3.0, -0.5, 0.75, 61.5, 400, 3
)
SURE = Estimate(1.5, 0.25, 40)
UNSURE = Estimate(-0.5, None, 0)
PLACE = FOUND.place
REVIEW = BotReview(
    bot="cat",
    played=9,
    matches=8,
    rounds=32,
    choices=400,
    reviewed=120,
    mistakes_a_round=SURE,
    phases=(
        PhaseCost(Phase.PASS, 32, 10, SURE, 1.5),
        PhaseCost(Phase.LEAD, 80, 0, None, None),
    ),
    findings=(Finding("high", "leads high", 3, 20, 0.15, 0.01, SURE, 3, 0.5, (PLACE, PLACE), 0.001),),
    blunders=2,
    costliest=(Moment(FOUND, (1 << 59) | 7, (40, 3), 2), Moment(replace(FOUND, question=0), 7, (), None)),
    points=(Row(Split.TRICK, "1", 3.0, 2.0, 1.0, SURE),),
    ledger=Ledger(32, SURE, {part: UNSURE if part is Part.REST else None for part in Part}, None),
    weaknesses=(Weakness("seven", "when holding three 7s", "dog", SURE, 41, ((*PLACE[:2], 3),), 0.01),),
)


def save(database: Database, found: Iterable[Reviewed], at: int = 1) -> None:
    """Store decisions of the first season."""
    write.save_reviews(database, 1, to_store(found), at)


def save_whole(database: Database, review: BotReview, at: int = 1) -> None:
    """Store the review of a bot in the first season."""
    write.save_review_summary(database, 1, StoredReview(review.bot, at, text_of_review(review)))


def saved(
    database: Database, bot: str | None = None, match: MatchSlot | None = None, season: int = 1
) -> list[Reviewed]:
    """Return the decisions that are stored."""
    return [decision_from(one.text) for one in read.reviews(database, season, bot, match)]
