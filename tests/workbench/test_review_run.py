"""One review of a bot: its limits, and a run that begins while it works."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from arena.errors import Interrupted, UsageError
from arena.review.findings import Place
from arena.review.one import review_one
from arena.review.reviewed import Reviewed
from arena.review.sample import choices_of, fair_order
from arena.review.summary import BotReview
from arena.workbench import review_run
from arena.workbench.review_keeping import InMemory
from arena.workbench.review_material import Material
from arena.workbench.review_room import Room
from arena.workbench.review_run import Limits, reviewed_bot
from arena.workbench.reviewing import Crew, Work
from tests.review.played import ANY, DUCK, DUMP, SHORT, records

RECORDS = {
    record.key: record for record in records({"short": SHORT, "dump": DUMP, "duck": DUCK, "any": ANY}, 2)
}
MATERIAL = Material(
    "any", RECORDS, {key: number for number, key in enumerate(RECORDS, start=1)}, {}, played=len(RECORDS)
)
LIMITS = Limits(seed="1", worlds=4, seconds=None, whole=False)


class Quiet:
    """A watcher that only counts."""

    def __init__(self) -> None:
        self.count = 0

    def begins(self, choices: int, known: int) -> None:
        self.choices, self.known = choices, known

    def found(self, reviewed: Reviewed) -> None:
        self.count += 1

    def say(self, text: str) -> None:
        raise AssertionError(text)


class Kept(InMemory):
    """Remembers the whole review."""

    review: BotReview | None = None

    def conclude(self, review: BotReview) -> None:
        self.review = review


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> list[Crew]:
    """Decisions are reviewed here, one each second of a clock. Returns the crews that would have done it."""
    crews: list[Crew] = []
    now = [0.0]
    monkeypatch.setattr(review_run.time, "monotonic", lambda: now[0])

    def review_all(
        works: Iterator[Work], crew: Crew, found: Callable[[Reviewed], None], enough: Callable[[], bool]
    ) -> None:
        crews.append(crew)
        for work in works:
            one = review_one(work.record, work.asked.place, crew.seed, crew.worlds)
            found(replace(one, in_sample=work.asked.in_sample))
            now[0] += 1.0
            if enough():
                return

    monkeypatch.setattr(review_run, "review_all", review_all)
    return crews


ALONE = Room(1, lambda: None)


def test_it_ends_when_the_time_is_over() -> None:
    watcher, keeper = Quiet(), Kept()
    result = reviewed_bot(MATERIAL, keeper, replace(LIMITS, seconds=12.0), ALONE, watcher)
    review = result.review
    assert len(result.decisions) == 12
    assert watcher.count == 12
    assert (review.reviewed, review.matches, review.played) == (12, 8, 8)
    assert sum(phase.reviewed for phase in review.phases) == 6
    assert keeper.review == review
    assert (watcher.choices, watcher.known) == (review.choices, 0)


class Stored(InMemory):
    """Keeps decisions in memory, for the next review."""

    def __init__(self) -> None:
        self._found: dict[Place, Reviewed] = {}

    def known(self) -> list[Reviewed]:
        return list(self._found.values())

    def keep(self, found: list[Reviewed]) -> None:
        self._found.update({one.place: one for one in found})


FEW = replace(MATERIAL, records=dict(list(RECORDS.items())[:4]))
"""The same league when it had fewer matches."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "seed", "at_least"),
    [(MATERIAL, "1", 30), (FEW, "1", 8), (MATERIAL, "2", 8)],
    ids=["it goes on", "the league has grown", "another seed"],
)
def test_the_sample_is_the_beginning_of_todays_order(before: Material, seed: str, at_least: int) -> None:
    keeper = Stored()
    reviewed_bot(before, keeper, replace(LIMITS, seconds=30.0), ALONE, Quiet())
    now = replace(LIMITS, seed=seed, seconds=30.0 if before is MATERIAL else 20.0)
    found = reviewed_bot(MATERIAL, keeper, now, ALONE, Quiet())
    sample = {one.place for one in found.decisions if one.in_sample}
    order = fair_order(choices_of(MATERIAL.courses, "any"), seed)
    assert sample == set(order[: len(sample)])
    assert at_least <= len(sample) < len(found.decisions)
    assert sum(phase.reviewed for phase in found.review.phases) == len(sample)
    assert found.review.reviewed == len(found.decisions) == len(keeper.known())


def test_a_run_that_begins_ends_the_review(in_this_process: list[Crew]) -> None:
    watcher, keeper = Quiet(), Kept()
    answers = iter([None, None, "123"])
    with pytest.raises(Interrupted, match="a run of this league has begun; what was found is kept"):
        reviewed_bot(MATERIAL, keeper, LIMITS, Room(1, lambda: next(answers)), watcher)
    assert watcher.count == 6, "asked every two seconds"
    assert keeper.review is None
    assert in_this_process == [Crew(1, "1", 4)]


def test_a_bot_that_never_chose_is_refused() -> None:
    with pytest.raises(UsageError, match="nobody never had a choice in these matches"):
        reviewed_bot(replace(MATERIAL, bot="nobody"), InMemory(), LIMITS, ALONE, Quiet())
