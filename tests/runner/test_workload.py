"""How many sessions a referee is to know of."""

from __future__ import annotations

from itertools import accumulate
from typing import cast

import pytest

from arena.runner.referees import Referee, Workload
from arena.schedule import Session


class Nobody:
    """A referee that nobody talks to."""

    host = 0
    ahead_seconds = 0.5

    def __init__(self, tables: int) -> None:
        self.tables = tables


MANY = 1000


def at_work(tables: int = 1, *, known: int = 0, seconds: float | None = None, together: int = 1) -> Workload:
    """A referee that knows of so many sessions, and has taken so long for each of many.

    `together`: how many of their ends are heard of at one moment.
    """
    referee = Workload(cast(Referee, Nobody(tables)))
    for number in range(known):
        referee.open[0, number] = cast(Session, None), []
    if seconds is not None:
        for number in range(10_000):
            referee.session_done(number // together * together * seconds)
    return referee


@pytest.mark.parametrize(("times", "mean"), [([8.0], 8.0), ([8.0, 4.0], 7.0), ([8.0, 4.0, 7.0], 7.0)])
def test_the_first_time_counts_whole_and_each_later_one_a_quarter(times: list[float], mean: float) -> None:
    referee = at_work()
    for now in accumulate(times, initial=0.0):
        referee.session_done(now)
    assert referee.session_seconds == mean


@pytest.mark.parametrize(("known", "room"), [(0, 2), (1, 1), (2, 0)])
def test_it_knows_of_the_next_one(known: int, room: int) -> None:
    assert at_work(known=known).room(MANY) == room
    assert at_work(known=known).is_low(MANY) == (room > 0)


@pytest.mark.parametrize(("seconds", "room"), [(10.0, 2), (0.25, 2), (0.1, 5), (0.02, 25), (0.001, 32)])
def test_it_knows_of_more_where_they_are_quick(seconds: float, room: int) -> None:
    assert at_work(seconds=seconds).room(MANY) == room
    assert at_work(seconds=seconds, together=50).room(MANY) == room, "what comes in batches is no quicker"


def test_every_table_has_its_next_one() -> None:
    assert at_work(tables=8).room(MANY) == 16
