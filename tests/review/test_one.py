"""One decision by its place: the same whoever asks, and in whatever order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.review.cost import cost_of
from arena.review.course import courses_of
from arena.review.one import chance_of, decision_at, review_one
from arena.review.sample import choices_of
from tests.review.played import ANY, DUCK, DUMP, SHORT, records

RECORD = records({"short": SHORT, "dump": DUMP, "duck": DUCK, "any": ANY}, 1, rounds=2)[0]
PLACES = choices_of(courses_of(RECORD), "any")


@pytest.mark.slow
def test_a_decision_is_found_by_its_place_with_what_it_cost() -> None:
    for place in (PLACES[0], PLACES[7], PLACES[-1]):
        decision = decision_at(RECORD, place)
        assert (decision.place, decision.seat, decision.bot) == ((place[1], place[2]), place[3], "any")
        found = review_one(RECORD, place, "1", 16)
        cost = cost_of(decision, 16, chance_of(place, "1"))
        assert found.place == place
        assert (found.bot, found.phase, found.chosen) == ("any", decision.phase, decision.chosen)
        assert (found.cost, found.error, found.best) == (cost.cost, cost.error, cost.best)
        assert (found.true_cost, found.expected) == (cost.true_cost, cost.expected)
        assert (found.worlds, found.options, found.in_sample) == (16, cost.options, True)


def test_a_place_that_the_match_does_not_have_is_named() -> None:
    match, _, question, seat = PLACES[1]
    with pytest.raises(ValueError, match=rf"0\.0\.0\.0 has no decision of seat {seat} in round 9, question"):
        review_one(RECORD, (match, 9, question, seat), "1", 8)
    other = replace(match, order=3)
    with pytest.raises(ValueError, match=r"0\.0\.3\.0 has no decision of seat"):
        decision_at(RECORD, (other, *PLACES[1][1:]))
