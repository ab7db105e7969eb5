"""What the log says of processes that were ended for a limit between matches."""

from __future__ import annotations

from arena.season.bot_remarks import SUBJECT, Remarks, overruns_of
from arena.store.history import LogLine

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
    lines = [LogLine(at, "warning", SUBJECT, text) for at, text in enumerate(texts) if text]
    found = overruns_of([*lines, LogLine(99, "warning", "run", "ant is fine")])
    assert found == {"ant": lines[-2].text, "bee": lines[-1].text}
    assert found["bee"].endswith("(10 times in this run): bee 9")
