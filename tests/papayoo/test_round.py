"""Whole rounds: the vectors, both accounts of the rules, and what holds whatever is played."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.papayoo import (
    POINTS_PER_ROUND,
    SUITS,
    Board,
    Phase,
    Position,
    Round,
    cards_of,
    deck,
    mask_of,
    names_of,
    parse_card,
)
from tests.examples import examples
from tests.papayoo import slow_rules
from tests.papayoo.setups import (
    SIZES,
    cards,
    last_trick,
    mask,
    play_on,
    position_with,
    rounds_after_pass,
    shuffled_board,
    suit,
    vectors,
)

ROUNDS = vectors("rounds", "rounds")
RoundAndDice = tuple[Round, Random]


def size_and_dealer(case: dict[str, Any]) -> str:
    return f"{case['players']} players, seat {case['dealer']} deals"


def names(played: list[int]) -> list[str]:
    return [name for card in played for name in names_of(1 << card)]


def as_position(round_: Round) -> Position:
    assert round_.papayoo_suit is not None
    return Position(
        papayoo_suit=round_.papayoo_suit,
        dealer=round_.dealer,
        leader=round_.leader,
        hands=tuple(round_.hands),
        trick=tuple(round_.trick),
        points=tuple(round_.points),
    )


def state(round_: Round) -> tuple[object, ...]:
    """Everything public that a play changes, as values."""
    lists = (round_.hands, round_.passed, round_.received, round_.trick, round_.points, round_.tricks)
    scalars = (round_.phase, round_.turn, round_.leader, round_.trick_number, round_.legal())
    return (*(tuple(each) for each in lists), *scalars)


@pytest.mark.parametrize("case", ROUNDS, ids=size_and_dealer)
def test_vectors_played(case: dict[str, Any]) -> None:
    players, dealer = case["players"], case["dealer"]
    hands = [mask(case["hands"][(dealer + position) % players]) for position in range(players)]
    round_ = Round.deal(Board(tuple(hands), suit(case["papayoo_suit"])), dealer)
    for seat, chosen in enumerate(case["passes"]):
        round_.choose_pass(seat, mask(chosen))
    assert [names_of(received) for received in round_.received] == case["received"]
    for trick in case["tricks"]:
        for name in trick:
            round_.play(parse_card(name))
    assert round_.over
    assert [names(list(trick.cards)) for trick in round_.tricks] == case["tricks"]
    assert [trick.leader for trick in round_.tricks] == [dealer, *case["takers"][:-1]]
    assert [trick.taker for trick in round_.tricks] == case["takers"]
    assert [trick.points for trick in round_.tricks] == case["trick_points"]
    assert round_.points == case["points"]


@pytest.mark.parametrize("case", vectors("legal", "cases"), ids=lambda case: case["name"])
def test_legal_plays(case: dict[str, Any]) -> None:
    round_ = Round.position(position_with(mask(case["hand"]), cards(case["trick"]), case["players"]))
    assert names_of(round_.legal()) == case["legal"]
    assert slow_rules.playable(case["hand"], case["trick"]) == case["legal"]


@pytest.mark.parametrize("case", vectors("tricks", "cases"), ids=lambda case: case["name"])
def test_takers_and_points(case: dict[str, Any]) -> None:
    trick = cards(case["cards"])
    round_ = last_trick(trick, case["leader"], suit(case["papayoo_suit"]))
    *unfinished, done = [round_.play(card) for card in trick]
    assert unfinished == [None] * (case["players"] - 1)
    assert done is not None
    assert done == (case["leader"], tuple(trick), case["taker"], case["points"])
    assert sum(slow_rules.worth(name, case["papayoo_suit"]) for name in case["cards"]) == case["points"]


@given(rounds_after_pass())
def test_any_round_plays_every_card_once_for_250_points_as_the_slow_rules_say(given_: RoundAndDice) -> None:
    round_, rng = given_
    assert round_.papayoo_suit is not None
    assert {hand.bit_count() for hand in round_.hands} == {round_.hand_size}
    hands = [names_of(hand) for hand in round_.hands]
    played = play_on(round_, rng)
    outcome = slow_rules.play_out(hands, round_.dealer, SUITS[round_.papayoo_suit], names(played))
    assert [trick.taker for trick in round_.tricks] == outcome.takers
    assert [trick.points for trick in round_.tricks] == outcome.trick_points
    assert round_.points == outcome.points
    assert sorted(played) == cards_of(deck(round_.players))
    assert sum(round_.points) == POINTS_PER_ROUND
    assert round_.phase is Phase.OVER
    assert round_.trick_number == len(round_.tricks) == round_.hand_size
    assert round_.legal() == 0
    assert not any(round_.hands)


@given(rounds_after_pass())
@examples(40)
def test_legal_is_exactly_what_is_not_illegal(given_: RoundAndDice) -> None:
    round_, rng = given_
    while not round_.over:
        allowed = [card for card in range(60) if round_.why_illegal_play(card) is None]
        assert allowed
        assert mask_of(allowed) == round_.legal()
        hand = names_of(round_.hands[round_.turn])
        assert names_of(round_.legal()) == slow_rules.playable(hand, names(round_.trick))
        play_on(round_, rng, plays=1)


@given(rounds_after_pass(), st.integers(0, 60))
def test_a_copy_is_independent(given_: RoundAndDice, plays: int) -> None:
    round_, rng = given_
    play_on(round_, rng, plays)
    before = state(round_)
    twin = round_.copy()
    assert state(twin) == before
    played = play_on(twin, rng)
    assert state(round_) == before
    for card in played:
        round_.play(card)
    assert state(round_) == state(twin)


@given(rounds_after_pass(), st.integers(0, 55))
def test_a_position_plays_on_like_the_round_it_shows(given_: RoundAndDice, plays: int) -> None:
    round_, rng = given_
    play_on(round_, rng, min(plays, deck(round_.players).bit_count() - 1))
    taken_up = Round.position(as_position(round_))
    known = len(round_.tricks)
    assert taken_up.legal() == round_.legal()
    for card in play_on(round_.copy(), rng):
        assert taken_up.turn == round_.turn
        assert taken_up.trick_number == round_.trick_number
        assert taken_up.play(card) == round_.play(card)
    assert taken_up.over
    assert taken_up.points == round_.points
    assert taken_up.tricks == round_.tricks[known:]


@given(st.sampled_from(SIZES), st.randoms(use_true_random=False))
def test_passes_may_be_chosen_in_any_order(players: int, rng: Random) -> None:
    board = shuffled_board(players, rng)
    in_order, mixed = Round.deal(board, 0), Round.deal(board, 0)
    chosen = [mask_of(rng.sample(cards_of(hand), in_order.pass_count)) for hand in in_order.hands]
    for seat in range(players):
        assert in_order.turn == seat
        assert in_order.legal() == in_order.hands[seat]
        in_order.choose_pass(seat, chosen[seat])
    for seat in rng.sample(range(players), players):
        assert (mixed.phase, mixed.papayoo_suit, any(mixed.received)) == (Phase.PASS, None, False)
        mixed.choose_pass(seat, chosen[seat])
    assert state(mixed) == state(in_order)


def good_position() -> Position:
    """Four players with the last two cards each; seat 3 led and seat 0 followed."""
    return Position(
        papayoo_suit=0,
        dealer=2,
        leader=3,
        hands=(mask("S7"), mask("P1 P2"), mask("P3 P4"), mask("C1")),
        trick=tuple(cards("C9 C8")),
        points=(200, 0, 0, 0),
    )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"papayoo_suit": 4}, "a plain suit"),
        ({"dealer": 4}, "no seat 4"),
        ({"leader": -1}, "no seat -1"),
        ({"hands": (0, 0)}, "not 2"),
        ({"hands": (0, 0, 0, 0), "trick": ()}, "seat 2 needs 1 to 15 cards, not 0"),
        ({"hands": (mask("S7"), mask("P1"), mask("P3 P4"), mask("C1"))}, "seat 1 needs 2 cards, not 1"),
        ({"hands": (mask("P1"), mask("P1 P2"), mask("P3 P4"), mask("C1"))}, r"elsewhere too: \['P1'\]"),
        ({"hands": (mask("C9"), mask("P1 P2"), mask("P3 P4"), mask("C1"))}, r"elsewhere too: \['C9'\]"),
        ({"hands": (1 << 60, mask("P1 P2"), mask("P3 P4"), mask("C1"))}, "does not play with"),
        ({"trick": tuple(cards("C9 C8 C7 C6"))}, "fewer than 4 cards, not 4"),
        ({"trick": tuple(cards("C9"))}, "seat 0 needs 2 cards, not 1"),
        ({"points": (200, 0, 0)}, "4 numbers"),
        ({"points": (201, -1, 0, 0)}, "from 0 up"),
        ({"points": (160, 0, 0, 0)}, "make 210, not 250"),
    ],
)
def test_a_position_that_cannot_occur_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Round.position(replace(good_position(), **wrong))
