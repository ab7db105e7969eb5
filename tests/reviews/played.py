"""Sessions played for the tests of a review: real deals, seat orders and rules, and simple policies.

Policies see the round itself, so they are no example of how to write a bot. Everything follows from the
arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from arena.deals import Deals, MatchKey
from arena.match.record import MatchRecord, MatchSetup, RoundRecord, SeatRecord, Terms
from arena.papayoo import Board, Round, card_at, cards_of, dealer_of, mask_of, places
from arena.schedule import seat_orders
from arena.strategy import Policy as Rollout
from arena.strategy import passed


@dataclass(frozen=True, slots=True)
class Policy:
    """A bot inside this process.

    `passing`: returns the cards of a hand to give away, as a mask. `playing`: returns a card for the seat
    whose turn it is.
    """

    passing: Callable[[int, int, Random], int]
    playing: Callable[[Round, Random], int]


def _soundly(round_: Round, dice: Random) -> int:
    assert round_.papayoo_suit is not None
    others = sum(round_.hands) & ~round_.hands[round_.turn]
    return Rollout(round_.players, round_.papayoo_suit).choose(round_.legal(), others, round_.trick)


def _any_card(round_: Round, dice: Random) -> int:
    return card_at(round_.legal(), dice.randrange(round_.legal().bit_count()))


SOUND = Policy(lambda hand, count, dice: passed(hand, count), _soundly)
"""Plays as every seat does in a rollout."""
ANY = Policy(lambda hand, count, dice: mask_of(dice.sample(list(cards_of(hand)), count)), _any_card)
HIGH = Policy(SOUND.passing, lambda round_, dice: max(cards_of(round_.legal()), key=lambda card: card % 10))


def playing(policy: Policy, change: Callable[[Round, Random, int], int]) -> Policy:
    """The policy, with each card that it would play changed."""
    return Policy(policy.passing, lambda round_, dice: change(round_, dice, policy.playing(round_, dice)))


def records(
    players: Mapping[str, Policy], sessions: int, seed: int = 1, rounds: int = 4
) -> list[MatchRecord]:
    """The matches of a league of one line-up, whose order is drawn anew for each session."""
    dice = Random(seed)
    found = []
    for cycle in range(sessions):
        order = dice.sample(sorted(players), len(players))
        deals = Deals(dice.randbytes(32))
        boards = [deals.board(number, len(order)) for number in range(rounds)]
        for row, seats in enumerate(seat_orders(tuple(range(len(order))))):
            found.append(match(players, MatchKey(cycle, 0, row), [order[i] for i in seats], boards, dice))
    return found


def one_match(policies: Sequence[Policy], rounds: int = 1, seed: int = 0) -> MatchRecord:
    """One match of these policies, by seat; their bots are bot0, bot1 and so on."""
    dice = Random(seed)
    players = {f"bot{seat}": policy for seat, policy in enumerate(policies)}
    deals = Deals(dice.randbytes(32))
    boards = [deals.board(number, len(players)) for number in range(rounds)]
    return match(players, MatchKey(0, 0, 0), list(players), boards, dice)


def match(
    players: Mapping[str, Policy],
    key: MatchKey,
    bots: Sequence[str],
    boards: Iterable[Board],
    dice: Random,
) -> MatchRecord:
    """One match."""
    boards = tuple(boards)
    policies = [players[bot] for bot in bots]
    rounds = tuple(
        _round(policies, Round.deal(board, dealer_of(number, len(bots))), dice)
        for number, board in enumerate(boards)
    )
    points = [sum(each.points[seat] for each in rounds) for seat in range(len(bots))]
    seats = tuple(
        SeatRecord(bot, points[seat], 0, place, 0)
        for seat, (bot, place) in enumerate(zip(bots, places(points), strict=True))
    )
    setup = MatchSetup(boards, "SHDC", (0,) * len(bots), Terms(1000, 0, 40, 3))
    return MatchRecord(key, setup, seats, rounds, (), 0, 1)


def _round(policies: Sequence[Policy], round_: Round, dice: Random) -> RoundRecord:
    plays: list[int] = []
    for seat, policy in enumerate(policies):
        round_.choose_pass(seat, policy.passing(round_.hands[seat], round_.pass_count, dice))
    while not round_.over:
        plays.append(policies[round_.turn].playing(round_, dice))
        round_.play(plays[-1])
    took = (0,) * (len(policies) + len(plays))
    return RoundRecord(tuple(round_.passed), tuple(plays), tuple(round_.points), (), took)
