"""Another bot's answers: what they would have saved, phase by phase, and which are the same at all."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from arena.deals import MatchKey
from arena.papayoo import PAPAYOOS, Round
from arena.review.against import Answered, Compared, against, compared
from arena.review.decisions import Decision, decisions_of
from arena.review.options import options_of, same_effect
from arena.review.phases import Phase
from arena.review.worlds import Worlds
from arena.strategy import Policy
from tests.review.playing import Lots, Sound, played

KEY = MatchKey(0, 0, 0)


class LeadsPapayoo(Sound):
    """Leads the Papayoo as soon as it can."""

    def choose_card(self, round_: Round, unseen: int) -> int:
        assert round_.papayoo_suit is not None
        papayoo = PAPAYOOS[round_.papayoo_suit]
        if not round_.trick and round_.legal() >> papayoo & 1:
            return papayoo
        return super().choose_card(round_, unseen)


@cache
def led_papayoos() -> list[Decision]:
    found = []
    for seed in range(30):
        record = played([LeadsPapayoo(), *[Sound()] * 3], 1, seed)
        found += [
            each
            for each in decisions_of(record, [0])
            if each.phase is Phase.LEAD
            and each.chosen == 1 << PAPAYOOS[each.papayoo_suit]
            and each.legal.bit_count() > 5
        ]
    return found


def sound_choice(decision: Decision) -> int:
    assert decision.position is not None
    policy = Policy(decision.players, decision.papayoo_suit)
    return 1 << policy.choose(decision.legal, decision.seen.hidden, decision.position.trick)


def test_the_papayoo_led_costs_much_beside_a_sound_lead() -> None:
    found = [compared(KEY, each, sound_choice(each), 64, Random(1)) for each in led_papayoos()]
    assert len(found) >= 3
    assert sum(each.cost for each in found) / len(found) > 5
    assert sum(each.cost > 3 * each.error for each in found) > len(found) / 2


def test_the_other_way_round_it_is_the_opposite_in_the_same_worlds() -> None:
    for decision in led_papayoos()[:2]:
        other = sound_choice(decision)
        there = compared(KEY, decision, other, 32, Random(5))
        back = compared(KEY, replace(decision, chosen=other), decision.chosen, 32, Random(5))
        assert (back.cost, back.error, back.true_cost) == (-there.cost, there.error, -there.true_cost)


def test_choices_of_the_same_effect_have_the_same_points_in_every_world() -> None:
    pairs = 0
    for decision in decisions_of(played([Lots(Random(1))] * 4, 1, 1)):
        if decision.position is None:
            assert same_effect(decision, decision.chosen)
            assert not any(same_effect(decision, other) for other in options_of(decision)[1:])
            continue
        cards = [1 << card for card in range(60) if decision.legal >> card & 1]
        alike = [card for card in cards if same_effect(decision, card)]
        assert decision.chosen in alike
        assert not set(alike) & set(options_of(decision)[1:])
        worlds = Worlds(decision, Random(2))
        for other in alike:
            pairs += other != decision.chosen
            for _ in range(3):
                world = worlds.draw()
                assert world(other) == world(decision.chosen)
    assert pairs


def answer(
    session: int, number: int, phase: Phase = Phase.LEAD, cost: float | None = None, seat: int = 1
) -> Answered:
    key = MatchKey(0, session, 0)
    found = None if cost is None else Compared(key, number, 1, 0, phase, 1, 2, cost, 0.5, 0.0, 64)
    return Answered(key, number, seat, phase, False, found)


def test_the_sum_over_rounds_counts_rounds_without_a_difference() -> None:
    answers = [answer(0, 0, cost=6.0), answer(0, 0, Phase.PASS), answer(0, 1), answer(1, 0, cost=-2.0)]
    found = against("redeal", answers, exact=True)
    assert (found.rounds, found.asked, found.differ, found.illegal) == (3, 4, 2, 0)
    assert found.a_round is not None
    assert found.a_round.value == pytest.approx(4 / 3)
    assert found.a_round.error is not None
    by_phase = {each.phase: each for each in found.phases}
    assert (by_phase[Phase.LEAD].asked, by_phase[Phase.LEAD].differ) == (3, 2)
    assert by_phase[Phase.LEAD].each is not None
    assert by_phase[Phase.LEAD].each.value == pytest.approx(2.0)
    assert by_phase[Phase.PASS].each is None
    assert [each.cost for each in found.examples] == [6.0]


def test_a_round_of_a_bot_at_two_seats_counts_twice() -> None:
    found = against("redeal", [answer(0, 0, cost=6.0), answer(0, 0, seat=3), answer(1, 0)], exact=True)
    assert found.rounds == 3
    assert found.a_round is not None
    assert found.a_round.value == pytest.approx(2.0)


def test_illegal_answers_are_counted_apart() -> None:
    wrong = Answered(KEY, 0, 1, Phase.FOLLOW, True, None)
    found = against("mybot", [wrong, answer(0, 0)], exact=False)
    assert (found.illegal, found.asked, found.differ, found.exact) == (1, 2, 0, False)
    assert {each.phase: each.asked for each in found.phases}[Phase.FOLLOW] == 0
