"""What decisions cost: planted faults much, good choices nothing, whoever holds the hidden cards."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from arena.deals import MatchKey
from arena.papayoo import pass_count
from arena.reviews.costs import Reviewed, average_cost, blunders, cost_of, review_decision
from arena.reviews.decisions import Decision, Phase, decisions_of
from arena.reviews.options import options_of
from arena.strategy import Dealer, passed
from tests.reviews.played import ANY, SOUND, one_match

RECORD = one_match([ANY, SOUND, SOUND, SOUND], 1, 4)
FIRST = next(decisions_of(RECORD, [0]))


@pytest.mark.parametrize("players", [3, 8])
def test_every_decision_at_any_table_has_a_cost(players: int) -> None:
    record = one_match([ANY, *[SOUND] * (players - 1)], 1, players)
    for decision in decisions_of(record, [0]):
        found = cost_of(decision, 4, Random(1))
        assert found.best in options_of(decision)
        assert found.worlds == 4
        if not decision.had_choice:
            assert (found.cost, found.error, found.true_cost, found.best) == (0, 0, 0, decision.chosen)


def test_the_truth_changes_the_true_cost_alone() -> None:
    """Cost and error look at no hidden card: with another truth they are the same."""
    differ = 0
    for decision in decisions_of(RECORD, [0]):
        one, other = (cost_of(each, 4, Random(7)) for each in (decision, with_other_truth(decision)))
        differ += one.true_cost != other.true_cost
        assert (one.cost, one.error, one.best) == (other.cost, other.error, other.best)
    assert differ


def with_other_truth(decision: Decision) -> Decision:
    """The decision with what the seat could not know dealt anew; at a pass with another die too."""
    hands = Dealer(decision.seen, Random(2)).deal()
    hands[decision.seat] = decision.hand
    if decision.phase is not Phase.PASS:
        return replace(decision, true_hands=tuple(hands))
    passes = tuple(passed(hand, pass_count(len(hands))) for hand in hands)
    suit = (decision.papayoo_suit + 1) % 4
    return replace(decision, true_hands=tuple(hands), true_passes=passes, papayoo_suit=suit)


def test_a_decision_is_found_by_its_place_and_costs_the_same_each_time() -> None:
    place = list(decisions_of(RECORD, [0]))[3].place
    found = review_decision(RECORD, place, "1", 8)
    assert found.decision.place == place
    assert found == review_decision(RECORD, place, "1", 8)
    assert found != review_decision(RECORD, place, "2", 8)
    with pytest.raises(ValueError, match="no decision of seat 0 in round 9, question 3"):
        review_decision(RECORD, (place[0], 9, 3, 0), "1", 8)
    with pytest.raises(ValueError, match="two worlds or more"):
        cost_of(FIRST, 3, Random(1))


def reviewed(cost: float, error: float, session: int = 0) -> Reviewed:
    decision = replace(FIRST, place=(MatchKey(session, 0, 0), 0, 0, 0))
    return Reviewed(decision, FIRST.chosen, cost, error, 0, 100)


def test_a_blunder_is_sure_beside_all_others_and_costs_a_point() -> None:
    sure, small, unsure, dear = reviewed(8, 1), reviewed(0.9, 0.01), reviewed(8, 6), reviewed(20, 2)
    others = [reviewed(0, 1)] * 13
    assert blunders([sure, small, unsure, dear, *others]) == [dear, sure]
    borderline = reviewed(3, 1.2)
    assert blunders([borderline]) == [borderline]
    assert blunders([borderline, *[reviewed(0, 1)] * 300]) == []


def test_the_error_of_a_mean_is_at_least_that_of_the_reviews() -> None:
    alike = average_cost([reviewed(1.0, 2.0, session) for session in range(16)])
    assert (alike.value, alike.error, alike.degrees_of_freedom) == (1.0, pytest.approx(0.5), 15)
    apart = average_cost([reviewed(10.0 * (session % 2), 0.1, session) for session in range(16)])
    assert apart.error == pytest.approx(5 / 15**0.5)
