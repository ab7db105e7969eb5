"""What decisions cost: stored once for each, read in the schedule's order, of finished matches only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.deals import MatchKey
from arena.errors import StoreError
from arena.review.phases import Phase
from arena.review.reviewed import Reviewed
from arena.store import read, write
from arena.store.database import Database
from tests.store.samples import keys, opened, planned, played

FIRST, SECOND, *OTHERS = keys()
FOUND = Reviewed(
    FIRST, 1, 5, 2, "cat", Phase.LEAD, 1 << 59, 1 << 40, 1.25, 0.5, -3.0, -0.5, 0.75, 61.5, 400, 3
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """Two of the matches of a session are finished."""
    with opened(tmp_path / "spring.db") as database:
        write.begin_sessions(database, 1, 0, [(planned(), keys())], 1)
        write.save_matches(database, 1, [played(FIRST), played(SECOND)])
        yield database


def test_what_is_stored_is_read_in_order_and_a_newer_review_takes_the_place(database: Database) -> None:
    second = replace(
        FOUND,
        match=SECOND,
        seat=0,
        bot="ant",
        round=0,
        question=0,
        phase=Phase.PASS,
        chosen=7,
        best=11,
        in_sample=False,
    )
    later = replace(FOUND, round=3)
    write.save_reviews(database, 1, [second, later, FOUND])
    assert list(read.reviews(database, 1)) == [FOUND, later, second]
    again = replace(FOUND, method=2, worlds=800, cost=1.5)
    write.save_reviews(database, 1, [again])
    assert list(read.reviews(database, 1)) == [again, later, second]
    assert list(read.reviews(database, 1, match=(SECOND.cycle, SECOND.index, SECOND.order))) == [second]
    write.save_reviews(database, 1, [])
    assert len(list(read.reviews(database, 1))) == 3


def test_the_reviews_of_a_bot_are_those_of_its_seats(database: Database) -> None:
    elsewhere = replace(FOUND, seat=1, bot="bee")
    write.save_reviews(database, 1, [FOUND, elsewhere])
    assert list(read.reviews(database, 1, "cat")) == [FOUND]
    assert list(read.reviews(database, 1, "nobody")) == []
    assert list(read.reviews(database, 2)) == []


@pytest.mark.slow
@pytest.mark.parametrize("key", [OTHERS[0], MatchKey(0, 0, 0, 1), MatchKey(7, 0, 0, 0)])
def test_a_match_that_is_not_finished_has_no_review(database: Database, key: MatchKey) -> None:
    with pytest.raises(StoreError, match=re.escape(f"{key} is not finished")):
        write.save_reviews(database, 1, [FOUND, replace(FOUND, match=key)])
    assert list(read.reviews(database, 1)) == []


def test_a_mark_changes_with_the_reviews_of_its_match_alone(database: Database) -> None:
    assert read.review_marks(database, 1) == {}
    second = replace(FOUND, match=SECOND, seat=0, bot="ant")
    write.save_reviews(database, 1, [FOUND, second])
    first, other = ((key.cycle, key.index, key.order) for key in (FIRST, SECOND))
    before = read.review_marks(database, 1)
    assert before.keys() == {first, other}
    write.save_reviews(database, 1, [replace(FOUND, cost=FOUND.cost + 0.001)])
    after = read.review_marks(database, 1)
    assert after[first] != before[first]
    assert after[other] == before[other]
    write.save_reviews(database, 1, [replace(FOUND, round=3)])
    assert read.review_marks(database, 1)[first][0] == 2
    assert read.review_marks(database, 2) == {}
