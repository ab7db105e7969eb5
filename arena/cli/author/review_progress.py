"""Shows on stderr how far a review is: a bar that is redrawn on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

import click

from arena.linux.installation import is_compiled
from arena.review.reviewed import Reviewed

_LINE_SECONDS: Final = 10.0
_DRAW_SECONDS: Final = 0.2
_BAR: Final = 24


class ReviewProgress:
    """Watches a review. A context manager, so that the bar is cleared however it ends.

    `seconds`: after which the review ends, None for no limit.
    """

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._redraw = sys.stderr.isatty()
        self._choices = self._done = self._new = 0
        self._began = self._shown_at = time.monotonic()
        self._shown = False

    def begins(self, choices: int, known: int) -> None:
        """See `Watcher`."""
        self._choices, self._done = choices, known
        self._began = time.monotonic()
        left = (
            f"{known:,} of {choices:,} decisions are reviewed already" if known else f"{choices:,} decisions"
        )
        limit = "" if self._seconds is None else f"; at most {_time(self._seconds)}"
        self.say(f"{left}{limit}")
        if known < choices and not is_compiled():
            self.say("compiled, this is several times as fast: ARENA_COMPILE=1 (docs/speed.md)")

    def found(self, reviewed: Reviewed) -> None:
        """See `Watcher`."""
        self._done += 1
        self._new += 1
        now = time.monotonic()
        if now - self._shown_at >= (_DRAW_SECONDS if self._redraw else _LINE_SECONDS):
            self._shown_at = now
            self._show(now - self._began)

    def say(self, text: str) -> None:
        """See `Watcher`."""
        self._clear()
        _write(f"{text}\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._clear()

    def _show(self, seconds: float) -> None:
        pace = self._new / seconds
        left = max(0.0, (self._choices - self._done) / pace)
        if self._seconds is not None:
            left = min(left, max(0.0, self._seconds - seconds))
        text = f"{self._done:,} decisions, {pace:.1f} a second, about {_time(left)} left"
        if not self._redraw:
            _write(f"  {text}\n")
            return
        bar = ("#" * round(_BAR * seconds / (seconds + left))).ljust(_BAR, "-")
        _write(f"\r\x1b[K  [{bar}] {text}")
        self._shown = True

    def _clear(self) -> None:
        if self._shown:
            _write("\r\x1b[K")
            self._shown = False


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _write(text: str) -> None:
    """Write to stderr, and ignore errors, as `arena.cli.progress` does and for the same reasons."""
    with suppress(OSError):
        click.echo(text, err=True, nl=False, color=True)
