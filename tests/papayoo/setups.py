"""What the tests of the rules share: the vectors, boards, and the middles of rounds."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from random import Random
from typing import Any

from hypothesis import strategies as st

from arena.papayoo import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    POINTS_PER_ROUND,
    SUITS,
    Board,
    Position,
    Round,
    card_at,
    cards_of,
    deck,
    hand_size,
    mask_of,
    parse_card,
    points_of,
)

SIZES = range(MIN_PLAYERS, MAX_PLAYERS + 1)


def vectors(file: str, member: str) -> list[Any]:
    """The cases of one member of a vector file."""
    path = files("arena.papayoo") / "vectors" / f"{file}.json"
    cases = json.loads(path.read_text(encoding="utf-8"))[member]
    assert isinstance(cases, list)
    assert cases
    return cases


def cards(names: list[str] | str) -> list[int]:
    """The cards of these names, given as a list or separated by spaces."""
    return [parse_card(name) for name in (names.split() if isinstance(names, str) else names)]


def mask(names: list[str] | str) -> int:
    """The set of the cards of these names."""
    return mask_of(cards(names))


def suit(letter: str) -> int:
    """The number of a suit."""
    return SUITS.index(letter)


def shuffled_board(players: int, rng: Random) -> Board:
    """A random board for that many players."""
    pack = cards_of(deck(players))
    rng.shuffle(pack)
    size = hand_size(players)
    hands = [mask_of(pack[start : start + size]) for start in range(0, len(pack), size)]
    return Board(tuple(hands), rng.randrange(4))


def board_with(hand: int, players: int) -> Board:
    """A board whose dealer has this hand; the rest of the deck is shared out in order."""
    rest = cards_of(deck(players) & ~hand)
    size = hand_size(players)
    others = [mask_of(rest[start : start + size]) for start in range(0, len(rest), size)]
    return Board((hand, *others), papayoo_suit=0)


def position_with(hand: int, trick: list[int], players: int) -> Position:
    """A position in which seat 0 led, `trick` lies there, and the seat to act has this hand."""
    rest = cards_of(deck(players) & ~hand & ~mask_of(trick))
    hands = []
    for seat in range(players):
        count = hand.bit_count() - (seat < len(trick))
        hands.append(hand if seat == len(trick) else mask_of(rest[:count]))
        if seat != len(trick):
            rest = rest[count:]
    taken = points_of(mask_of(rest), papayoo_suit=0)
    return Position(
        papayoo_suit=0,
        dealer=0,
        leader=0,
        hands=tuple(hands),
        trick=tuple(trick),
        points=(taken, *[0] * (players - 1)),
    )


def last_trick(trick: list[int], leader: int, papayoo_suit: int) -> Round:
    """A round before its last trick, in which the leader holds trick[0], its left neighbour trick[1] ..."""
    players = len(trick)
    hands = tuple(1 << trick[(seat - leader) % players] for seat in range(players))
    taken = POINTS_PER_ROUND - points_of(mask_of(trick), papayoo_suit)
    return Round.position(
        Position(
            papayoo_suit=papayoo_suit,
            dealer=0,
            leader=leader,
            hands=hands,
            trick=(),
            points=(taken, *[0] * (players - 1)),
        )
    )


def choose_passes(round_: Round, choose: Callable[[list[int], int], list[int]]) -> None:
    """Let every seat choose its pass: `choose` gets the hand and the count."""
    for seat, hand in enumerate(list(round_.hands)):
        round_.choose_pass(seat, mask_of(choose(cards_of(hand), round_.pass_count)))


def play_on(round_: Round, rng: Random, plays: int = 60) -> list[int]:
    """Play so many random legal cards, or all; the cards played."""
    played: list[int] = []
    while not round_.over and len(played) < plays:
        legal = round_.legal()
        played.append(card_at(legal, rng.randrange(legal.bit_count())))
        round_.play(played[-1])
    return played


@st.composite
def rounds_after_pass(draw: st.DrawFn) -> tuple[Round, Random]:
    """A round of any size and dealer with random passes made, and dice to play it on with."""
    players = draw(st.sampled_from(SIZES))
    dealer = draw(st.integers(0, players - 1))
    rng = Random(draw(st.integers(0, 2**32 - 1)))
    round_ = Round.deal(shuffled_board(players, rng), dealer)
    choose_passes(round_, rng.sample)
    return round_, rng
