"""What costly decisions share, on real decisions with simulated costs: the planted condition and no other."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import pytest

from arena.reviews.conditions import CONDITIONS, shared_by_costly
from arena.reviews.costs import Reviewed
from arena.reviews.decisions import Decision, Phase, decisions_of
from tests.reviews.played import ANY, SOUND, records

CostOf = Callable[[Decision], float]


@cache
def decisions() -> list[Decision]:
    """The decisions of a bot that plays at random: it shows each pattern now and then."""
    matches = records({"bot": ANY, "a": SOUND, "b": SOUND, "c": SOUND}, 12)
    return [
        each
        for record in matches
        for each in decisions_of(record, [[seat.bot for seat in record.seats].index("bot")])
        if each.had_choice
    ]


def reviewed(cost_of: CostOf, seed: int, share: float = 0.25) -> list[Reviewed]:
    """A fair sample, each cost found with an error of 2 points."""
    dice = Random(seed)
    return [
        Reviewed(each, each.chosen, cost_of(each) + dice.gauss(0, 2), 2.0, 0, 64)
        for each in decisions()
        if dice.random() < share
    ]


@pytest.mark.parametrize(
    "words",
    [
        "when it passes no 7, though it holds some",
        "when it leads its highest card",
        "when it goes over, though it could stay under",
        "when it throws its lowest card",
        "when it keeps the Papayoo, though it could throw it",
        "after the first round of a match",
    ],
)
def test_a_planted_condition_is_the_first_and_its_cost_is_told(words: str) -> None:
    (planted,) = [one for one in CONDITIONS if one.words == words]
    cost = 20.0 if planted.phases == (Phase.PASS,) else 8.0

    def cost_of(decision: Decision) -> float:
        return cost * (decision.phase in planted.phases and planted.holds(decision))

    found = shared_by_costly(reviewed(cost_of, 1, 0.6))
    assert found[0].words == words
    assert found[0].each.error is not None
    assert abs(found[0].each.value - cost) < 4 * found[0].each.error
    assert abs(found[0].otherwise) < 1
    assert found[0].share > 0.8
    assert len(found) == 1, "without what is told already nothing is left"


@pytest.mark.parametrize("even", [0.0, 5.0], ids=["flawless", "bad everywhere"])
def test_a_bot_without_a_particular_fault_is_accused_in_one_of_twenty_reviews_at_most(even: float) -> None:
    """Most costs are small and some are large, as in real play, wherever they fall."""
    dice = Random(5)

    def cost_of(decision: Decision) -> float:
        return even * (dice.random() < 0.1) * dice.expovariate(0.1)

    accused = sum(bool(shared_by_costly(reviewed(cost_of, seed))) for seed in range(40))
    assert accused <= 5  # of 40 at 5 %: more than 5 in one of 70 runs


def test_costs_as_small_as_those_of_sound_play_are_not_told() -> None:
    (planted,) = [one for one in CONDITIONS if one.words == "when it leads"]
    small = shared_by_costly(reviewed(lambda each: 0.2 * planted.holds(each) * (each.phase is Phase.LEAD), 3))
    assert small == ()
    assert shared_by_costly([]) == ()


def test_every_condition_holds_now_and_then() -> None:
    never = [
        one.words
        for one in CONDITIONS
        if not any(each.phase in one.phases and one.holds(each) for each in decisions())
    ]
    assert never == []
