"""Remarks about bots in the league's log, apart from faults: limits passed, cores left and waited for. Pure.

What is remarked on changes no match: a bot that was ended between two matches begins the next match with a
new process. A bot can do this every time, so the log says it only once, or only the first, tenth,
hundredth ... time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from arena.match.record import MatchRecord
from arena.match.times import CoreWaits
from arena.store.history import LogLine

__all__ = ["SUBJECT", "Remarks", "overruns_of"]

SUBJECT = "overrun"
"""The subject of log lines about limits passed between matches."""
_FROZEN = "used more than 20 % of a core while it had no question: from now on it is stopped then"
_LEFT_CORE = "left the core that it shares with its referee: it was put back, and its matches are marked"


class Remarks:
    """The remarks of one run. Remembers what was said, so that nothing is said too often."""

    def __init__(self) -> None:
        self._times: Counter[str] = Counter()
        self._marked: set[tuple[str, str]] = set()
        self._waits = CoreWaits()

    def overran(self, bot: str, reason: str) -> str | None:
        """Return the log's sentence about a bot that was ended between two matches, or None.

        There is a sentence for the first, tenth, hundredth ... time. `overruns_of` finds it in the log.
        """
        self._times[bot] += 1
        times = self._times[bot]
        # A power of ten.
        if str(times).strip("0") != "1":
            return None
        often = f" ({times:,} times in this run)" if times > 1 else ""
        return f"{bot} was ended while it waited for a match{often}: {reason}"

    def on(self, record: MatchRecord) -> Iterator[str]:
        """Yield the remarks on a match's bots, each remark once a bot: the matches show it every time.

        That all bots together wait too long for a core is said once.
        """
        for seat in record.seats:
            for mark, there in ((_FROZEN, seat.frozen), (_LEFT_CORE, seat.left_core)):
                if there and (seat.bot, mark) not in self._marked:
                    self._marked.add((seat.bot, mark))
                    yield f"{seat.bot} {mark}"
        said = self._waits.too_long
        self._waits += CoreWaits.of(record)
        if self._waits.too_long and not said:
            yield f"{self._waits.text}; `arena status` shows how it goes on"


def overruns_of(lines: Iterable[LogLine]) -> dict[str, str]:
    """Return the newest sentence of `Remarks.overran` by bot id, from a log in order, oldest first."""
    return {line.text.partition(" ")[0]: line.text for line in lines if line.subject == SUBJECT}
