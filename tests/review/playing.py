"""Matches for the tests of the review: players that decide in this process, and the record of what they did.

It asserts nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from arena.match.record import MatchRecord, RoundRecord, SeatRecord
from arena.papayoo import Round, card_at, dealer_of, pass_count
from arena.strategy import Policy, passed
from tests.driving import KEY, make_setup


class Sound:
    """Passes and plays by the policy of rollouts."""

    def choose_pass(self, hand: int, count: int) -> int:
        return passed(hand, count)

    def choose_card(self, round_: Round, unseen: int) -> int:
        assert round_.papayoo_suit is not None
        return Policy(round_.players, round_.papayoo_suit).choose(round_.legal(), unseen, round_.trick)


class Lots(Sound):
    """Passes and plays at random."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def choose_pass(self, hand: int, count: int) -> int:
        chosen = 0
        for _ in range(count):
            chosen |= 1 << self._any_of(hand & ~chosen)
        return chosen

    def choose_card(self, round_: Round, unseen: int) -> int:
        return self._any_of(round_.legal())

    def _any_of(self, cards: int) -> int:
        return card_at(cards, self._chance.randrange(cards.bit_count()))


def played(players: Sequence[Sound], rounds: int = 1, seed: int = 0) -> MatchRecord:
    """Return the record of a match of these players."""
    setup = make_setup(len(players), rounds, seed)
    records, totals = [], [0] * len(players)
    for number, board in enumerate(setup.boards):
        round_ = Round.deal(board, dealer_of(number, len(players)))
        records.append(play_round(round_, players))
        totals = [total + points for total, points in zip(totals, round_.points, strict=True)]
    seats = tuple(SeatRecord(f"bot{seat}", points, 0, 1, 0) for seat, points in enumerate(totals))
    return MatchRecord(KEY, setup, seats, tuple(records), (), 0, 1)


def play_round(round_: Round, players: Sequence[Sound]) -> RoundRecord:
    """Play a round that has just been dealt."""
    count = pass_count(len(players))
    passes = tuple(player.choose_pass(round_.hands[seat], count) for seat, player in enumerate(players))
    for seat, cards in enumerate(passes):
        round_.choose_pass(seat, cards)
    plays = []
    out = sum(round_.hands)
    while not round_.over:
        seat = round_.turn
        card = players[seat].choose_card(round_, out & ~round_.hands[seat])
        plays.append(card)
        out ^= 1 << card
        round_.play(card)
    took = (0,) * (len(passes) + len(plays))
    return RoundRecord(passes, tuple(plays), tuple(round_.points), (), took)


def changed(record: MatchRecord, change: Callable[[RoundRecord], RoundRecord]) -> MatchRecord:
    """Return the record with another first round."""
    return replace(record, rounds=(change(record.rounds[0]), *record.rounds[1:]))
