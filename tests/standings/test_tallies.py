"""Places, means and shares, counted by hand; who took the Papayoo, against rounds played out."""

from __future__ import annotations

from random import Random

import pytest

from arena.deals import Deals
from arena.papayoo import PAPAYOOS, Round, card_at
from arena.standings import (
    MatchResult,
    RoundResult,
    dealer_means,
    papayoo_shares,
    papayoo_taker,
    place_shares,
    seat_means,
)

MATCHES = [
    MatchResult("abc", 3, (100, 250, 400), (0, 0, 0)),
    MatchResult("bca", 3, (250, 250, 250), (0, 0, 0)),
    MatchResult("bca", 1, (50, 60, 140), (0, 40, 0)),
    MatchResult("abd", 1, (50, 60, 140), (40, 0, 0)),
]


def test_places_count_fault_points_and_ties_share() -> None:
    assert [match.places() for match in MATCHES] == [[1, 2, 3], [1, 1, 1], [1, 2, 3], [2, 1, 3]]


def test_place_shares() -> None:
    assert place_shares(MATCHES) == {
        "a": (0.5, 0.25, 0.25),
        "b": (0.75, 0.25, 0.0),
        "c": (1 / 3, 1 / 3, 1 / 3),
        "d": (0.0, 0.0, 1.0),
    }


def test_seat_means_are_card_points_a_round_without_charges() -> None:
    assert seat_means(MATCHES) == {
        "a": (150 / 4, None, 390 / 4),
        "b": (300 / 4, 310 / 4, None),
        "c": (None, 310 / 4, 400 / 3),
        "d": (None, None, 140.0),
    }


def test_no_matches() -> None:
    assert place_shares([]) == {}
    assert seat_means([]) == {}


def test_impossible_matches_are_refused() -> None:
    with pytest.raises(ValueError, match="249 card points in a match of 1 rounds"):
        MatchResult("abc", 1, (100, 100, 49), (0, 0, 0))
    with pytest.raises(ValueError, match="3 seats has 2 card points and 3 charges"):
        MatchResult("abc", 1, (100, 150), (0, 0, 0))


ROUNDS = [
    RoundResult("abc", 0, (100, 150, 0), 1),
    RoundResult("abc", 1, (10, 40, 200), 2),
    RoundResult("cab", 0, (50, 120, 80), 1),
    RoundResult("abd", 2, (250, 0, 0), 0),
]


def test_dealer_means_go_by_the_distance_from_the_dealer() -> None:
    assert dealer_means(ROUNDS) == {
        "a": (100.0, (120 + 250) / 2, 10.0),
        "b": (40.0, 150.0, 80 / 2),
        "c": (50.0, 200.0, 0.0),
        "d": (0.0, None, None),
    }


def test_papayoo_shares() -> None:
    assert papayoo_shares(ROUNDS) == {"a": 2 / 4, "b": 1 / 4, "c": 1 / 3, "d": 0.0}


def test_no_rounds() -> None:
    assert dealer_means([]) == {}
    assert papayoo_shares([]) == {}


def test_impossible_rounds_are_refused() -> None:
    with pytest.raises(ValueError, match="3 seats has 3 numbers of card points, 249 in all"):
        RoundResult("abc", 0, (100, 100, 49), 0)
    with pytest.raises(ValueError, match="3 seats has 2 numbers of card points, 250 in all"):
        RoundResult("abc", 0, (100, 150), 0)
    with pytest.raises(ValueError, match="dealer = 3: there are only the seats 0 to 2"):
        RoundResult("abc", 3, (100, 100, 50), 0)
    with pytest.raises(ValueError, match="papayoo_taker = -1"):
        RoundResult("abc", 0, (100, 100, 50), -1)


@pytest.mark.parametrize("players", [3, 4, 5, 6, 7, 8])
def test_the_taker_of_the_papayoo_is_whom_the_rules_give_it_to(players: int) -> None:
    rng, deals = Random(players), Deals(bytes(32))
    for number in range(20):
        round_ = Round.deal(deals.board(0, 0, number, players), dealer=number % players)
        for seat in range(players):
            cards = [card_at(round_.hands[seat], place) for place in range(round_.pass_count)]
            round_.choose_pass(seat, sum(1 << card for card in cards))
        while not round_.over:
            legal = round_.legal()
            round_.play(card_at(legal, rng.randrange(legal.bit_count())))
        suit = round_.papayoo_suit
        assert suit is not None
        plays = [card for trick in round_.tricks for card in trick.cards]
        expected = [trick.taker for trick in round_.tricks if PAPAYOOS[suit] in trick.cards]
        assert [papayoo_taker(plays, round_.dealer, players, suit)] == expected


def test_a_round_without_the_papayoo_or_with_a_strange_dealer_is_refused() -> None:
    with pytest.raises(ValueError, match="no Papayoo among the 0 cards"):
        papayoo_taker([], 0, 4, 2)
    with pytest.raises(ValueError, match="there is no seat 4"):
        papayoo_taker([], 4, 4, 2)
