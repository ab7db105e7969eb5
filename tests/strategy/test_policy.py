"""Rollouts: legal, from a seat's own knowledge alone, sound; and which cards are of equal effect."""

from __future__ import annotations

from random import Random

import pytest

from arena.papayoo import Board, Round, cards_of, deck, mask_of, names_of, parse_card, pass_count
from arena.strategy import NO_CARD, Policy, alike, best_of, passed

CLUBS = 3


def cards(names: str) -> int:
    return mask_of(map(parse_card, names.split()))


def trick(names: str) -> list[int]:
    return [parse_card(name) for name in names.split()]


def dealt(players: int, chance: Random) -> Round:
    """A round after its passes."""
    mixed = cards_of(deck(players))
    chance.shuffle(mixed)
    board = Board(tuple(mask_of(mixed[seat::players]) for seat in range(players)), chance.randrange(4))
    round_ = Round.deal(board, 0)
    for seat in range(players):
        round_.choose_pass(seat, passed(round_.hands[seat], pass_count(players)))
    return round_


@pytest.mark.parametrize("players", range(3, 9))
def test_a_rollout_ends_with_the_points_of_the_seat(players: int) -> None:
    round_ = dealt(players, Random(players))
    suit = round_.papayoo_suit
    assert suit is not None
    twin = round_.copy()
    points = Policy(players, suit).play_out(round_, 1)
    assert round_.over
    assert points == round_.points[1]
    assert Policy(players, suit).play_out(twin, 1) == points  # it remembers values, and no game
    assert twin.tricks == round_.tricks


@pytest.mark.parametrize("players", [3, 4, 8])
def test_every_card_it_chooses_is_legal(players: int) -> None:
    round_ = dealt(players, Random(players))
    policy = Policy(players, round_.papayoo_suit or 0)
    while not round_.over:
        unseen = 0
        for hand in round_.hands:
            unseen |= hand
        round_.play(policy.choose(round_.legal(), unseen & ~round_.hands[round_.turn], round_.trick))


def test_it_throws_the_papayoo_where_it_cannot_take_it() -> None:
    policy = Policy(4, CLUBS)
    unseen = deck(4) & ~cards("C2 C7 C9 H5 P20")
    assert names_of(1 << policy.choose(cards("C7 P20 C2"), unseen, trick("H3"))) == ["C7"]
    assert names_of(1 << policy.choose(cards("C2 C7"), unseen, trick("C8"))) == ["C7"]


def test_it_leads_neither_the_papayoo_nor_a_high_payoo_from_safe_cards() -> None:
    unseen = deck(4) & ~cards("C7 S1 P20")
    assert names_of(1 << Policy(4, CLUBS).choose(cards("C7 S1 P20"), unseen, [])) == ["S1"]


def test_it_passes_high_cards() -> None:
    hand = cards("S1 S2 H1 H2 D1 P1 P2 P18 P19 P20")
    assert passed(hand, 3) == cards("P18 P19 P20")


def test_the_winning_card_of_a_trick_is_the_highest_of_the_led_suit() -> None:
    assert best_of([]) == NO_CARD
    assert best_of(trick("H3 S10 H9 H4 P20")) == parse_card("H9")


HEARTS = 1


@pytest.mark.parametrize(
    ("legal", "between", "groups"),
    [
        ("S2 S3 S4", "H1", ["S2 S3 S4"]),
        ("S2 S4", "", ["S2 S4"]),  # S3 has been played
        ("S2 S4", "S3", ["S2", "S4"]),
        ("S2 S3 S5 S6 S9", "S4 S10", ["S2 S3", "S5 S6 S9"]),
        ("S10 H1", "", ["S10", "H1"]),  # neighbours, but of two suits
        ("P3 P4", "", ["P3", "P4"]),  # they score
        ("H6 H7 H8", "", ["H6", "H7", "H8"]),  # the Papayoo scores, and parts the others
        ("D6 D7 D8", "", ["D6 D7 D8"]),  # this 7 does not
    ],
)
def test_plain_cards_without_another_between_them_are_alike(
    legal: str, between: str, groups: list[str]
) -> None:
    found = alike(cards(legal), cards(between), HEARTS)
    assert [" ".join(names_of(group)) for group in found] == groups
