"""Reviews: stored once for each decision and bot, read in the schedule's order, of finished matches only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.deals import MatchKey
from arena.errors import StoreError
from arena.store import read, write
from arena.store.database import Database
from arena.store.views import StoredChoice, StoredReview
from tests.store.samples import keys, opened, planned, played

FIRST, SECOND, *OTHERS = keys()
FOUND = StoredChoice(FIRST, 2, 1, 5, '{"cost": 1.25}')
"""A decision of cat, which has the seat 2."""
REVIEW = StoredReview("cat", 5, "a text")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """Two of the matches of a session are finished."""
    with opened(tmp_path / "spring.db") as database:
        write.begin_sessions(database, 1, 0, [(planned(), keys())], 1)
        write.save_matches(database, 1, [played(FIRST), played(SECOND)])
        yield database


def test_what_is_stored_is_read_in_order_and_a_newer_review_takes_the_place(database: Database) -> None:
    second = StoredChoice(SECOND, 0, 0, 0, "{}")
    later = replace(FOUND, round=3)
    write.save_reviews(database, 1, [second, later, FOUND], 1)
    assert list(read.reviews(database, 1)) == [FOUND, later, second]
    again = replace(FOUND, text="newer")
    write.save_reviews(database, 1, [again], 2)
    assert list(read.reviews(database, 1)) == [again, later, second]
    assert list(read.reviews(database, 1, match=(SECOND.cycle, SECOND.index, SECOND.order))) == [second]
    write.save_reviews(database, 1, [], 3)
    assert len(list(read.reviews(database, 1))) == 3


def test_the_reviews_of_a_bot_are_those_of_its_seats(database: Database) -> None:
    write.save_reviews(database, 1, [FOUND, replace(FOUND, seat=1)], 1)
    assert list(read.reviews(database, 1, "cat")) == [FOUND]
    assert list(read.reviews(database, 1, "nobody")) == []
    assert list(read.reviews(database, 2)) == []


@pytest.mark.slow
@pytest.mark.parametrize("key", [OTHERS[0], MatchKey(0, 0, 0, 1), MatchKey(7, 0, 0, 0)])
def test_a_match_that_is_not_finished_has_no_review(database: Database, key: MatchKey) -> None:
    with pytest.raises(StoreError, match=re.escape(f"{key} is not finished")):
        write.save_reviews(database, 1, [FOUND, replace(FOUND, match=key)], 1)
    assert list(read.reviews(database, 1)) == []


def test_a_mark_changes_with_the_reviews_of_its_match_alone(database: Database) -> None:
    assert read.review_marks(database, 1) == {}
    write.save_reviews(database, 1, [FOUND, replace(FOUND, match=SECOND)], 1)
    first, other = ((key.cycle, key.index, key.order) for key in (FIRST, SECOND))
    before = read.review_marks(database, 1)
    assert before.keys() == {first, other}
    write.save_reviews(database, 1, [FOUND], 2)
    after = read.review_marks(database, 1)
    assert after[first] != before[first]
    assert after[other] == before[other]
    write.save_reviews(database, 1, [replace(FOUND, round=3)], 2)
    assert read.review_marks(database, 1)[first][0] == 2
    assert read.review_marks(database, 2) == {}


def test_the_newest_review_of_each_bot_is_kept_and_a_forgotten_bot_leaves_nothing(database: Database) -> None:
    newer, another = replace(REVIEW, at=7), replace(REVIEW, bot="bee", at=6)
    for one in (REVIEW, another, newer):
        write.save_review_summary(database, 1, one)
    assert read.review_summaries(database, 1) == [another, newer]
    assert read.review_summaries(database, 2) == []
    other = replace(FOUND, seat=1)
    write.save_reviews(database, 1, [FOUND, other], 1)
    assert write.forget_reviews(database, 1, "cat") == 1
    assert list(read.reviews(database, 1)) == [other]
    assert read.review_summaries(database, 1) == [another]
    assert write.forget_reviews(database, 1, "cat") == 0
