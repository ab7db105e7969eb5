"""Which decisions are reviewed: all that had a choice, in an order of which each beginning is fair."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice

import pytest

from arena.review.course import Course
from arena.review.decisions import decisions_of
from arena.review.findings import Place
from arena.review.sample import Asked, choices_of, fair_order, in_order, targets
from tests.review.played import ANY, DUCK, DUMP, SHORT, Late, league, records

PLAYERS = {"short": SHORT, "dump": DUMP, "duck": Late(DUCK, 0.1), "any": ANY}
SESSIONS = 12


@pytest.fixture(scope="module")
def courses() -> list[Course]:
    return league(PLAYERS, SESSIONS, rounds=2)


def session_of(place: Place) -> tuple[int, int]:
    return place[0].cycle, place[0].index


def test_the_choices_are_the_decisions_that_were_free_and_the_bots_own() -> None:
    expected = []
    for record in records(PLAYERS, 2, rounds=2):
        seat = next(number for number, each in enumerate(record.seats) if each.bot == "duck")
        expected += [
            (record.key, *decision.place, seat)
            for decision in decisions_of(record, [seat])
            if not decision.forced and not decision.by_stand_in
        ]
    found = choices_of(league(PLAYERS, 2, rounds=2), "duck")
    assert sorted(map(repr, found)) == sorted(map(repr, expected))
    assert len(set(found)) == len(found) > 100
    assert choices_of(league(PLAYERS, 1, rounds=2), "nobody") == []


def test_each_beginning_has_the_same_share_of_each_session(courses: list[Course]) -> None:
    order = fair_order(choices_of(courses, "dump"), "1")
    whole = Counter(map(session_of, order))
    assert len(whole) == SESSIONS
    for end in (SESSIONS, 100, 333, len(order) - 1):
        share = end / len(order)
        found = Counter(map(session_of, order[:end]))
        for session, count in whole.items():
            assert abs(found[session] - share * count) < 2


def test_a_decision_is_as_likely_to_come_early_as_any_other() -> None:
    """Over many seeds: also one of a session that has fewer of them, and whatever its phase."""
    courses = league(PLAYERS, 3, rounds=2)
    few = [course for course in courses if course.session != (0, 0)] + courses[:1]
    choices = choices_of(few, "dump")
    end, seeds = len(choices) // 5, 400
    counts = Counter(place for seed in range(seeds) for place in fair_order(choices, str(seed))[:end])
    mean = seeds * end / len(choices)
    spread = (mean * (1 - end / len(choices))) ** 0.5
    assert all(abs(counts[place] - mean) < 5.5 * spread for place in choices)
    small = [counts[place] for place in choices if session_of(place) == (0, 0)]
    assert abs(sum(small) / len(small) - mean) < 0.1 * mean


def test_sessions_that_come_later_change_no_order_among_the_earlier(courses: list[Course]) -> None:
    earlier = [course for course in courses if course.key.cycle < 8]
    order = fair_order(choices_of(courses, "dump"), "1")
    kept = [place for place in order if place[0].cycle < 8]
    assert kept == fair_order(choices_of(earlier, "dump"), "1")


def test_both_orders_are_taken_in_turn_and_nothing_twice_without_need() -> None:
    places = choices_of(league(PLAYERS, 1, rounds=1), "dump")[:6]
    a, b, c, d, e, f = places
    fair, aimed = [a, b, c, d, e, f], [b, a, f]
    order = list(in_order(fair, aimed))
    assert order == [
        Asked(a, True), Asked(b, False), Asked(b, True), Asked(f, False), Asked(c, True), Asked(d, True),
        Asked(e, True), Asked(f, True),
    ]  # fmt: skip
    assert list(in_order([], [])) == []


def test_half_of_the_work_is_the_fair_sample_while_there_is_enough(courses: list[Course]) -> None:
    fair = fair_order(choices_of(courses, "any"), "1")
    order = list(islice(in_order(fair, targets(courses, "any", "1")), 200))
    assert sum(asked.in_sample for asked in order) == 100
    assert [asked.place for asked in order if asked.in_sample] == fair[:100]


def test_a_pass_of_the_stand_in_is_no_decision_of_the_bot(courses: list[Course]) -> None:
    course = courses[0]
    seat = course.bots.index("dump")
    replaced = replace(course, passes_by_stand_in=(seat,))
    lost = set(choices_of([course], "dump")) - set(choices_of([replaced], "dump"))
    assert lost == {(course.key, course.number, 0, seat)}
