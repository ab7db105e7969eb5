"""What the log says of processes that were ended for a limit between matches."""

from __future__ import annotations

from dataclasses import replace

from arena.deals import MatchKey
from arena.match.record import MatchRecord
from arena.runner.results import OVERRUN, Remarks, overruns_of
from arena.store.history import LogLine
from tests.store.samples import played

REASON = "it used 300 MiB of memory; the limit is 256 MiB"


def test_it_is_said_the_first_tenth_and_hundredth_time_of_each_bot() -> None:
    told = Remarks()
    said = [told.overran("ant", REASON) for _ in range(120)]
    assert [number for number, one in enumerate(said, 1) if one] == [1, 10, 100]
    assert said[0] == f"ant was ended while it waited for a match: {REASON}"
    assert said[99] == f"ant was ended while it waited for a match (100 times in this run): {REASON}"
    assert told.overran("bee", "why") == "bee was ended while it waited for a match: why"


def test_the_newest_of_each_bot_is_found_in_the_log() -> None:
    told = Remarks()
    texts = [told.overran(bot, f"{bot} {number}") for number in range(10) for bot in ("ant", "bee")]
    lines = [LogLine(at, "warning", OVERRUN, text) for at, text in enumerate(texts) if text]
    found = overruns_of([*lines, LogLine(99, "warning", "run", "ant is fine")])
    assert found == {"ant": lines[-2].text, "bee": lines[-1].text}
    assert found["bee"].endswith("(10 times in this run): bee 9")


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


def test_little_is_not_told_of_however_large_a_share_it_is() -> None:
    record = waiting(1_000_000)
    first = replace(record.rounds[0], took_us=(1_500_000, *record.rounds[0].took_us[1:]))
    record = replace(record, rounds=(first, *record.rounds[1:]))
    told = Remarks()
    assert list(told.on(record)) == []
    assert len(list(told.on(waiting(600_000)))) == 1


def test_one_deadline_that_moved_is_told_of() -> None:
    (said,) = Remarks().on(waiting(500_000, ((0, 487_000),)))
    assert "in 4.8 % of the time of their questions; deadlines moved by 0.5 s in all. Use fewer" in said
