"""What a decision is compared with: legal, different, what was chosen first, and never too many."""

from __future__ import annotations

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.papayoo import PLAIN_SUITS, SUIT_MASKS, cards_of, hand_size, pass_count
from arena.reviews.decisions import Decision, Phase, decisions_of
from arena.reviews.options import MOST_OPTIONS, options_of
from arena.strategy import passed
from tests.reviews.played import ANY, one_match


def decisions(players: int, seed: int) -> list[Decision]:
    return list(decisions_of(one_match([ANY] * players, 1, seed)))


@given(st.integers(3, 8), st.integers(0, 2**20))
def test_options_are_legal_and_different_and_begin_with_what_was_chosen(players: int, seed: int) -> None:
    for decision in decisions(players, seed):
        options = options_of(decision)
        assert options[0] == decision.chosen
        assert len(set(options)) == len(options) <= MOST_OPTIONS
        count = pass_count(players) if decision.phase is Phase.PASS else 1
        assert all(option.bit_count() == count and not option & ~decision.legal for option in options)


@pytest.mark.parametrize("players", range(3, 9))
def test_passes_have_the_policys_choice_all_of_the_worst_cards_voids_and_every_card(players: int) -> None:
    count = pass_count(players)
    voided = 0
    for decision in decisions(players, players)[:players]:
        options, hand = options_of(decision), decision.hand
        assert passed(hand, count) in options
        among = passed(hand, count + 2)
        assert sum(not option & ~among for option in options) >= comb(count + 2, count)
        for suit in PLAIN_SUITS:
            cards = hand & SUIT_MASKS[suit]
            if cards and cards.bit_count() <= count:
                voided += 1
                assert any(not cards & ~option for option in options)
        if hand_size(players) + comb(count + 2, count) < MOST_OPTIONS:
            assert all(any(option >> card & 1 for option in options) for card in cards_of(hand))
    assert voided


def test_every_legal_card_is_an_option_or_like_one() -> None:
    seen_alike = 0
    for decision in decisions(4, 3):
        if decision.phase is Phase.PASS:
            continue
        left = decision.legal & ~sum(options_of(decision))
        seen_alike += left.bit_count()
        for card in cards_of(left):  # a plain card with no hidden card between it and an option of its suit
            suit = SUIT_MASKS[card // 10]
            options = [option.bit_length() - 1 for option in options_of(decision) if option & suit]
            between = [
                decision.seen.hidden & ((1 << max(card, one)) - (2 << min(card, one))) for one in options
            ]
            assert 0 in between
    assert seen_alike


def test_a_decision_without_a_choice_has_one_option() -> None:
    forced = [decision for decision in decisions(4, 5) if not decision.had_choice]
    assert forced
    assert all(options_of(decision) == (decision.chosen,) for decision in forced)
