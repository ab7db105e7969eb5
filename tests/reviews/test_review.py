"""A review from the records to its end: a planted fault is found, and flawless play is not accused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from arena.match.faults import Fault, FaultKind
from arena.papayoo import Round, cards_of, rank_of
from arena.reviews.conditions import shared_by_costly
from arena.reviews.costs import Reviewed, blunders, cost_of, review_decision
from arena.reviews.decisions import Phase, decision_at
from arena.reviews.review import Survey, in_fair_order, review_of
from tests.reviews.played import ANY, SOUND, Policy, playing, records

SEED, WORLDS = "honest", 32


def leads_highest(round_: Round, dice: Random, card: int) -> int:
    return card if round_.trick else max(cards_of(round_.legal()), key=rank_of)


def survey_of(bot: Policy, sessions: int) -> tuple[Survey, list[Reviewed]]:
    """A bot among sound ones, and so many decisions reviewed as `arena review` does."""
    matches = records({"bot": bot, "a": SOUND, "b": SOUND, "c": ANY}, sessions)
    survey = Survey("bot")
    for record in matches:
        survey.add(record)
    by_key = {record.key: record for record in matches}
    choices = [place for places in survey.choices.values() for place in places]
    wanted = in_fair_order(choices, SEED)[: 8 * sessions]
    return survey, [review_decision(by_key[place[0]], place, SEED, WORLDS) for place in wanted]


@pytest.mark.slow
def test_a_planted_fault_is_found() -> None:
    survey, found = survey_of(playing(SOUND, leads_highest), 12)
    review = review_of(survey, found)
    assert review.shared[0].words == "when it leads its highest card"
    by_phase = {phase.phase: phase for phase in review.phases}
    lead, follow = by_phase[Phase.LEAD].each, by_phase[Phase.FOLLOW].each
    assert lead is not None
    assert follow is not None
    assert lead.value > 2 * follow.value
    assert review.costliest == tuple(blunders(found)[:10])
    assert review.reviewed == len(found) == sum(phase.reviewed for phase in review.phases)
    assert review.a_round is not None
    assert review.a_round.value == pytest.approx(sum(phase.a_round or 0 for phase in review.phases))


@pytest.mark.slow
def test_flawless_play_is_not_accused() -> None:
    """Whoever chooses what is best in other worlds makes no mistake in these."""
    matches = records({"bot": ANY, "a": SOUND, "b": SOUND, "c": SOUND}, 8)
    survey = Survey("bot")
    for record in matches:
        survey.add(record)
    by_key = {record.key: record for record in matches}
    choices = [place for places in survey.choices.values() for place in places]
    flawless = []
    for place in in_fair_order(choices, SEED)[:30]:
        decision = decision_at(by_key[place[0]], place)
        best = cost_of(decision, 128, Random(f"best {place}")).best
        flawless.append(cost_of(replace(decision, chosen=best), WORLDS, Random(f"cost {place}")))
    assert blunders(flawless) == []
    assert shared_by_costly(flawless) == ()
    assert sum(each.cost for each in flawless) / len(flawless) < 0.5


def test_every_beginning_of_the_order_is_a_fair_sample() -> None:
    survey = Survey("a")
    for record in records({"a": ANY, "b": ANY, "c": ANY, "d": ANY}, 10, rounds=2):
        survey.add(record)
    choices = [place for places in survey.choices.values() for place in places]
    order = in_fair_order(choices, "1")
    assert order == in_fair_order(choices, "1") != in_fair_order(choices, "2")
    assert sorted(map(repr, order)) == sorted(map(repr, choices))
    for size in (10, 57, 200):
        of_session = Counter(place[0].cycle for place in order[:size])
        whole = Counter(place[0].cycle for place in choices)
        for cycle, count in whole.items():
            assert abs(of_session[cycle] - size * count / len(choices)) <= 2


def test_a_review_without_any_decision_tried_says_what_is_certain() -> None:
    survey = Survey("a")
    (record, *_) = records({"a": ANY, "b": ANY, "c": ANY, "d": ANY}, 1)
    seat = next(number for number, one in enumerate(record.seats) if one.bot == "a")
    faults = tuple(Fault(seat, FaultKind.TIMEOUT, "nothing arrived", 1, place) for place in (4, 5))
    seats = tuple(replace(one, charge=80 if one.bot == "a" else 0) for one in record.seats)
    survey.add(replace(record, faults=faults, seats=seats))
    review = review_of(survey, [])
    assert (review.matches, review.rounds, review.reviewed) == (1, 4, 0)
    assert (review.faults, review.charge) == ({"timeout": 2}, 20.0)
    assert review.total.bot == record.seats[seat].points / 4
    assert (review.a_round, review.costliest, review.shared) == (None, (), ())
    assert review.choices == sum(phase.choices for phase in review.phases) > 40
