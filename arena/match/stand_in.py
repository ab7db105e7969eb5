"""Who decides when a bot does not: a random legal choice that anybody can derive again.

The lowest legal card would reward silence, so the choice is random. It follows from the match's
key, the round, the seat and the question alone, so that equal answers give equal records in whatever
order they arrive. This module must not know faults.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from arena.deals import Deals, MatchKey, pick
from arena.match.record import RoundRecord
from arena.papayoo import cards_of, mask_of

STAND_IN: Final = "stand-in"
"""The id under which the stand-in takes whole seats: those of disqualified bots. No bot may have it."""
STAND_IN_NAME: Final = "Stand-in"
"""The name of the stand-in in these seats."""

Chooser: TypeAlias = Callable[[int, int, int, int, int], int]
"""(round, seat, question, legal cards, how many) -> the chosen cards. Cards are canonical card sets."""


def from_deals(deals: Deals, key: MatchKey) -> Chooser:
    """Return the stand-in of a match that is being played."""

    def choose(round_number: int, seat: int, question: int, legal: int, count: int) -> int:
        number = deals.standin(key, round_number, seat, question)
        return mask_of(pick(number, cards_of(legal), count))

    return choose


def from_records(rounds: Sequence[RoundRecord]) -> Chooser:
    """Return the stand-in of a match that is being played again from its record, good for one playing.

    It raises LookupError where the record holds no choice of the stand-in.
    """
    # A record lists the stand-in's decisions without their seats. That is enough, because plays come in
    # order.
    plays = [iter([r.plays[d - len(r.passes)] for d in r.stand_in if d >= len(r.passes)]) for r in rounds]

    def choose(round_number: int, seat: int, question: int, legal: int, count: int) -> int:
        if question == 0:
            return rounds[round_number].passes[seat]
        card = next(plays[round_number], None)
        if card is None:
            raise LookupError(
                f"round {round_number}: no play of the stand-in for seat {seat}, trick {question - 1}"
            )
        return 1 << card

    return choose
