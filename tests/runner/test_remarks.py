"""What the log says of a busy machine."""

from __future__ import annotations

from dataclasses import replace

from arena.deals import MatchKey
from arena.match.record import MatchRecord
from arena.runner.results import Remarks
from tests.store.samples import played


def waiting(queued_us: int, extended: tuple[tuple[int, int], ...] = ()) -> MatchRecord:
    """A match whose bots took ten seconds and waited for a core for so long."""
    record = played(MatchKey(0, 0, 0), seats=3)
    times = (10_000_000, *[0] * (len(record.rounds[0].took_us) - 1))
    first = replace(record.rounds[0], took_us=times, extended=extended)
    others = [replace(one, took_us=(0,) * len(one.took_us)) for one in record.rounds[1:]]
    seats = (replace(record.seats[0], queued_us=queued_us), *record.seats[1:])
    return replace(record, rounds=(first, *others), seats=seats)


def test_a_busy_machine_is_told_of_once_with_what_to_do() -> None:
    told = Remarks()
    assert list(told.on(waiting(400_000))) == [], "4 %"
    assert list(told.on(waiting(600_000))) == [], "5 % of the time of both"
    (said,) = told.on(waiting(2_000_000))
    assert "bots waited for a core in 10.0 % of the time of their questions. Use fewer jobs" in said
    assert list(told.on(waiting(9_000_000))) == []


def test_one_deadline_that_moved_is_told_of() -> None:
    (said,) = Remarks().on(waiting(500_000, ((0, 487_000),)))
    assert "in 4.8 % of the time of their questions; deadlines moved by 0.5 s in all. Use fewer" in said
