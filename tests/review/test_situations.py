"""Situations: each tells some decisions of real rounds from others, and says what it says."""

from __future__ import annotations

from dataclasses import replace

from arena.review.phases import Phase
from arena.review.sight import sights_of
from arena.review.situations import SITUATIONS, of_phase
from tests.review.played import ANY, SHORT, league

BY_KEY = {situation.key: situation for situation in SITUATIONS}


def test_each_tells_decisions_of_real_rounds_apart() -> None:
    courses = league(dict.fromkeys("abcd", SHORT) | {"d": ANY}, 3, rounds=4)
    found: dict[str, set[bool]] = {situation.key: set() for situation in SITUATIONS}
    for course in courses:
        for sight in sights_of(course):
            for situation in of_phase(sight.phase):
                found[situation.key].add(situation.holds(sight))
    absent = {key for key, answers in found.items() if answers != {True, False}}
    # Four seats and four rounds have no fifth one, and there are 15 tricks at most.
    assert {key.rstrip("0123456789") for key in absent} <= {"seat-", "place-", "round-", "trick-"}
    assert found["seat-4"] == {False}
    assert found["trick-16"] == {False}
    assert len(BY_KEY) == len(SITUATIONS)


def test_sights_are_the_choices_that_bots_had() -> None:
    course = league(dict.fromkeys("abcd", SHORT), 1, rounds=1)[0]
    sights = list(sights_of(course))
    assert sum(sight.phase is Phase.PASS for sight in sights) == 4
    played = [play for play in course.plays if not play.forced]
    assert [sight.card for sight in sights[4:]] == [play.card for play in played]
    for sight in sights[4:]:
        before = course.tricks[: sight.question - 1]
        taken = [sum(trick.points for trick in before if trick.taker == seat) for seat in range(4)]
        assert sight.taken == taken[sight.seat]
        assert not sight.others & sight.hand
    first = replace(course.plays[0], by_stand_in=True)
    stood_in = replace(course, plays=(first, *course.plays[1:]), passes_by_stand_in=(2,))
    absent = list(sights_of(stood_in))
    assert len(absent) == len(sights) - 1 - (not course.plays[0].forced)
