"""Weaknesses: features in which a bot does worse, with their worst boards; equal bots have none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from arena.papayoo import Round, card_at
from arena.review.course import Course
from arena.review.weaknesses import weaknesses
from tests.review.played import ANY, SHORT, league, playing


def any_as_dealer(round_: Round, dice: Random, card: int) -> int:
    legal = round_.legal()
    return card_at(legal, dice.randrange(legal.bit_count())) if round_.turn == round_.dealer else card


def worse(courses: list[Course], bot: str, where: Callable[[Course, int], bool], points: int) -> list[Course]:
    """The courses with so many points more for the bot where `where` says so."""
    found = []
    for course in courses:
        seat = course.bots.index(bot)
        more = points if where(course, seat) else 0
        found.append(
            replace(course, points=tuple(p + more * (s == seat) for s, p in enumerate(course.points)))
        )
    return found


def where_e_sits(courses: list[Course], bot: str, points: int) -> list[Course]:
    """The courses with so many points more for a bot wherever the bot e is at the table."""
    return [
        worse([course], bot, lambda *_: True, points)[0] if "e" in course.bots else course
        for course in courses
    ]


def test_bad_play_as_the_dealer_is_a_weakness_there() -> None:
    bots = {"a": playing(SHORT, any_as_dealer), "b": SHORT, "c": SHORT, "d": SHORT}
    found = weaknesses(league(bots, 30, rounds=2), "a")
    assert found[0].words == "as the dealer, first to play"
    assert found[0].difference.value > 5
    assert found[0].boards == 60
    assert len(set(found[0].worst)) == 3


def test_an_opponent_is_named_and_its_own_strength_is_no_weakness_of_others() -> None:
    courses = [
        replace(course, key=replace(course.key, cycle=course.key.cycle + 100 * number))
        for number, fourth in enumerate(("d", "e"))
        for course in league(dict.fromkeys(("a", "b", "c", fourth), SHORT), 16, number + 1, rounds=2)
    ]
    haunted = where_e_sits(courses, "a", 30)
    found = weaknesses(haunted, "a")
    assert ("against", "e") in {(each.words, each.opponent) for each in found}
    gifted = where_e_sits(courses, "e", -60)
    assert "e" not in {each.opponent for each in weaknesses(gifted, "a")}


def test_without_others_or_with_few_boards_there_is_none() -> None:
    alone = [replace(course, bots=("a",) * 4) for course in league(dict.fromkeys("abcd", ANY), 1)]
    assert weaknesses(alone, "a") == ()
    assert weaknesses(league(dict.fromkeys("abcd", ANY), 1, rounds=1), "a") == ()
