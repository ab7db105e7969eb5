"""The renaming of suits: every permutation, one map in both directions, no signal in any order."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.match.packed import pack
from arena.match.relabel import Relabelling
from arena.papayoo import CARD_NAMES, WHOLE_DECK, cards_of, mask_of
from protocol.messages import CARDS

ALL_SUITS = ["".join(letters) for letters in permutations("SHDC")]
SUITS = st.sampled_from(ALL_SUITS)
CARD_SETS = st.integers(0, WHOLE_DECK)


@pytest.mark.parametrize("suits", ALL_SUITS)
def test_each_card_has_one_name_and_the_name_leads_back(suits: str) -> None:
    labels = Relabelling(suits)
    assert sorted(labels.card_names) == sorted(CARDS)
    for card, name in enumerate(labels.card_names):
        assert labels.card(name) == card
        canonical = CARD_NAMES[card]
        assert name == dict(zip("SHDCP", suits + "P", strict=True))[canonical[0]] + canonical[1:]


@given(SUITS, CARD_SETS)
def test_sets_are_named_card_by_card_and_sorted_after_the_renaming(suits: str, cards: int) -> None:
    labels = Relabelling.of(suits)
    one_by_one = [labels.card_names[card] for card in cards_of(cards)]
    assert labels.names(cards) == sorted(one_by_one, key=CARDS.index)
    assert mask_of(card for name in labels.names(cards) if (card := labels.card(name)) is not None) == cards
    assert labels.cards(labels.names(cards)) == cards
    assert labels.packed(cards) == pack(labels.names(cards))


@pytest.mark.parametrize("name", ["", "S0", "S11", "s7", "P21", "X1", "7S", "S7 "])
def test_names_of_no_card(name: str) -> None:
    assert Relabelling("CHSD").card(name) is None


@pytest.mark.parametrize("suits", ["", "SHD", "SHDCP", "SSDC", "shdc", "SHDP"])
def test_letters_that_are_no_permutation_are_refused(suits: str) -> None:
    with pytest.raises(ValueError, match="must be the letters SHDC"):
        Relabelling(suits)


@pytest.mark.parametrize("names", [["S7", "S7"], ["S7", "S11"], [""]])
def test_names_that_make_no_set(names: list[str]) -> None:
    assert Relabelling("CHSD").cards(names) is None
