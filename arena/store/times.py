"""Whose decision took how long, from the record of a match. Knows no tables."""

from __future__ import annotations

from arena.papayoo import CARDS, cards_of, dealer_of
from arena.record import MatchRecord

__all__ = ["times_by_seat"]


def times_by_seat(record: MatchRecord) -> list[list[int]]:
    """For each seat the time of each of its decisions, in microseconds; 0 where it was not asked.

    A card is played by whoever holds it once the passes have changed hands, so no trick need be followed.
    """
    players = record.setup.players
    times: list[list[int]] = [[] for _ in range(players)]
    times_of_holder = [times[0]] * CARDS
    for number, (board, played) in enumerate(zip(record.setup.boards, record.rounds, strict=True)):
        hands = board.hands_by_seat(dealer_of(number, players))
        received = played.passes[-1:] + played.passes[:-1]  # from the right; seat 0 from the last
        for own, us, hand, gone, come in zip(
            times, played.took_us, hands, played.passes, received, strict=False
        ):
            own.append(us)
            for card in cards_of(hand & ~gone | come):
                times_of_holder[card] = own
        for card, us in zip(played.plays, played.took_us[players:], strict=True):
            times_of_holder[card].append(us)
    return times
