"""The review of a bot is stored whole and read back equal; a text that is none is refused in one sentence."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.papayoo import names_of
from arena.review.clusters import Estimate
from arena.review.findings import Finding
from arena.review.ledger import Ledger, Part
from arena.review.phases import Phase
from arena.review.points import Row, Split
from arena.review.summary import BotReview, Moment, PhaseCost
from arena.review.weaknesses import Weakness
from arena.store import read, write
from arena.store.database import Database
from arena.store.review_document import document_of_review, review_from, text_of_review
from tests.store.samples import keys, opened, planned, played
from tests.store.test_reviews import FOUND

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


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A match of the season is finished."""
    with opened(tmp_path / "spring.db") as database:
        write.begin_sessions(database, 1, 0, [(planned(), keys())], 1)
        write.save_matches(database, 1, [played(keys()[0])])
        yield database


def test_a_document_names_cards_and_gives_the_review_back() -> None:
    document = document_of_review(REVIEW)
    first = document["costliest"][0]
    assert first["decision"]["chosen"] == "P20"
    assert first["hand"].split() == names_of(REVIEW.costliest[0].hand)
    assert first["table"] == ["P1", "S4"]
    assert document["points"][0]["best"] == 1.0, "points of the best bot, no cards"
    assert review_from(json.dumps(document), "cat") == REVIEW
    assert review_from(text_of_review(REVIEW), "cat") == REVIEW


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        text_of_review(REVIEW).replace("P20", "P99"),
        text_of_review(REVIEW).replace('["P1", "S4"]', '["P1 S4"]'),
        text_of_review(REVIEW).replace("-0.5", "NaN"),
        text_of_review(REVIEW).replace('"lead"', '"leap"'),
        text_of_review(REVIEW).replace('"format": 1', '"format": 2'),
        text_of_review(REVIEW).replace('"format": 1, ', ""),
    ],
)
def test_what_is_no_review_is_refused_with_what_to_do(text: str) -> None:
    with pytest.raises(StoreError, match=r"^The stored review of cat cannot be read \(.*\): remove it with"):
        review_from(text, "cat")


def test_the_review_of_another_bot_is_refused() -> None:
    with pytest.raises(StoreError, match=re.escape("it is of cat")):
        review_from(text_of_review(REVIEW), "dog")


@pytest.mark.slow
def test_the_newest_review_of_each_bot_is_kept(database: Database) -> None:
    assert read.review_summaries(database, 1) == []
    write.save_review_summary(database, 1, REVIEW, 5)
    write.save_review_summary(database, 1, replace(REVIEW, bot="ant"), 6)
    newer = replace(REVIEW, reviewed=200)
    write.save_review_summary(database, 1, newer, 7)
    assert [(one.at, one.bot) for one in read.review_summaries(database, 1)] == [(6, "ant"), (7, "cat")]
    assert read.review_summaries(database, 1)[1].review == newer
    assert read.review_summaries(database, 2) == []


@pytest.mark.slow
def test_a_forgotten_bot_leaves_nothing_and_others_stay(database: Database) -> None:
    other = replace(FOUND, seat=1, bot="bee")
    write.save_reviews(database, 1, [FOUND, other])
    write.save_review_summary(database, 1, REVIEW, 5)
    write.save_review_summary(database, 1, replace(REVIEW, bot="bee"), 5)
    assert write.forget_reviews(database, 1, "cat") == 1
    assert list(read.reviews(database, 1)) == [other]
    assert [one.bot for one in read.review_summaries(database, 1)] == ["bee"]
    assert write.forget_reviews(database, 1, "cat") == 0
