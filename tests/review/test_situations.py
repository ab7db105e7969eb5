"""Situations: each tells some decisions of real rounds from others, and says what it says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.review.phases import Phase
from arena.review.sight import Sight, sights_of
from arena.review.situations import SITUATIONS, of_phase
from tests.review.played import ANY, SHORT, league
from tests.review.sitting_at import a_pass, a_play

BY_KEY = {situation.key: situation for situation in SITUATIONS}

HOLDS: list[tuple[str, Sight, Sight]] = [
    ("last", a_play("H2 H9", "H2", "H5 H6 H1"), a_play("H2 H9", "H2", "H5 H6")),
    ("second", a_play("H2 H9", "H2", "H5"), a_play("H2 H9", "H2", "H5 H6")),
    ("points", a_play("P2 P9", "P2", "P1"), a_play("H2 H9", "H2", "H5")),
    ("many-points", a_play("P2 P9", "P2", "P10"), a_play("P2 P9", "P2", "P8")),
    ("papayoo-lies", a_play("S2 S9", "S2", "S7"), a_play("S2 S9", "S2", "S6")),
    ("payoo-led", a_play("P2 P9", "P2", "P10"), a_play("S2 S9", "S2", "S6 P1")),
    ("papayoo-suit-led", a_play("S2 S9", "S2", "S6"), a_play("H2 H9", "H2", "H6")),
    ("plain-led", a_play("H2 H9", "H2", "H6"), a_play("S2 S9", "S2", "S6")),
    ("may-duck", a_play("H2 H9", "H2", "H6"), a_play("H8 H9", "H8", "H6")),
    ("must-take", a_play("H8 H9", "H8", "H6"), a_play("H2 H9", "H2", "H6")),
    ("voids", a_play("H2 S9", "H2", voids="C"), a_play("H2 S9", "H2")),
    ("holds-papayoo", a_play("H2 S7", "H2"), a_play("H7 S9", "H7")),
    ("papayoo-out", a_play("H2 S9", "H2"), a_play("H2 S9", "H2", gone="S7")),
    ("papayoo-gone", a_play("H2 S9", "H2", gone="S7"), a_play("H2 S7", "H2")),
    ("holds-above", a_play("H2 S9", "H2"), a_play("H9 S2", "H9")),
    ("holds-top", a_pass("H2 P16", "H2"), a_pass("H2 P15", "H2")),
    ("holds-sevens", a_pass("H7 S7", "H7"), a_pass("H7 S8", "H7")),
    ("void", a_pass("H7 S7 P1", "H7"), a_pass("H7 S8 D1 C1", "H7")),
    ("die-S", a_play("H2 S9", "H2"), a_play("H2 S9", "H2", papayoo="D7")),
    ("led-H", a_play("H2 H9", "H2", "H5"), a_play("S2 S9", "S2", "S5")),
]


@pytest.mark.parametrize(("key", "sight", "other"), HOLDS)
def test_it_holds_here_and_not_there(key: str, sight: Sight, other: Sight) -> None:
    situation = BY_KEY[key]
    assert sight.phase in situation.phases
    assert other.phase in situation.phases
    assert situation.holds(sight)
    assert not situation.holds(other)


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
