"""Measures the worths of hands that `arena.review.hand_priors` holds, and prints its table.

    python -m tests.review.measure_priors 4000

Every seat plays as Sharp does in the playouts of Redeal. It passes so too, but one pass of four is any
cards, because a worth can only be told of cards that are passed. Each round is dealt anew.
"""

from __future__ import annotations

import sys
from functools import cache
from random import Random

from arena.deals import Deals, MatchKey
from arena.papayoo import MAX_PLAYERS, MIN_PLAYERS, Round
from arena.review.course import Course, courses_of
from arena.review.hands import Sums
from arena.strategy import policy as sharp
from tests.review.played import ANY, match
from tests.review.policies import Policy

PASSED_WELL = 0.75


@cache
def _policy(players: int, papayoo_suit: int) -> sharp.Policy:
    return sharp.Policy(players, papayoo_suit)


def _card(round_: Round, dice: Random) -> int:
    legal = round_.legal()
    out = 0
    for hand in round_.hands:
        out |= hand
    assert round_.papayoo_suit is not None
    chooser = _policy(round_.players, round_.papayoo_suit)
    return chooser.choose(legal, out & ~round_.hands[round_.turn], round_.trick)


def _pass(hand: int, count: int, dice: Random) -> int:
    return sharp.passed(hand, count) if dice.random() < PASSED_WELL else ANY.passing(hand, count, dice)


SHARP = Policy(_pass, _card)


def dealt_anew(policy: Policy, rounds: int, players: int, seed: int) -> list[Course]:
    """So many rounds, each with a deal of its own, in which every seat plays alike."""
    dice = Random(seed)
    deals = Deals(dice.randbytes(32))
    boards = [deals.board(number, players) for number in range(rounds)]
    names = [f"bot{seat}" for seat in range(players)]
    return list(courses_of(match(dict.fromkeys(names, policy), MatchKey(0, 0, 0), names, boards, dice)))


def main(rounds: int) -> None:
    """Print the table."""
    for players in range(MIN_PLAYERS, MAX_PLAYERS + 1):
        sums = Sums(players)
        for course in dealt_anew(SHARP, rounds, players, seed=players):
            sums.add(course)
        found = sums.solved(weight=20)
        parts = ["        (" + ", ".join(f"{value:.1f}" for value in part) + ")," for part in found]
        print(f"    {players}: Prior(", *parts, "    ),", sep="\n")


if __name__ == "__main__":
    main(int(sys.argv[1]))
