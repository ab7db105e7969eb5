"""What a bot has used, of a question and of its batch: measured from when it is first waited for."""

from __future__ import annotations

from dataclasses import replace

from arena.bot.turn_meter import NO_METER, UNKNOWN, TurnMeter, Used


class Clocks:
    """A bot that uses one microsecond of processor time whenever it is told to, and how often it was read."""

    def __init__(self) -> None:
        self.cpu_us = 0
        self.readings = 0
        self.meter = TurnMeter(replace(NO_METER, cpu_us=self._read))

    def _read(self) -> int:
        self.readings += 1
        return self.cpu_us


def test_who_is_never_waited_for_is_never_measured() -> None:
    clocks = Clocks()
    clocks.meter.batch_begins(1.0)
    clocks.meter.clock_begins()
    assert clocks.meter.of_question(1.4) == UNKNOWN
    assert clocks.meter.of_batch(1.5) == (500_000, None, 0)
    assert clocks.readings == 0


def test_each_question_is_measured_from_when_it_is_waited_for_and_the_batch_from_the_first() -> None:
    clocks = Clocks()
    meter = clocks.meter
    meter.batch_begins(1.0)
    meter.clock_begins()
    meter.waiting_begins(1.1)
    clocks.cpu_us = 7
    assert meter.of_question(2.0) == Used(7, None)
    meter.clock_begins()
    assert meter.of_question(2.1) == UNKNOWN, "nobody has waited for this one"
    meter.clock_begins()
    clocks.cpu_us = 10
    meter.waiting_begins(2.6)
    clocks.cpu_us = 15
    meter.waiting_begins(2.7)  # again
    assert meter.of_question(3.0) == Used(5, None)
    before = clocks.readings
    assert meter.of_batch(3.0) == (2_000_000, 15, 100_000)
    assert clocks.readings == before, "it was read just now"


def test_a_batch_that_ends_with_a_question_not_waited_for_is_read_again() -> None:
    clocks = Clocks()
    clocks.meter.batch_begins(0.0)
    clocks.meter.clock_begins()
    clocks.meter.waiting_begins(0.0)
    clocks.meter.of_question(0.5)
    clocks.meter.clock_begins()
    clocks.cpu_us = 3
    assert clocks.meter.of_batch(1.0) == (1_000_000, 3, 0)


def test_a_wait_that_was_found_earlier_holds() -> None:
    assert Used(900, 400).having_waited(500) == Used(900, 500)
    assert Used(900, 400).having_waited(300) == Used(900, 400)
    assert UNKNOWN.having_waited(0) == UNKNOWN
