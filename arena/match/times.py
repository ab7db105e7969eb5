"""How long bots took: in a match, added up from its record, and in all their matches. Knows no tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arena.match.record import MatchRecord, RoundRecord
from arena.papayoo import dealer_of


@dataclass(frozen=True, slots=True)
class BotTimes:
    """The time charged to a bot over all its finished matches."""

    bot: str
    matches: int
    decisions: int
    total_us: int
    max_us: int

    @property
    def mean_us(self) -> float:
        """Return the mean time of a decision in microseconds; 0.0 before the first."""
        return self.total_us / self.decisions if self.decisions else 0.0


_WAITED_SHARE = 0.05
"""The share of their time that bots may wait for a core before the organiser is told."""
_LEAST_US = 1_000_000
"""The microseconds of waiting that are never told of, because so little can be a single slow moment."""
_CURE = "Use fewer jobs (on a cluster, fewer cores of a host), or run fewer other programs beside the league"


@dataclass(frozen=True, slots=True)
class CoreWaits:
    """How long bots were ready to answer and others had their cores, over some matches, in microseconds.

    `asked_us`: the time of all their questions; `queued_us`: the part of it in which they waited for a core;
    `extended_us`: by how much deadlines moved for that.
    """

    asked_us: int = 0
    queued_us: int = 0
    extended_us: int = 0

    def __add__(self, more: CoreWaits) -> CoreWaits:
        """Return both together."""
        return CoreWaits(
            self.asked_us + more.asked_us,
            self.queued_us + more.queued_us,
            self.extended_us + more.extended_us,
        )

    @classmethod
    def of(cls, record: MatchRecord) -> CoreWaits:
        """Return the waits of one match."""
        extended_us = sum(by_us for played in record.rounds for _, by_us in played.extended)
        took_us = sum(sum(played.took_us) for played in record.rounds)
        return cls(took_us + extended_us, sum(seat.queued_us or 0 for seat in record.seats), extended_us)

    @property
    def too_long(self) -> bool:
        """Return whether the machine was too busy: a deadline moved, or bots waited too long."""
        return self.extended_us > 0 or self.queued_us > max(_LEAST_US, _WAITED_SHARE * self.asked_us)

    @property
    def text(self) -> str:
        """Return in words how long they waited, and what to do."""
        share = f"{(100 * self.queued_us / self.asked_us if self.asked_us else 0.0):.1f}"
        if not self.extended_us:
            return (
                f"the machine was busy: bots waited for a core in {share} % of the time of their "
                f"questions. {_CURE}"
            )
        return (
            f"the machine was busy: bots waited for a core in {share} % of the time of their "
            f"questions; deadlines moved by {self.extended_us / 1e6:.1f} s in all. {_CURE}"
        )


class Spent(NamedTuple):
    """The questions put to a seat's bot in a match, and the time charged for them, in microseconds."""

    decisions: int
    took_total_us: int
    took_max_us: int


def spent_by_seat(record: MatchRecord) -> list[Spent]:
    """Return the times of each seat. A question that the bot was asked took more than 0."""
    players = record.setup.players
    by_seat: list[int] = []  # the times of one question after the other, each from seat 0 on
    for number, (board, played) in enumerate(zip(record.setup.boards, record.rounds, strict=True)):
        took_us, end = played.took_us, 0
        for leader in _leaders(board.hands_by_seat(dealer_of(number, players)), played):
            begin, end = end, end + players
            by_seat += took_us[end - leader : end]  # `took_us` is in order of play, from the leader on
            by_seat += took_us[begin : end - leader]
    spent = []
    for seat in range(players):
        own = by_seat[seat::players]
        spent.append(Spent(len(own) - own.count(0), sum(own), max(own, default=0)))
    return spent


def extended_by_seat(record: MatchRecord) -> list[int]:
    """Return by how many microseconds the deadlines of each seat were moved in all."""
    players = record.setup.players
    total = [0] * players
    for number, (board, played) in enumerate(zip(record.setup.boards, record.rounds, strict=True)):
        if played.extended:
            leaders = _leaders(board.hands_by_seat(dealer_of(number, players)), played)
            for decision, by_us in played.extended:
                total[(leaders[decision // players] + decision) % players] += by_us
    return total


def _leaders(hands: Sequence[int], played: RoundRecord) -> list[int]:
    """Return the seat that led each trick, from the hands as dealt; before that 0, which passes first.

    The leader of a trick is the seat that holds its first card after the passes (seat 0 if no other does),
    so nobody has to find out who took the trick before.
    """
    players = len(hands)
    firsts = [1 << card for card in played.plays[::players]]
    leaders = [0] * (1 + len(firsts))
    for seat in range(1, players):
        held = hands[seat] & ~played.passes[seat] | played.passes[seat - 1]  # from the right
        for trick, card in enumerate(firsts, 1):
            if held & card:
                leaders[trick] = seat
    return leaders
