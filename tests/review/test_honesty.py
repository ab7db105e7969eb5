"""A reduced form of what `python -m tests.review.honesty` shows; all of it is determined by seeds."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.review.average import average_cost
from arena.review.course import Course, courses_of
from arena.review.discovery import blunders
from arena.review.phases import Phase
from tests.review.honesty import BOT, Effort, main, review_records
from tests.review.planted import ANNOUNCED, BY_NAME, FAULTS, HIGH_PAYOOS, SEVENS, planted, planted_league

FEW = Effort(decisions=240, jobs=1, worlds=64)
MORE = Effort(decisions=600, jobs=1, worlds=64)
SELDOM = {"keeps-sevens", "leads-papayoo", "blind-to-voids"}
"""Faults that a bot shows seldom: they take a longer league and more decisions."""


def courses(name: str, matches: int = 8) -> list[Course]:
    records = planted_league(planted(name, "quick"), matches)
    return [course for record in records for course in courses_of(record)]


def test_a_planted_league_has_every_bot_in_every_seat_of_a_session() -> None:
    seats = Counter(course.bots.index(BOT) for course in courses("sharp"))
    assert seats == dict.fromkeys(range(4), 8)


@pytest.mark.parametrize(("name", "kept"), [("keeps-sevens", SEVENS), ("keeps-payoos", HIGH_PAYOOS)])
def test_cards_that_are_kept_are_never_passed(name: str, kept: int) -> None:
    for course in courses(name):
        assert not course.passed[course.bots.index(BOT)] & kept


def test_a_bot_that_is_late_is_charged() -> None:
    late = [fault.seat for course in courses("late", 40) for fault in course.faults]
    assert 5 < len(late) < 60


def test_every_fault_has_a_name() -> None:
    assert BY_NAME.keys() == FAULTS.keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_bot_plays_by_the_rules_and_not_as_without_its_fault(name: str) -> None:
    played = courses(name, 16)
    assert [course.plays for course in played] != [course.plays for course in courses("quick", 16)]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("faults late", "late "),
        ("clean quick --reviews 1", "quick"),
        ("costs quick", "ms a decision"),
    ],
)
def test_each_table_is_printed(capsys: pytest.CaptureFixture[str], words: str, expected: str) -> None:
    main(
        [
            *words.split(),
            "--base",
            "quick",
            "--matches",
            "4",
            "--decisions",
            "6",
            "--worlds",
            "4",
            "--jobs",
            "1",
        ]
    )
    head, *lines = capsys.readouterr().out.splitlines()
    assert "reviewed" in head or "reviews" in head
    assert expected in lines[-1]


def test_an_unknown_name_is_refused_with_those_that_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["faults", "leads-higest"])
    assert "unknown: leads-higest; expected some of leads-highest" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("name", ANNOUNCED)
def test_an_announced_fault_is_the_first_finding(name: str) -> None:
    matches, effort = (480, MORE) if name in SELDOM else (80, FEW)
    outcome = review_records(name, planted_league(planted(name), matches), effort)
    assert outcome.found, [finding.sentence(BOT) for finding in outcome.review.findings]


@pytest.mark.slow
def test_a_bot_without_a_fault_has_an_empty_list() -> None:
    outcome = review_records("sharp", planted_league(planted("sharp"), 160), FEW)
    assert not outcome.review.findings, [finding.sentence(BOT) for finding in outcome.review.findings]


@pytest.mark.slow
def test_redeals_own_decisions_cost_nearly_nothing() -> None:
    outcome = review_records("redeal", planted_league(planted("redeal"), 8), Effort(200, jobs=1, worlds=128))
    plays = [each for each in outcome.reviewed if each.in_sample and each.phase is not Phase.PASS]
    found = average_cost(plays)
    assert found.error is not None
    assert found.value < 0.3 + 2 * found.error
    assert len(blunders(plays)) <= 0.02 * len(plays)
