"""Cards and sets of cards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.papayoo import (
    CARD_NAMES,
    card_at,
    card_name,
    cards_of,
    mask_of,
    names_of,
    parse_card,
    rank_of,
    suit_of,
)
from tests.papayoo.setups import vectors


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
