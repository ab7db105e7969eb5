"""What decisions cost: planted faults much, good choices nothing, whoever holds the hidden cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from arena.papayoo import pass_count
from arena.review.cost import Cost, cost_of
from arena.review.decisions import Decision, decisions_of
from arena.review.options import options_of, same_effect, sound_choice
from arena.review.phases import Phase
from arena.strategy import Dealer, passed
from tests.review.playing import Lots, Sound, played


def chance(decision: Decision, seed: int = 1) -> Random:
    return Random(f"{seed} {decision.place} {decision.seat}")


def costs(decisions: Sequence[Decision], worlds: int = 64, seed: int = 1) -> list[Cost]:
    return [cost_of(each, worlds, chance(each, seed)) for each in decisions]


@pytest.mark.parametrize("players", [3, 8])
def test_every_decision_at_any_table_has_a_cost(players: int) -> None:
    record = played([Lots(Random(players)), *[Sound()] * (players - 1)], 1, players)
    for decision, found in zip(
        decisions_of(record, [0]), costs(list(decisions_of(record, [0])), 4), strict=True
    ):
        assert found.best in options_of(decision)
        assert found.options == len(options_of(decision))
        assert found.worlds == 4
        assert decision.points[0] <= found.expected <= 250
        if decision.forced:
            assert (found.cost, found.error, found.true_cost, found.best) == (0, 0, 0, decision.chosen)


def test_the_truth_changes_the_true_cost_alone() -> None:
    """Cost, error and expectation look at no hidden card: with another truth they are the same."""
    record = played([Lots(Random(4)), Sound(), Sound(), Sound()], 1, 4)
    differ = 0
    for decision in decisions_of(record, [0]):
        one, other = (cost_of(each, 4, Random(7)) for each in (decision, with_other_truth(decision)))
        differ += one.true_cost != other.true_cost
        assert replace(one, true_cost=0, rollouts=0) == replace(other, true_cost=0, rollouts=0)
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


def test_fewer_than_two_worlds_a_half_are_refused() -> None:
    decision = next(decisions_of(played([Sound()] * 4, 1, 1)))
    with pytest.raises(ValueError, match="two worlds or more"):
        cost_of(decision, 3, Random(1))


@pytest.mark.slow
def test_beside_the_sound_choice_a_sound_bot_loses_nothing_and_others_as_much_as_both_differ() -> None:
    record = played([Lots(Random(8)), *[Sound()] * 3], 1, 8)
    for decision, found in zip(
        decisions_of(record, [1]), costs(list(decisions_of(record, [1])), 8), strict=True
    ):
        assert (found.beside, found.beside_error) == (0, 0), decision.place
    decisions = [each for each in decisions_of(record, [0]) if not same_effect(each, sound_choice(each))]
    assert len(decisions) > 5
    for decision, found in zip(decisions, costs(decisions, 8), strict=True):
        other = cost_of(replace(decision, chosen=sound_choice(decision)), 8, chance(decision))
        assert found.beside == pytest.approx(found.expected - other.expected)
        assert found.beside_error > 0
