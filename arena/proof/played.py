"""Leagues of real rounds: the rules of `arena.papayoo`, real deals, simple policies. Slow but realistic.

Their truth is not known beforehand. A study estimates it from the leagues other than the one it judges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from arena.deals import SECRET_BYTES, Deals
from arena.papayoo import Board, Round, dealer_of
from arena.proof.policies import play_round, policy_of
from arena.proof.world import Place
from arena.schedule import seat_orders
from arena.schedule.seating import gauntlet_rows
from arena.standings import SessionResult

__all__ = ["Played"]


@dataclass(frozen=True, slots=True)
class Played:
    """Bots that play by the policy that their name gives (see `policy_of`) and are never charged."""

    bots: Sequence[str]
    seats: int

    @property
    def truth(self) -> None:
        """See `World`."""
        return None

    def latin(self, dice: Random, place: Place, order: tuple[int, ...]) -> SessionResult:
        """See `World`."""
        boards = self._boards(dice, self.seats)
        rows = seat_orders(order)
        tables = ((row, number, board) for row in rows for number, board in enumerate(boards))
        return self._session(place, tables, dice)

    def turns(self, dice: Random, place: Place, order: tuple[int, ...], candidates: int) -> SessionResult:
        """See `World`."""
        boards = self._boards(dice, self.seats)
        rows = gauntlet_rows(order, candidates)
        tables = ((row, number, board) for row in rows for number, board in enumerate(boards))
        return self._session(place, tables, dice)

    def _boards(self, dice: Random, count: int) -> list[Board]:
        deals = Deals(dice.randbytes(SECRET_BYTES))
        return [deals.board(number, self.seats) for number in range(count)]

    def _session(
        self, place: Place, tables: Iterable[tuple[tuple[int, ...], int, Board]], dice: Random
    ) -> SessionResult:
        """Return the result, without charges, of rounds given as bots by seat, number and board."""
        points: dict[str, int] = {}
        sat: Counter[str] = Counter()
        rounds = 0
        for row, number, board in tables:
            names = [self.bots[bot] for bot in row]
            policies = [policy_of(name) for name in names]
            round_ = Round.deal(board, dealer_of(number, self.seats))
            for name, own in zip(names, play_round(round_, policies, dice), strict=True):
                points[name] = points.get(name, 0) + own
            sat.update(names)
            rounds += 1
        turns = {name: count for name, count in sat.items() if count != rounds}
        return SessionResult(place[0], place[1], rounds, points, {}, turns)
