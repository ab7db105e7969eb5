"""How long bots took: in a match, added up from its record, and in all their matches. Knows no tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arena.match.record import MatchRecord, RoundRecord
from arena.papayoo import dealer_of

__all__ = ["BotTimes", "Spent", "extended_by_seat", "spent_by_seat"]


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


class Spent(NamedTuple):
    """The questions put to a seat's bot in a match, and the time charged for them, in microseconds."""

    decisions: int
    took_total_us: int
    took_max_us: int


def spent_by_seat(record: MatchRecord) -> list[Spent]:
    """Return the times of each seat. A question that the bot was asked took more than 0."""
    players = record.setup.players
    leaders = [
        _leaders(board.hands_by_seat(dealer_of(number, players)), played)
        for number, (board, played) in enumerate(zip(record.setup.boards, record.rounds, strict=True))
    ]
    return [_spent(seat, players, record.rounds, leaders) for seat in range(players)]


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


def _spent(seat: int, players: int, rounds: tuple[RoundRecord, ...], leaders: list[list[int]]) -> Spent:
    """Return the times of one seat."""
    # One loop for one seat: where this is compiled, the numbers stay in registers of the processor.
    decisions = total = longest = 0
    for number, played in enumerate(rounds):
        took_us = played.took_us
        first = 0
        for leader in leaders[number]:
            us = took_us[first + (seat - leader if seat >= leader else seat - leader + players)]
            first += players
            if us != 0:
                decisions += 1
                total += us
                if us > longest:
                    longest = us
    return Spent(decisions, total, longest)


def _leaders(hands: Sequence[int], played: RoundRecord) -> list[int]:
    """Return the seat that led each trick, from the hands as dealt; before that 0, which passes first.

    The leader of a trick is the seat that holds its first card after the passes, so nobody has to find
    out who took the trick before.
    """
    passes, plays = played.passes, played.plays
    players = len(hands)
    leaders = [0] * (1 + len(plays) // players)
    for seat, hand in enumerate(hands):
        # A seat receives cards from its right; for seat 0 that is the last seat.
        held = hand & ~passes[seat] | passes[seat - 1]
        for trick in range(1, len(leaders)):
            if held >> plays[(trick - 1) * players] & 1:
                leaders[trick] = seat
    return leaders
