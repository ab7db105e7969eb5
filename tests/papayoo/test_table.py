"""Decks, hands, passes, seats and dealers."""

from __future__ import annotations

from typing import Any

import pytest

from arena.papayoo import (
    WHOLE_DECK,
    dealer_of,
    deck,
    hand_size,
    left_of,
    names_of,
    pass_count,
)
from tests.papayoo import slow_rules
from tests.papayoo.setups import vectors


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
