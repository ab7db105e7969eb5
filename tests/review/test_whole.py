"""The whole review of a bot: its parts are of the same decisions and rounds, and bad input is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.papayoo import SUIT_MASKS
from arena.review.course import Course, Play
from arena.review.ledger import Part
from arena.review.phases import Phase
from arena.review.points import where_points_go
from arena.review.whole import MOST_MOMENTS, review_of
from tests.review.costs import choices, made_up
from tests.review.played import ANY, DUCK, DUMP, SHORT, league

FOUR = {"a": SHORT, "b": DUMP, "c": DUCK, "d": ANY}


def leads_cost_three(course: Course, seat: int, play: Play | None) -> float:
    return 3.0 if play and play.phase is Phase.LEAD else 0.0


def test_it_counts_the_decisions_and_scales_what_they_cost() -> None:
    courses = league(FOUR, 2)
    costs = made_up(courses, "a", leads_cost_three, share=0.5, noise=0.01)
    found = review_of(courses, "a", costs, {}, 40, played=60)
    all_choices = [play for course in courses for _, play in choices(course, "a")]
    leads = sum(play is not None and play.phase is Phase.LEAD for play in all_choices)
    assert (found.bot, found.played, found.matches, found.rounds) == ("a", 60, 8, 32)
    assert (found.choices, found.reviewed) == (len(all_choices), len(costs))
    of_leads = next(each for each in found.phases if each.phase is Phase.LEAD)
    assert of_leads.choices == leads
    assert of_leads.each is not None
    assert of_leads.each.value == pytest.approx(3, abs=0.01)
    assert of_leads.a_round == pytest.approx(3 * leads / 32, rel=0.01)
    assert sum(each.reviewed for each in found.phases) == len(costs)
    assert found.mistakes_a_round == found.ledger.parts[Part.MISTAKES]
    assert found.mistakes_a_round is not None
    assert found.mistakes_a_round.value == pytest.approx(3 * leads / 32, rel=0.01)
    assert sum(row.bot for row in found.points if row.split == "taken") == pytest.approx(
        62.5 + found.ledger.difference.value
    )


def test_the_costliest_moments_come_with_their_positions() -> None:
    courses = league(FOUR, 1)

    def cost(course: Course, seat: int, play: Play | None) -> float:
        return 8.0 if play is None else 3.0 if play.phase is Phase.LEAD else 0.0

    found = review_of(courses, "b", made_up(courses, "b", cost, noise=0.01), {}, 40, 4)
    assert len(found.costliest) == MOST_MOMENTS
    assert found.blunders == sum(each.choices for each in found.phases[:2])
    by_place = {(course.key, course.number): course for course in courses}
    for moment in found.costliest:
        course = by_place[moment.decision.match, moment.decision.round]
        assert (moment.hand, moment.table) == (course.dealt[moment.decision.seat], ())
        assert moment.papayoo_suit is None

    def of_follows(course: Course, seat: int, play: Play | None) -> float:
        return 5.0 if play and play.phase is Phase.FOLLOW else 0.0

    for moment in review_of(courses, "b", made_up(courses, "b", of_follows, noise=0.1), {}, 40, 4).costliest:
        course = by_place[moment.decision.match, moment.decision.round]
        led = next(suit for suit in SUIT_MASKS if suit >> moment.table[0] & 1)
        assert moment.hand & led & moment.decision.chosen
        assert moment.papayoo_suit == course.papayoo_suit


def test_looked_at_for_what_they_are_they_do_not_count_in_the_means() -> None:
    courses = league(FOUR, 1)
    fair = made_up(courses, "a", leads_cost_three, share=0.3)
    places = {each.place for each in fair}
    more = [
        replace(each, in_sample=False, cost=50.0)
        for each in made_up(courses, "a", leads_cost_three)
        if each.place not in places
    ]
    one, other = (review_of(courses, "a", costs, {}, 40, 4) for costs in (fair, fair + more))
    assert one.phases == other.phases
    assert one.ledger == other.ledger
    assert (one.reviewed, other.reviewed) == (len(fair), len(fair) + len(more))


def test_without_a_review_there_is_what_records_tell() -> None:
    courses = league(FOUR, 1, rounds=1)
    found = review_of(courses, "c", [], {}, 40, 4)
    assert found.mistakes_a_round is None
    assert [each.each for each in found.phases] == [None] * 4
    assert found.costliest == ()
    assert found.points
    assert found.rounds == 4


def test_a_bot_alone_at_its_table_has_no_field() -> None:
    alone = [replace(course, bots=("a",) * 4) for course in league(FOUR, 1, rounds=1)]
    found = review_of(alone, "a", [], {}, 40, 4)
    assert (found.rounds, found.points, found.findings) == (16, (), ())


def test_the_best_bot_is_the_one_with_the_best_score_and_not_the_luckiest() -> None:
    courses = league(FOUR, 1, rounds=1)
    by_luck = min("abcd", key=lambda bot: sum(c.points[c.bots.index(bot)] for c in courses))
    for best in FOUR.keys() - {by_luck}:
        scores = dict.fromkeys(FOUR, 1.0) | {best: -2.0, "absent": -9.0}
        found = review_of(courses, "a", [], scores, 40, 4).points
        assert found == where_points_go(courses, "a", best)
        assert found != where_points_go(courses, "a", by_luck)
    assert review_of(courses, "a", [], {}, 40, 4).points == where_points_go(courses, "a", by_luck)


def test_who_was_not_there_and_what_was_not_read_is_named() -> None:
    courses = league(FOUR, 1, rounds=1)
    with pytest.raises(ValueError, match="no round of zed"):
        review_of(courses, "zed", [], {}, 40, 4)
    costs = made_up(courses, "a", lambda *_: 9.0)
    with pytest.raises(ValueError, match="was not read"):
        review_of(courses[1:], "a", costs, {}, 40, 4)
