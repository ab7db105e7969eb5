"""How fast this machine is: the time for a fixed piece of the arena's own work. Compares nothing."""

from __future__ import annotations

import random
import time

from arena.papayoo import Board, Round, cards_of, deck, mask_of

__all__ = ["pace_us"]

_PLAYERS = 4
_ROUNDS = 48
_SEED = 20
_TIMES = 50
"""How often the work is done. On a machine of 2024 all together take 0.2 s."""


def pace_us() -> int:
    """Return how long the work takes at best, in microseconds of this thread's processor time.

    The best of many tries says least about what else the machine does meanwhile.
    """
    tries = []
    for _ in range(_TIMES):
        began = time.thread_time_ns()
        _work()
        tries.append(time.thread_time_ns() - began)
    return max(1, min(tries) // 1000)


def _work() -> None:
    """Deal some rounds and play them at random, always the same ones."""
    chance = random.Random(_SEED)  # noqa: S311 - it is to be the same everywhere
    for number in range(_ROUNDS):
        _play_out(chance, number % _PLAYERS)


def _play_out(chance: random.Random, dealer: int) -> None:
    cards = cards_of(deck(_PLAYERS))
    chance.shuffle(cards)
    hands = tuple(mask_of(cards[seat::_PLAYERS]) for seat in range(_PLAYERS))
    round_ = Round.deal(Board(hands=hands, papayoo_suit=chance.randrange(4)), dealer=dealer)
    for seat in range(_PLAYERS):
        round_.choose_pass(seat, mask_of(chance.sample(cards_of(round_.hands[seat]), round_.pass_count)))
    while not round_.over:
        round_.apply(chance.choice(cards_of(round_.legal())))
