"""One test for each mistake seen in public Papayoo programs, so that none of them is made here."""

from __future__ import annotations

from random import Random

import pytest

from arena.papayoo import (
    CARD_NAMES,
    PLAIN_SUITS,
    POINTS_PER_ROUND,
    Illegal,
    Phase,
    Round,
    cards_of,
    dealer_of,
    deck,
    mask_of,
    names_of,
)
from tests.papayoo.setups import SIZES, cards, choose_passes, last_trick, play_on, shuffled_board


@pytest.mark.parametrize("players", SIZES)
def test_the_pass_goes_to_the_left_not_to_the_right(players: int) -> None:
    round_ = Round.deal(shuffled_board(players, Random(1)), dealer=1)
    choose_passes(round_, Random(2).sample)
    for seat in range(players):
        left = (seat + 1) % players
        assert round_.received[left] == round_.passed[seat]
        assert round_.hands[left] & round_.passed[seat] == round_.passed[seat]


@pytest.mark.parametrize("players", SIZES)
def test_the_die_and_received_cards_are_unknown_until_all_have_passed(players: int) -> None:
    round_ = Round.deal(shuffled_board(players, Random(3)), dealer=0)
    dealt = list(round_.hands)
    for seat in range(players):
        assert round_.phase is Phase.PASS
        assert round_.papayoo_suit is None
        assert round_.received == [0] * players
        assert round_.hands == dealt
        round_.choose_pass(seat, mask_of(cards_of(dealt[seat])[: round_.pass_count]))
    assert round_.papayoo_suit in PLAIN_SUITS
    assert all(round_.received)


@pytest.mark.parametrize("players", [7, 8])
def test_a_full_table_plays_without_the_plain_ones_but_with_p1(players: int) -> None:
    missing = set(CARD_NAMES) - set(names_of(deck(players)))
    assert missing == {"S1", "H1", "D1", "C1"}


@pytest.mark.parametrize("papayoo_suit", PLAIN_SUITS)
def test_one_seven_scores_40_and_the_others_nothing(papayoo_suit: int) -> None:
    sevens = cards("S7 H7 D7 C7")
    for seven in sevens:
        trick = [seven, *cards("S10 H10 D10 C10")[:3]]
        round_ = last_trick(trick, leader=0, papayoo_suit=papayoo_suit)
        before = sum(round_.points)
        for card in trick:
            round_.play(card)
        assert sum(round_.points) - before == (40 if seven == sevens[papayoo_suit] else 0)


@pytest.mark.parametrize("players", SIZES)
def test_the_dealer_moves_one_seat_each_round_and_leads(players: int) -> None:
    dealers = [dealer_of(number, players) for number in range(players + 1)]
    assert dealers == [*range(players), 0]
    for dealer in dealers:
        round_ = Round.deal(shuffled_board(players, Random(4)), dealer)
        choose_passes(round_, Random(5).sample)
        assert round_.turn == round_.leader == dealer


def test_the_pass_count_depends_on_the_table() -> None:
    accepted = {}
    for players in SIZES:
        round_ = Round.deal(shuffled_board(players, Random(6)), dealer=0)
        hand = cards_of(round_.hands[0])
        reasons = [round_.why_illegal_pass(0, mask_of(hand[:count])) for count in range(8)]
        assert reasons.count(Illegal.WRONG_COUNT) == 7
        accepted[players] = reasons.index(None)
    assert accepted == {3: 5, 4: 5, 5: 4, 6: 3, 7: 3, 8: 3}


@pytest.mark.parametrize("off_suit", ["H10", "C10", "P20"])
def test_a_high_card_of_another_suit_never_takes(off_suit: str) -> None:
    round_ = last_trick(cards(f"D2 {off_suit} D3"), leader=1, papayoo_suit=0)
    play_on(round_, Random(7))
    assert round_.tricks[-1].taker == 0  # the seat that played D3
    assert sum(round_.points) == POINTS_PER_ROUND
