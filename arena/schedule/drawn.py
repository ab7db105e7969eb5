"""Draws the base line-ups of a large field and finds those that even out the meetings best, with numpy.

There are 400 for each cycle, so one by one they would take most of the time of a long league's schedule.
Whole numbers make it exact. Only what plans a large field imports this file.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from arena.deals.draws import Draws

Numbers = NDArray[np.int64]
Words = NDArray[np.uint64]

_LARGEST = np.uint64(2**64 - 1)


def most_even_drawn(draws: Draws, count: int, meetings: Sequence[int], size: int) -> list[tuple[int, ...]]:
    """Return the line-ups with the least sum of squared meeting counts, of `count` that are drawn.

    Each is residue 0 with `size` others, ascending. They are drawn independently of each other, so one may
    come twice. `meetings`: how often two bots at each difference have met.
    """
    bots = len(meetings)
    line_ups = np.zeros((count, 1 + size), np.int64)
    line_ups[:, 1:] = np.sort(1 + samples(draws, count, bots - 1, size), axis=1)
    costs = _costs(line_ups, np.array(meetings))
    best: list[list[int]] = line_ups[costs == costs.min()].tolist()
    return [tuple(line_up) for line_up in best]


def samples(draws: Draws, count: int, items: int, size: int) -> Numbers:
    """Return samples of the numbers 0, 1, ... below `items`, one a row.

    Each is the last `size` places of a shuffle that is broken off once these places are settled.
    """
    ends = range(items - 1, items - 1 - size, -1)
    bounds = np.tile(np.array(ends, np.uint64) + np.uint64(1), count)
    places = below_each(draws, bounds).reshape(count, size)
    pools = np.tile(np.arange(items), (count, 1))
    rows = np.arange(count)
    for step, end in enumerate(ends):
        chosen = pools[rows, places[:, step]]
        pools[rows, places[:, step]] = pools[:, end]
        pools[:, end] = chosen
    return pools[:, items - size :]


def below_each(draws: Draws, bounds: Words) -> Numbers:
    """Return what `Draws.below` gives for one bound after another."""
    words = np.frombuffer(draws.digests(len(bounds)), ">u8")[::4].astype(np.uint64)
    most = _LARGEST - (_LARGEST % bounds + np.uint64(1)) % bounds
    while (thrown_away := np.flatnonzero(words > most)).size:
        words = np.append(np.delete(words, thrown_away[0]), np.uint64(draws.word()))
    return (words % bounds).astype(np.int64)


def _costs(line_ups: Numbers, meetings: Numbers) -> Numbers:
    """Return by how much each line-up would raise the sum: (c + n)^2 - c^2 = 2cn + n^2 of each difference.

    The differences are those between two of a line-up, in both directions.
    """
    (count, seats), bots = line_ups.shape, len(meetings)
    one, other = np.nonzero(~np.eye(seats, dtype=bool))
    differences = (line_ups[:, one] - line_ups[:, other]) % bots
    places = differences + bots * np.arange(count)[:, None]
    times = np.bincount(places.ravel(), minlength=count * bots).reshape(count, bots)
    costs: Numbers = 2 * meetings[differences].sum(axis=1) + (times * times).sum(axis=1)
    return costs
