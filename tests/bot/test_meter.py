"""What is used between two readings, where it is known."""

from __future__ import annotations

from arena.bot.meter import NO_METER, UNKNOWN, Meter, Used


def test_what_was_used_is_the_difference_of_two_readings() -> None:
    readings = iter((100, 160))
    meter = Meter(lambda: next(readings), lambda: 7)
    assert meter.read().since(Used(40, 2)) == Used(60, 5)
    assert meter.read().since(Used(160, 7)) == Used(0, 0)


def test_a_thread_that_has_ended_gives_nothing_back() -> None:
    assert Used(5, 3).since(Used(5, 8)) == Used(0, 0)


def test_without_one_of_the_readings_nothing_is_known() -> None:
    assert NO_METER.read() == UNKNOWN
    assert Used(5, 3).since(UNKNOWN) == UNKNOWN == UNKNOWN.since(Used(5, 3))
    assert Used(5, None).since(Used(2, 1)) == Used(3, None)
