"""Worlds of a decision: deals of the hidden cards that fit all that the seat could know, and the true one.

In a world each option is played on to the end of the round. Every seat plays by the policy of
`arena.strategy`, which looks at no hidden card either. At a pass the others pass by that policy, and the die
is rolled anew in each world. This module must not know how options are compared.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from arena.papayoo import DIE, Board, Position, Round, pass_count
from arena.reviews.decisions import Decision
from arena.strategy import Dealer, Policy, passed


class World:
    """One deal of all cards. Call it with an option: it returns the points of the seat in the whole round."""

    __slots__ = ("_found", "_policy", "_round", "_seat")

    def __init__(self, round_: Round, seat: int, policy: Policy) -> None:
        self._round = round_
        self._seat = seat
        self._policy = policy
        self._found: dict[int, int] = {}

    def __call__(self, option: int) -> int:
        points = self._found.get(option)
        if points is None:
            round_ = self._round.copy()
            if round_.papayoo_suit is None:  # the die is not rolled before all have passed
                round_.choose_pass(self._seat, option)
            else:
                round_.apply(option.bit_length() - 1)
            points = self._found[option] = self._policy.play_out(round_, self._seat)
        return points


class Worlds:
    """Draws worlds of one decision. One that is drawn again is the same object, and plays nothing again."""

    def __init__(self, decision: Decision, chance: Random) -> None:
        self._decision = decision
        self._chance = chance
        self._dealer = Dealer(decision.seen, chance)
        self._drawn: dict[tuple[int, ...], World] = {}
        self._policies: dict[int, Policy] = {}
        self._of_pass = decision.position is None

    def draw(self) -> World:
        """Return a world in which everything hidden is drawn at random."""
        seat = self._decision.seat
        hands = self._dealer.deal()
        hands[seat] = self._decision.hand
        # A play comes after the die, whose suit the seat has seen.
        suit = self._chance.choice(DIE) if self._of_pass else self._decision.papayoo_suit
        world = self._drawn.get((suit, *hands))
        if world is None:
            count = pass_count(len(hands))
            passes = [passed(hand, count) for hand in hands] if self._of_pass else []
            world = self._drawn[(suit, *hands)] = self._world(hands, passes, suit)
        return world

    def true(self) -> World:
        """Return the world as it was, with the die and with what the others really passed."""
        decision = self._decision
        return self._world(list(decision.true_hands), list(decision.true_passes), decision.papayoo_suit)

    def _world(self, hands: list[int], passes: list[int], suit: int) -> World:
        """Return the world of these hands. `passes`: by seat, what the others pass, if this is a pass."""
        decision = self._decision
        seat, position = decision.seat, decision.position
        if position is None:
            round_ = Round.deal(_board(hands, decision.dealer, suit), decision.dealer)
            for other, cards in enumerate(passes):
                if other != seat:
                    round_.choose_pass(other, cards)
        else:
            round_ = Round.position(_with_hands(position, hands))
        return World(round_, seat, self._policy(suit))

    def _policy(self, suit: int) -> Policy:
        policy = self._policies.get(suit)
        if policy is None:
            policy = self._policies[suit] = Policy(self._decision.players, suit)
        return policy


def _board(hands: list[int], dealer: int, suit: int) -> Board:
    return Board((*hands[dealer:], *hands[:dealer]), suit)


def _with_hands(position: Position, hands: list[int]) -> Position:
    return replace(position, hands=tuple(hands))
