"""What hands are worth: zero-sum, fair to the die, found again by the fit, and good for explaining points."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from statistics import fmean, pvariance

import pytest

from arena.papayoo import PLAIN_SUITS, mask_of, parse_card
from arena.review.hand_priors import PRIORS
from arena.review.hands import (
    CARD_FEATURES,
    HAND_FEATURES,
    Sums,
    Worths,
    card_features,
    fitted,
    hand_features,
)
from tests.review.measure_priors import SHARP, dealt_anew
from tests.review.played import DUMP, SHORT


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


@pytest.mark.slow
def test_the_fit_finds_worths_that_made_the_points() -> None:
    """Points made of known worths and noise give these worths back."""
    dice = Random(2)
    truth = Worths(
        tuple(dice.uniform(-9, 9) for _ in HAND_FEATURES), tuple(dice.uniform(-9, 9) for _ in CARD_FEATURES)
    )
    sums = Sums(4)
    for course in dealt_anew(SHORT, 600, 4, seed=2):
        luck = truth.luck(course)
        points = [62.5 + each.deal + each.die + each.passed_in for each in luck]
        sums.add(replace(course, points=tuple(points)))  # type: ignore[arg-type]
    found = sums.solved(weight=1e-6)
    predicted, real = Worths(found.dealt, found.received), truth
    probe = dealt_anew(SHORT, 60, 4, seed=3)
    pairs = [
        (a, b) for course in probe for a, b in zip(predicted.luck(course), real.luck(course), strict=True)
    ]
    # What is passed on depends on the hand, so deal and pass share a part; their sum is what was given.
    missed = [a.deal + a.die + a.passed_in - b.deal - b.die - b.passed_in for a, b in pairs]
    whole = [b.deal + b.die + b.passed_in for _, b in pairs]
    assert pvariance(missed) < 0.1 * pvariance(whole)


def explained(worths: Worths, rounds: int, seed: int) -> float:
    """The share of the variance of points that deal and die explain."""
    points, left = [], []
    for course in dealt_anew(SHORT, rounds, 4, seed):
        for seat, luck in enumerate(worths.luck(course)):
            points.append(course.points[seat])
            left.append(course.points[seat] - luck.deal - luck.die)
    return 1 - pvariance(left) / pvariance(points)


def test_what_is_known_beforehand_explains_points_of_other_players_too() -> None:
    assert explained(Worths(PRIORS[4].dealt, PRIORS[4].received), 200, seed=4) > 0.03


@pytest.mark.slow
def test_a_large_league_judges_by_its_own_rounds_and_a_small_one_by_what_is_known() -> None:
    known = PRIORS[4]
    nothing = fitted([], 4)
    assert nothing.dealt == pytest.approx(known.dealt)
    few = fitted(dealt_anew(SHORT, 4, 4, seed=5), 4)
    assert max(abs(a - b) for a, b in zip(few.dealt, known.dealt, strict=True)) < 1.5
    many = fitted(dealt_anew(SHORT, 500, 4, seed=6), 4)
    assert explained(many, 200, seed=7) > explained(few, 200, seed=7)


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 8])
def test_what_is_known_beforehand_is_what_the_measurement_gives(players: int) -> None:
    """Other deals of the measurement give worths that predict the same luck."""
    sums = Sums(players)
    for course in dealt_anew(SHARP, 1500, players, seed=100 + players):
        sums.add(course)
    again = sums.solved(weight=20)
    stored, measured = (
        Worths(PRIORS[players].dealt, PRIORS[players].received),
        Worths(again.dealt, again.received),
    )
    gaps, whole = [], []
    for course in dealt_anew(SHARP, 100, players, seed=7):
        for a, b in zip(stored.luck(course), measured.luck(course), strict=True):
            gaps.append(a.deal + a.passed_in - b.deal - b.passed_in)
            whole.append(a.deal + a.passed_in)
    assert pvariance(gaps) < 0.15 * pvariance(whole)
