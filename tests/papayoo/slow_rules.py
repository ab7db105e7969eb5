"""Papayoo once more, slowly, on lists of card names: a second opinion, sharing nothing with `arena.papayoo`.

Written from the text of the rules alone and kept naive on purpose. It must not import the code it judges.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """How a round went: who took each trick, what the trick scored, and the sums by seat."""

    takers: list[int]
    trick_points: list[int]
    points: list[int]


def deck(players: int) -> list[str]:
    """The table's cards, plain suits first, each by rank."""
    cards = [suit + str(rank) for suit in "SHDC" for rank in range(1, 11)]
    cards += ["P" + str(rank) for rank in range(1, 21)]
    if players in (7, 8):
        cards = [card for card in cards if card not in ("S1", "H1", "D1", "C1")]
    return cards


def cards_to_pass(players: int) -> int:
    """How many cards each player passes."""
    if players <= 4:
        return 5
    if players == 5:
        return 4
    return 3


def playable(hand: list[str], trick: list[str]) -> list[str]:
    """What a player with this hand may add to this trick."""
    if trick:
        following = [card for card in hand if card[0] == trick[0][0]]
        if following:
            return following
    return list(hand)


def place_of_best(trick: list[str]) -> int:
    """Which card of the trick takes it, counted from 0 in play order."""
    best = 0
    for place, card in enumerate(trick):
        if card[0] == trick[0][0] and int(card[1:]) > int(trick[best][1:]):
            best = place
    return best


def worth(card: str, die: str) -> int:
    """The points of a card when the die shows that suit letter."""
    if card[0] == "P":
        return int(card[1:])
    if card == die + "7":
        return 40
    return 0


def hand_over(hands: list[list[str]], passes: list[list[str]]) -> list[list[str]]:
    """The hands after every player has given its chosen cards to the next seat."""
    players = len(hands)
    after = []
    for seat in range(players):
        assert len(set(passes[seat])) == len(passes[seat]) == cards_to_pass(players)
        assert all(card in hands[seat] for card in passes[seat])
        kept = [card for card in hands[seat] if card not in passes[seat]]
        after.append(kept + passes[(seat - 1) % players])
    return after


def play_out(hands: list[list[str]], dealer: int, die: str, plays: list[str]) -> Outcome:
    """Play these cards in order, from the hands as they are after the pass; AssertionError if illegal."""
    players = len(hands)
    left = [list(hand) for hand in hands]
    leader = dealer
    outcome = Outcome([], [], [0] * players)
    for start in range(0, len(plays), players):
        trick: list[str] = []
        for place, card in enumerate(plays[start : start + players]):
            seat = (leader + place) % players
            assert card in playable(left[seat], trick), f"seat {seat} may not play {card} on {trick}"
            left[seat].remove(card)
            trick.append(card)
        leader = (leader + place_of_best(trick)) % players
        scored = sum(worth(card, die) for card in trick)
        outcome.takers.append(leader)
        outcome.trick_points.append(scored)
        outcome.points[leader] += scored
    assert all(hand == [] for hand in left), "cards are left over"
    return outcome
