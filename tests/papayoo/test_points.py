"""What cards score, and places."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.papayoo import (
    PLAIN_SUITS,
    SUITS,
    deck,
    mask_of,
    names_of,
    places,
    points_of,
)
from tests.papayoo import slow_rules


@given(st.sets(st.integers(0, 59)), st.sampled_from(PLAIN_SUITS))
def test_points_of_a_set_are_the_sum(cards: set[int], suit: int) -> None:
    names = names_of(mask_of(cards))
    assert points_of(mask_of(cards), suit) == sum(slow_rules.worth(name, SUITS[suit]) for name in names)


@pytest.mark.parametrize("suit", [-1, 4, 7])
def test_the_die_shows_no_other_suit(suit: int) -> None:
    with pytest.raises(ValueError, match=f"^the die shows a plain suit, 0 to 3, not {suit}$"):
        points_of(deck(4), suit)


@pytest.mark.parametrize("mask", [-1, 1 << 60, (1 << 60) | 7])
def test_there_are_no_other_cards(mask: int) -> None:
    with pytest.raises(ValueError, match=f"^{mask} is not a set of cards: cards are 0 to 59,"):
        points_of(mask, 0)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((60, 60, 130), (1, 1, 3)),
        ((100, 50, 100), (2, 1, 2)),
        ((80, 85, 85), (1, 2, 2)),
        ((250, 0, 0, 0), (4, 1, 1, 1)),
        ((3, 2, 1), (3, 2, 1)),
        ((5, 5, 5), (1, 1, 1)),
    ],
)
def test_fewest_points_come_first_and_ties_share(scores: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert places(scores) == expected
