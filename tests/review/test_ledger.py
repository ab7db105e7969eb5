"""The luck ledger: its parts add up, the deal's part cancels over a session, and errors hold."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean

import pytest

from arena.review.course import Course
from arena.review.hands import fitted
from arena.review.ledger import Ledger, Part, ledger
from arena.review.phases import Phase
from arena.review.reviewed import Reviewed
from tests.review.played import ANY, DUCK, DUMP, SHORT, league

FOUR = {"a": SHORT, "b": DUMP, "c": DUCK, "d": ANY}


def value(found: Ledger, part: Part) -> float:
    estimate = found.parts[part]
    return 0.0 if estimate is None else estimate.value


def costs(
    courses: Sequence[Course], bot: str, each: float, noise: float = 0.0, share: float = 1
) -> list[Reviewed]:
    """A review of a share of the bot's decisions, in which each really costs so much."""
    dice = Random(8)
    found = []
    for course in courses:
        seat = course.bots.index(bot)
        places = [(0, Phase.PASS)]
        places += [(p.trick + 1, p.phase) for p in course.plays if p.seat == seat and not p.forced]
        for question, phase in places:
            if dice.random() < share:
                cost = each + dice.gauss(0, noise)
                found.append(
                    Reviewed(
                        course.key,
                        course.number,
                        question,
                        seat,
                        bot,
                        phase,
                        1,
                        2,
                        cost,
                        noise,
                        0.0,
                        0.0,
                        0.0,
                        60.0,
                        40,
                        3,
                    )
                )
    return found


def test_the_parts_add_up_to_the_difference_from_par() -> None:
    courses = league(FOUR, 3)
    worths = fitted(courses, 4)
    strengths = {"a": 50.0, "b": 55.0, "c": 65.0, "d": 80.0, "e": 62.5}
    for bot in FOUR:
        own = [course.points[course.bots.index(bot)] for course in courses[:5]]
        for reviewed in ([], costs(courses[:5], bot, 0.3)):
            found = ledger(courses[:5], bot, worths, strengths, reviewed)
            assert found.difference.value == pytest.approx(fmean(own) - 62.5)
            assert sum(value(found, part) for part in Part) == pytest.approx(found.difference.value)
            assert found.rounds == 5
            assert (found.parts[Part.MISTAKES] is None) == (not reviewed)


@pytest.mark.parametrize(("players", "rounds"), [(3, 1), (4, 4), (5, 1), (6, 1), (7, 1), (8, 2)])
def test_over_a_whole_session_deal_and_die_cancel(players: int, rounds: int) -> None:
    names = [f"bot{i}" for i in range(players)]
    courses = league(dict.fromkeys(names, DUMP), 1, seed=3, rounds=rounds)
    worths = fitted(courses, players)
    for bot in names:
        found = ledger(courses, bot, worths, {})
        assert value(found, Part.DEAL) == pytest.approx(0, abs=1e-9)
        assert value(found, Part.DIE) == pytest.approx(0, abs=1e-9)
    # Over one match less they do not.
    part = [course for course in courses if course.key.order]
    assert any(abs(value(ledger(part, bot, worths, {}), Part.DEAL)) > 0.1 for bot in names)


def test_opponents_are_those_of_the_score_and_cancel_where_all_meet() -> None:
    courses = league({"a": SHORT, "b": DUMP, "c": DUCK}, 1)
    worths = fitted(courses, 3)
    strengths = {"a": 70.0, "b": 80.0, "c": 90.0, "d": 90.0, "e": 90.0}
    # f = 2 * 5 / (3 * 4); s = -14, -4, 6 of the table over f; a expects -14 / f + 4 / f, less its own -14.
    shrunk = 10 / 12
    expected = (-14 + 12 / 3) / shrunk + 14
    assert value(ledger(courses, "a", worths, strengths), Part.OPPONENTS) == pytest.approx(expected)
    alone = {"a": 70.0, "b": 80.0, "c": 100.0}
    assert value(ledger(courses, "a", worths, alone), Part.OPPONENTS) == pytest.approx(0, abs=1e-9)
    assert value(ledger(courses, "a", worths, {}), Part.OPPONENTS) == 0.0


def test_mistakes_are_scaled_from_the_sample_by_phase() -> None:
    courses = league(FOUR, 5)
    worths = fitted(courses, 4)
    choices = sum(
        1 + sum(p.seat == c.bots.index("a") and not p.forced for p in c.plays) for c in courses
    ) / len(courses)
    found = ledger(courses, "a", worths, {}, costs(courses, "a", 0.5, noise=2.0, share=0.2))
    mistakes = found.parts[Part.MISTAKES]
    assert mistakes is not None
    assert mistakes.error is not None
    assert 0 < mistakes.error < 0.2 * choices
    assert mistakes.value == pytest.approx(0.5 * choices, abs=4 * mistakes.error)
    # Decisions that were looked at for what they are, forced ones and those of others say nothing.
    other = costs(courses, "b", 50.0)
    more = ledger(courses, "a", worths, {}, [*costs(courses, "a", 0.5, noise=2.0, share=0.2), *other])
    assert more.parts[Part.MISTAKES] == mistakes
