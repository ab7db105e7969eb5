"""Decides who sits where in a session: the seat orders in which a line-up, or a duel, plays the same boards.

It knows nothing of cycles, of other line-ups or of how an order was chosen.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache

from arena.papayoo import MAX_PLAYERS, MIN_PLAYERS, left_of

DUELLISTS = 2
"""The bots of a duel: they fill any table together. No other line-up is so small."""

DUEL_MATCHES = 2
"""The matches of a session of a duel: a pattern of seats and its complement."""


@dataclass(frozen=True, slots=True)
class Session:
    """One line-up with its order, at its place in the schedule.

    `order` holds the bots' numbers in neighbour order, which `seat_orders` turns into one row for each
    match; in a duel the two bots by seat in the first match. `index`: the place inside the cycle, from 0.
    In a gauntlet the first `candidates` of the order take the same place in turn.
    """

    cycle: int
    index: int
    order: tuple[int, ...]
    candidates: int = 0

    @property
    def line_up(self) -> tuple[int, ...]:
        """Return the same bots, ascending."""
        return tuple(sorted(set(self.order)))

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """Return the seat order of each match: bot numbers by seat."""
        if self.candidates:
            return gauntlet_rows(self.order, self.candidates)
        return duel_rows(self.order) if len(self.line_up) == DUELLISTS else seat_orders(self.order)


def zigzag(seats: int) -> tuple[int, ...]:
    """Return 0, k-1, 1, k-2, ...: the first row of Williams' Latin square.

    For even k its steps are all different, so over the k shifted rows every bot follows every other one
    exactly once along a row. (Williams, "Experimental designs balanced for the estimation of residual
    effects of treatments", 1949.)
    """
    return tuple(p // 2 if p % 2 == 0 else seats - 1 - p // 2 for p in range(seats))


@cache
def _position_rows(seats: int) -> tuple[tuple[int, ...], ...]:
    """Return `seat_orders` of 0, 1, ..., k-1."""
    if not MIN_PLAYERS <= seats <= MAX_PLAYERS:
        raise ValueError(f"a line-up of {seats} bots: expected {MIN_PLAYERS} to {MAX_PLAYERS}")
    first = zigzag(seats)
    rows = tuple(tuple((z + g) % seats for z in first) for g in range(seats))
    if seats == 3:
        # Three shifted rows alone always have the same left neighbour for each bot.
        rows += tuple(tuple(reversed(row)) for row in rows)
    return rows


def seat_orders(order: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the rows of a session: in match g, order[(z[p] + g) mod k] takes seat p, z the zigzag.

    There are k rows; with k = 3 six, the last three being the first three read backwards. Every bot sits in
    every seat equally often, so it holds each hand of each board, and deals each board, equally often,
    however many boards there are. Raises ValueError unless there are 3 to 8 bots.
    """
    return tuple(tuple(order[i] for i in row) for row in _position_rows(len(order)))


def duel_pattern(seats: int, index: int) -> tuple[int, ...]:
    """Return which of two bots, 0 or 1, takes each seat in the first match of session `index` of a cycle.

    Even sessions: 0 1 0 1 ..., so that each bot passes only to the other. Odd sessions: 0 0 1 1 0 0 ..., so
    that each passes to itself too. With an odd number of seats bot 0 has one seat more here and one less in
    the second match. ValueError unless there are 3 to 8 seats.
    """
    if not MIN_PLAYERS <= seats <= MAX_PLAYERS:
        raise ValueError(f"a duel on {seats} seats: expected {MIN_PLAYERS} to {MAX_PLAYERS}")
    return tuple((seat // 2 if index % 2 else seat) % 2 for seat in range(seats))


def duel_rows(order: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the two rows of a duel's session: the bots by seat as given, and swapped.

    So on the same boards each bot holds each hand of each board once, and deals it once. ValueError unless
    there are two bots.
    """
    if len(set(order)) != DUELLISTS:
        raise ValueError(f"a duel of {sorted(set(order))}: expected two bots")
    return order, tuple(sum(set(order)) - bot for bot in order)


def gauntlet_rows(order: tuple[int, ...], candidates: int) -> tuple[tuple[int, ...], ...]:
    """Return the seat orders of a session: each row of the square once for each candidate, in turn.

    The first `candidates` of `order` share a place in the square, so that all sit in the same seat beside
    the same neighbours. Matches with the same seats follow each other, so that what changes with time on
    the machine is the same for all.
    """
    opponents = order[candidates:]
    tables = [seat_orders((candidate, *opponents)) for candidate in order[:candidates]]
    return tuple(row for rows in zip(*tables, strict=True) for row in rows)


@cache
def neighbour_links(seats: int) -> tuple[tuple[int, int, int], ...]:
    """Return who sits beside whom over all rows of an order, as (i, j, times) ascending, times > 0.

    The bot at place j of the order is `times` times the left neighbour (the next seat; after the last comes
    seat 0) of the bot at place i.
    """
    times: Counter[tuple[int, int]] = Counter()
    for row in _position_rows(seats):
        times.update((i, row[left_of(p, seats)]) for p, i in enumerate(row))
    return tuple((i, j, times[i, j]) for i, j in sorted(times))
