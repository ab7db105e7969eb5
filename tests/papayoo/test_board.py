"""What may be a board, and how it comes to the seats."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from arena.papayoo import DIE, PLAIN_SUITS, Board, deck, hand_size, mask_of
from tests.papayoo.setups import SIZES, mask, shuffled_board


def test_the_die_has_two_faces_a_plain_suit() -> None:
    assert Counter(DIE) == dict.fromkeys(PLAIN_SUITS, 2)


@pytest.mark.parametrize("players", SIZES)
def test_position_0_is_the_dealer_whoever_deals(players: int) -> None:
    board = shuffled_board(players, Random(players))
    for dealer in range(players):
        by_seat = board.hands_by_seat(dealer)
        positions = [by_seat[(dealer + position) % players] for position in range(players)]
        assert tuple(positions) == board.hands


def four_hands() -> list[int]:
    return list(shuffled_board(4, Random(4)).hands)


def test_hands_of_unequal_size_are_refused() -> None:
    first, second, *others = four_hands()
    card = second & -second
    with pytest.raises(ValueError, match="position 0 needs 15 cards"):
        Board((first | card, second ^ card, *others), 0)


def test_a_card_dealt_twice_is_refused() -> None:
    first, second, *others = four_hands()
    twice = first & -first
    with pytest.raises(ValueError, match="position 1 holds cards dealt before"):
        Board((first, second & (second - 1) | twice, *others), 0)


def test_a_card_outside_the_deck_is_refused() -> None:
    size = hand_size(8)
    wrong = deck(8) & ~mask("S2") | mask("S1")
    hands = []
    for _ in range(8):
        hand = mask_of([card for card in range(60) if wrong >> card & 1][:size])
        wrong &= ~hand
        hands.append(hand)
    with pytest.raises(ValueError, match="a table of 8 does not play with"):
        Board(tuple(hands), 0)


@pytest.mark.parametrize("die", [-1, 4])
def test_the_die_never_shows_payoo(die: int) -> None:
    with pytest.raises(ValueError, match="a plain suit"):
        Board(tuple(four_hands()), die)


def test_two_hands_are_no_board() -> None:
    with pytest.raises(ValueError, match="not 2"):
        Board(tuple(four_hands()[:2]), 0)
