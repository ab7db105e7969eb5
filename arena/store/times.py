"""How long the bots of a match took, from its record. Knows no tables."""

from __future__ import annotations

from typing import NamedTuple

from arena.papayoo import dealer_of
from arena.record import MatchRecord

__all__ = ["Spent", "spent_by_seat", "times_by_seat"]


class Spent(NamedTuple):
    """The questions put to a seat's bot in a match, and the time charged for them, microseconds."""

    decisions: int
    took_total_us: int
    took_max_us: int


def spent_by_seat(record: MatchRecord) -> list[Spent]:
    """For each seat. A bot that was asked took more than 0."""
    return [
        Spent(len(took) - took.count(0), sum(took), max(took, default=0)) for took in times_by_seat(record)
    ]


def times_by_seat(record: MatchRecord) -> list[list[int]]:
    """For each seat the time of each of its decisions, in microseconds; 0 where it was not asked.

    A trick is led by whoever holds its first card once the passes have changed hands, and goes round from
    there, so that nobody need be found to have taken one.
    """
    players = record.setup.players
    times: list[list[int]] = [[] for _ in range(players)]
    for number, (board, played) in enumerate(zip(record.setup.boards, record.rounds, strict=True)):
        passes, plays, took_us = played.passes, played.plays, played.took_us
        hands = board.hands_by_seat(dealer_of(number, players))
        # What a seat holds then came from its right, for seat 0 from the last one.
        held = [hand & ~passes[seat] | passes[seat - 1] for seat, hand in enumerate(hands)]
        for seat in range(players):
            times[seat].append(took_us[seat])
        for first in range(0, len(plays), players):
            lead = plays[first]
            seat = 0
            while not held[seat] >> lead & 1:
                seat += 1
            for decision in range(first + players, first + 2 * players):
                times[seat].append(took_us[decision])
                seat = seat + 1 if seat + 1 < players else 0
    return times
