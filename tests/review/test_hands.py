"""What hands are worth: zero-sum, fair to the die, found again by the fit, and good for explaining points."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean

import pytest

from arena.papayoo import PLAIN_SUITS, mask_of, parse_card
from arena.review.hand_priors import PRIORS
from arena.review.hands import (
    CARD_FEATURES,
    HAND_FEATURES,
    Worths,
    card_features,
    hand_features,
)
from tests.review.measure_priors import dealt_anew
from tests.review.played import DUMP


def cards(text: str) -> int:
    return mask_of(parse_card(name) for name in text.split())


def test_features_count_what_their_names_say() -> None:
    hand = cards("S7 S8 S10 S1 H7 H9 D2 C3 P1 P6 P10 P11 P20")
    expected = [1, 2, 1, 1, 1, 2, 4, 1, 3]
    assert card_features(hand, 0) == expected
    assert len(expected) == len(CARD_FEATURES)
    # Hearts, diamonds and clubs are short; the seat is two to the left of the dealer at a table of five.
    assert hand_features(hand, 0, 2, 5) == [*expected, 3, 0, 0.5]
    assert hand_features(hand, 0, 0, 5)[-2:] == [1, 0]
    assert len(hand_features(hand, 0, 0, 5)) == len(HAND_FEATURES)


@pytest.mark.parametrize("players", range(3, 9))
def test_luck_is_zero_sum_at_every_table_and_the_die_is_fair(players: int) -> None:
    worths = Worths(PRIORS[players].dealt, PRIORS[players].received)
    for course in dealt_anew(DUMP, 3, players, seed=1):
        luck = worths.luck(course)
        for part in ("deal", "die", "passed_in"):
            assert sum(getattr(each, part) for each in luck) == pytest.approx(0, abs=1e-9)
        by_die = [worths.luck(replace(course, papayoo_suit=suit)) for suit in PLAIN_SUITS]
        for seat in range(players):
            assert len({round(each[seat].deal, 9) for each in by_die}) == 1
            assert fmean(each[seat].die for each in by_die) == pytest.approx(0, abs=1e-9)
