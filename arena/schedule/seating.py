"""Who sits where in a session: the seat orders in which one line-up plays the same boards.

Knows nothing of cycles, of other line-ups or of how an order was chosen.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

from arena.papayoo import MAX_PLAYERS, MIN_PLAYERS, left_of


@dataclass(frozen=True, slots=True)
class Session:
    """One line-up with its order, at its place in the schedule.

    `order` holds the bots' numbers in neighbour order: what `seat_orders` turns into one row for
    each match. `index` is the place inside the cycle, from 0.
    """

    cycle: int
    index: int
    order: tuple[int, ...]

    @property
    def line_up(self) -> tuple[int, ...]:
        """The same bots, ascending."""
        return tuple(sorted(self.order))

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The seat order of each match: bot numbers by seat."""
        return seat_orders(self.order)


def zigzag(seats: int) -> tuple[int, ...]:
    """0, k-1, 1, k-2, ...: the first row of Williams' Latin square.

    For even k its steps are all different, so over the k shifted rows every bot follows every other
    one exactly once along a row. (Williams, "Experimental designs balanced for the estimation of
    residual effects of treatments", 1949.)
    """
    return tuple(p // 2 if p % 2 == 0 else seats - 1 - p // 2 for p in range(seats))


@cache
def _position_rows(seats: int) -> tuple[tuple[int, ...], ...]:
    """`seat_orders` of 0, 1, ..., k-1."""
    if not MIN_PLAYERS <= seats <= MAX_PLAYERS:
        raise ValueError(f"a line-up of {seats} bots: expected {MIN_PLAYERS} to {MAX_PLAYERS}")
    first = zigzag(seats)
    rows = tuple(tuple((z + g) % seats for z in first) for g in range(seats))
    if seats == 3:
        # Three shifted rows alone always have the same left neighbour for each bot.
        rows += tuple(tuple(reversed(row)) for row in rows)
    return rows


def seat_orders(order: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The rows of a session: in match g, seat p is taken by order[(z[p] + g) mod k], z the zigzag.

    There are k rows; with k = 3 six, the last three being the first three read backwards. Every bot
    sits in every seat equally often, so with k seats and a multiple of k boards it holds each hand
    of each board, and deals, equally often.

    Raises ValueError unless there are 3 to 8 bots.
    """
    return tuple(tuple(order[i] for i in row) for row in _position_rows(len(order)))


@cache
def neighbour_links(seats: int) -> tuple[tuple[int, int, int], ...]:
    """Who sits beside whom over all rows of an order, as (i, j, times) ascending, times > 0.

    The bot at place j of the order is `times` times the left neighbour (the next seat, from the last on to
    seat 0) of the bot at place i.
    """
    times: Counter[tuple[int, int]] = Counter()
    for row in _position_rows(seats):
        times.update((i, row[left_of(p, seats)]) for p, i in enumerate(row))
    return tuple((i, j, times[i, j]) for i, j in sorted(times))
