"""A trace: every line between the referee and the bots, in both directions, with its time. Opens no file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from protocol.codec import decode
from protocol.refusal import BadMessage, printable, readable

_MOST_SHOWN = 400
"""The bytes that are shown of a line that is no message."""


class Trace:
    """Writes each line as text. `names`: the bots by seat. `now`: a clock in seconds, with any zero."""

    def __init__(
        self, names: Sequence[str], write: Callable[[str], object], now: Callable[[], float]
    ) -> None:
        self._names = [f"{name} (seat {seat})" for seat, name in enumerate(names)]
        self._width = max(map(len, self._names))
        self._write = write
        self._now = now
        self._began = now()

    def heard(self, seat: int, from_bot: bool, line: bytes) -> None:
        """Write a line that went to the bot at this seat or came from it."""
        passed = self._now() - self._began
        way = "<-" if from_bot else "->"
        self._write(f"{passed:10.6f} {way} {self._names[seat]:{self._width}}  {_text(line)}\n")


def _text(line: bytes) -> str:
    try:
        return readable(decode(line))
    except BadMessage as refused:
        return f"NOT A MESSAGE: {refused.reason.sentence} The line: {printable(line, _MOST_SHOWN)}"
