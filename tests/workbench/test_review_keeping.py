"""What is known of a bot's decisions: kept again and again, never twice looked for, the sample only grows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import StoreError, UsageError
from arena.review.reviewed import METHOD, Reviewed
from arena.review.sample import Asked
from arena.review.summary import BotReview
from arena.workbench.review_keeping import InFile, Keeping
from tests.review.samples import FOUND, REVIEW

OTHER = replace(FOUND, round=2)
OF = {"season": 1, "bot": "cat"}


class Kept:
    """A keeper that tells what it was given, and fails when it is told to."""

    def __init__(self, known: Iterable[Reviewed] = ()) -> None:
        self._known = list(known)
        self.given: list[list[Reviewed]] = []
        self.broken = False

    def known(self) -> Iterable[Reviewed]:
        return self._known

    def keep(self, found: list[Reviewed]) -> None:
        if self.broken:
            raise StoreError("the disk is full")
        self.given.append(found)

    def conclude(self, review: BotReview) -> None:
        raise AssertionError("nobody concludes here")


def test_what_is_new_is_kept_at_the_end_even_after_an_interruption() -> None:
    keeper = Kept()

    def interrupted() -> None:
        with Keeping(keeper, 4) as keeping:
            keeping.add(FOUND)
            keeping.add(OTHER)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert keeper.given == [[FOUND, OTHER]]


def test_only_what_is_not_known_well_enough_is_looked_for() -> None:
    fewer, older = replace(FOUND, round=0, worlds=3), replace(FOUND, round=1, method=METHOD + 1)
    new = replace(FOUND, round=7)
    keeper = Kept([fewer, older, OTHER])
    wanted = [Asked(one.place, in_sample=True) for one in (fewer, older, OTHER, new)]
    with Keeping(keeper, 400) as keeping:
        assert [asked.place for asked in keeping.left(wanted)] == [fewer.place, older.place, new.place]
        assert keeping.of([older.place, OTHER.place, fewer.place]) == [OTHER, fewer]
    assert keeper.given == []


def test_a_decision_comes_into_the_sample_without_being_reviewed_again_and_stays_in_it() -> None:
    aimed = replace(FOUND, in_sample=False)
    keeper = Kept([aimed])
    with Keeping(keeper, 4) as keeping:
        assert list(keeping.left([Asked(aimed.place, in_sample=False)])) == []
        assert keeping.of([aimed.place]) == [aimed]
        assert list(keeping.left([Asked(aimed.place, in_sample=True)])) == []
        assert keeping.of([aimed.place]) == [FOUND]
        keeping.add(replace(aimed, worlds=800))
        assert keeping.of([aimed.place]) == [replace(FOUND, worlds=800)]
    assert keeper.given == [[replace(FOUND, worlds=800)]]


def test_a_file_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    first = InFile(path, OF)
    assert list(first.known()) == []
    assert not path.exists()
    first.keep([FOUND])
    first.keep([OTHER, replace(FOUND, cost=9.0)])
    second = InFile(path, OF)
    assert list(second.known()) == [replace(FOUND, cost=9.0), OTHER]
    second.conclude(REVIEW)
    document = json.loads(path.read_text("utf-8"))
    assert document["review"]["bot"] == "cat"
    assert document["decisions"][0]["chosen"] == "P20"
    assert list(InFile(path, OF).known()) == [replace(FOUND, cost=9.0), OTHER]
    assert [file.name for file in tmp_path.iterdir()] == ["mine.json"]


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    InFile(path, OF).keep([FOUND])
    with pytest.raises(UsageError, match=r"a review of something else \(season 1, bot cat\)"):
        InFile(path, {"season": 2, "bot": "cat"})
    path.write_text(path.read_text().replace("P20", "P99"))
    with pytest.raises(UsageError, match="is a review that cannot be read"):
        InFile(path, OF)


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    keeper = InFile(tmp_path / "nowhere" / "mine.json", OF)
    with pytest.raises(StoreError, match=r"nowhere/mine\.json cannot be written: No such file"):
        keeper.keep([FOUND])
