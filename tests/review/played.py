"""Sessions played for the tests of a review: real deals, seat orders and rules, and simple policies.

Everything follows from the arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from arena.deals import Deals, MatchKey
from arena.match.faults import Fault, FaultKind
from arena.match.record import MatchRecord, MatchSetup, RoundRecord, SeatRecord, Terms
from arena.papayoo import Board, Round, card_at, dealer_of, places
from arena.review.course import Course, courses_of
from arena.schedule import seat_orders
from tests.review.policies import Policy, policy_of

TERMS = Terms(1000, 0, 40, 3)
Players = Mapping[str, Policy]

SHORT, DUMP, DUCK, ANY = (policy_of(name) for name in ("short", "dump", "duck", "any"))


@dataclass(frozen=True, slots=True)
class Late:
    """A bot that is late in this share of its plays; the stand-in then plays any card."""

    policy: Policy
    share: float


def league(
    players: Mapping[str, Policy | Late], sessions: int, seed: int = 1, rounds: int = 4
) -> list[Course]:
    """All rounds of a league of one line-up: every bot in every seat, so many sessions."""
    return [course for record in records(players, sessions, seed, rounds) for course in courses_of(record)]


def records(
    players: Mapping[str, Policy | Late], sessions: int, seed: int = 1, rounds: int = 4
) -> list[MatchRecord]:
    """The matches of such a league. The line-up's order is drawn anew for each session."""
    dice = Random(seed)
    found = []
    for cycle in range(sessions):
        order = tuple(dice.sample(sorted(players), len(players)))
        found += session(players, cycle, order, dice, rounds)
    return found


def session(
    players: Mapping[str, Policy | Late], cycle: int, order: tuple[str, ...], dice: Random, rounds: int
) -> list[MatchRecord]:
    """One session: the same boards in each seat order."""
    deals = Deals(dice.randbytes(32))
    boards = tuple(deals.board(number, len(order)) for number in range(rounds))
    numbers = seat_orders(tuple(range(len(order))))
    return [
        match(players, MatchKey(cycle, 0, row), tuple(order[i] for i in seats), boards, dice)
        for row, seats in enumerate(numbers)
    ]


def match(
    players: Mapping[str, Policy | Late],
    key: MatchKey,
    bots: Sequence[str],
    boards: Iterable[Board],
    dice: Random,
) -> MatchRecord:
    """One match."""
    boards = tuple(boards)
    faults: list[Fault] = []
    rounds = []
    for number, board in enumerate(boards):
        rounds.append(
            _round(players, bots, Round.deal(board, dealer_of(number, len(bots))), dice, faults, number)
        )
    points = [sum(each.points[seat] for each in rounds) for seat in range(len(bots))]
    late = [sum(fault.seat == seat for fault in faults) for seat in range(len(bots))]
    seats = tuple(
        SeatRecord(bot, points[seat], 40 * late[seat], place, late[seat])
        for seat, (bot, place) in enumerate(zip(bots, places(points), strict=True))
    )
    setup = MatchSetup(boards, "SHDC", (0,) * len(bots), TERMS)
    return MatchRecord(key, setup, seats, tuple(rounds), tuple(faults), 0, 1)


def _round(
    players: Mapping[str, Policy | Late], bots: Sequence[str], round_: Round, dice: Random,
    faults: list[Fault], number: int,
) -> RoundRecord:  # fmt: skip
    table = [players[bot] for bot in bots]
    policies = [each.policy if isinstance(each, Late) else each for each in table]
    plays: list[int] = []
    stand_in = []
    for seat, policy in enumerate(policies):
        round_.choose_pass(seat, policy.passing(round_.hands[seat], round_.pass_count, dice))
    while not round_.over:
        own = table[round_.turn]
        if isinstance(own, Late) and dice.random() < own.share:
            stand_in.append(len(bots) + len(plays))
            question = round_.trick_number + 1
            faults.append(Fault(round_.turn, FaultKind.TIMEOUT, "nothing arrived", number, question))
            legal = round_.legal()
            card = card_at(legal, dice.randrange(legal.bit_count()))
        else:
            card = policies[round_.turn].playing(round_, dice)
        plays.append(card)
        round_.play(card)
    took = tuple(dice.randrange(20, 900) for _ in range(len(bots) + len(plays)))
    return RoundRecord(tuple(round_.passed), tuple(plays), tuple(round_.points), tuple(stand_in), took)


def playing(policy: Policy, change: Callable[[Round, Random, int], int]) -> Policy:
    """The policy, with each card that it would play changed."""
    return Policy(policy.passing, lambda round_, dice: change(round_, dice, policy.playing(round_, dice)))
