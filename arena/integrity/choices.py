"""The choices of a round that say something: plays with more than one legal card, made by bots themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from arena.match.record import MatchRecord
from arena.papayoo import PAPAYOOS, PAYOO, SUIT_MASKS, dealer_of, left_of
from arena.papayoo.cards import SUIT_OF

_EARLY = 3
"""The tricks in which others may still come to the same hand; later only plays about points are of use."""


class Play(NamedTuple):
    """A play at a table: `hand` and `trick` before it, `legal` cards, the `card`, and the round's Papayoo.

    `holder`: the seat that holds the trick so far, and `best` its card; meaningless for a lead. `early`: in
    one of the first tricks. A NamedTuple because a league has millions.
    """

    seat: int
    hand: int
    legal: int
    trick: tuple[int, ...]
    card: int
    papayoo: int
    holder: int
    best: int
    early: bool


def free_plays(record: MatchRecord, number: int) -> Iterator[Play]:
    """Yield the plays of the first tricks with a choice, and later ones after a lead that may give points."""
    played, board = record.rounds[number], record.setup.boards[number]
    players, leader = record.setup.players, dealer_of(number, record.setup.players)
    papayoo, replaced = PAPAYOOS[board.papayoo_suit], frozenset(played.stand_in)
    worth = SUIT_MASKS[PAYOO] | 1 << papayoo
    hands = board.hands_by_seat(leader)
    for seat, cards in enumerate(played.passes):
        hands[seat] ^= cards
        hands[left_of(seat, players)] |= cards
    for start in range(0, len(played.plays), players):
        trick = played.plays[start : start + players]
        early = start < _EARLY * players
        led, best, holder, seat = SUIT_MASKS[SUIT_OF[trick[0]]], trick[0], leader, leader
        for place, card in enumerate(trick):
            hand = hands[seat]
            legal = (hand & led or hand) if place else hand
            if (
                legal & (legal - 1)
                and (early or (place and legal & worth))
                and players + start + place not in replaced
            ):
                yield Play(seat, hand, legal, trick[:place], card, papayoo, holder, best, early)
            if best < card and led >> card & 1:
                best, holder = card, seat
            hands[seat] = hand ^ 1 << card
            seat = seat + 1 if seat + 1 < players else 0
        leader = holder
