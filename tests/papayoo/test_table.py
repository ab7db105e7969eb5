"""Cards, decks, boards, seats and dealers, and what cards score."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.papayoo import (
    CARD_NAMES,
    DIE,
    PLAIN_SUITS,
    SUITS,
    WHOLE_DECK,
    Board,
    card_at,
    card_name,
    cards_of,
    dealer_of,
    deck,
    hand_size,
    left_of,
    mask_of,
    names_of,
    parse_card,
    pass_count,
    places,
    points_of,
    rank_of,
    suit_of,
)
from tests.papayoo import slow_rules
from tests.papayoo.setups import SIZES, mask, shuffled_board, vectors


@pytest.mark.parametrize("table", vectors("tables", "tables"))
def test_numbers_of_a_table(table: dict[str, Any]) -> None:
    players = table["players"]
    assert names_of(deck(players)) == slow_rules.deck(players)
    assert deck(players).bit_count() == table["cards"] == players * table["hand_size"]
    assert names_of(WHOLE_DECK & ~deck(players)) == table["removed"]
    assert hand_size(players) == table["hand_size"]
    assert pass_count(players) == table["pass_count"] == slow_rules.cards_to_pass(players)


@pytest.mark.parametrize("players", vectors("tables", "refused"))
def test_other_sizes_are_refused(players: int) -> None:
    for refuse in (
        deck,
        hand_size,
        pass_count,
        lambda size: left_of(0, size),
        lambda size: dealer_of(0, size),
    ):
        with pytest.raises(ValueError, match=f"3 to 8 players, not {players}"):
            refuse(players)


def test_order_and_names_are_those_of_the_vectors() -> None:
    order = [name for row in vectors("cards", "order") for name in row]
    assert list(CARD_NAMES) == order
    assert [parse_card(name) for name in order] == list(range(60))
    assert [card_name(card) for card in range(60)] == order


@pytest.mark.parametrize("text", vectors("cards", "refused"))
def test_only_exact_names_are_cards(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        parse_card(text)


@pytest.mark.parametrize("number", [-1, 60, 1000])
def test_other_numbers_are_not_cards(number: int) -> None:
    for refuse in (card_name, suit_of, rank_of, lambda card: mask_of([card])):
        with pytest.raises(ValueError, match="is not a card"):
            refuse(number)


@given(st.sets(st.integers(0, 59)))
def test_a_set_and_its_mask_are_the_same(cards: set[int]) -> None:
    mask = mask_of(cards)
    assert cards_of(mask) == sorted(cards)
    assert [card_at(mask, index) for index in range(len(cards))] == sorted(cards)
    assert names_of(mask) == [CARD_NAMES[card] for card in sorted(cards)]


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
