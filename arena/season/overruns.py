"""Who was ended for a limit between its matches: the lines of the league's log that say so. Pure.

No match is the worse for it: the bot's next one begins with a new process. So only the log tells of it,
the first, tenth, hundredth ... time, lest a bot that does it every time bury everything else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from arena.store.views import LogLine

__all__ = ["SUBJECT", "Overruns", "overruns_of"]

SUBJECT = "overrun"
"""Of the log's lines."""


class Overruns:
    """Those of one run."""

    def __init__(self) -> None:
        self._times: Counter[str] = Counter()

    def sentence(self, bot: str, reason: str) -> str | None:
        """Told of one more; what is to be said about it, if anything. `overruns_of` reads it again."""
        self._times[bot] += 1
        times = self._times[bot]
        if str(times).strip("0") != "1":
            return None
        often = f" ({times:,} times in this run)" if times > 1 else ""
        return f"{bot} was ended while it waited for a match{often}: {reason}"


def overruns_of(lines: Iterable[LogLine]) -> dict[str, str]:
    """The newest such sentence by bot id, of a log that is told oldest first."""
    return {line.text.partition(" ")[0]: line.text for line in lines if line.subject == SUBJECT}
