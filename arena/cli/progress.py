"""Shows on stderr how far a run is: a bar that is redrawn on a terminal, else a line now and then."""

from __future__ import annotations

import sys
import time
from collections import deque
from contextlib import suppress
from types import TracebackType
from typing import Self

import click

from arena.cli.layout import span
from arena.match.record import MatchRecord
from arena.runner.cluster import ClusterState
from arena.runner.results import RunWatcher
from arena.runner.seasons import OpenSeason
from arena.store.views import PhaseView
from arena.wording import counted
from protocol.refusal import visible

_LINE_SECONDS = 10.0
_DRAW_SECONDS = 0.2
_RECENT = 200
"""The number of last matches from whose pace the time left is estimated."""

_ENOUGH = 6
"""The number of matches before the time left is estimated."""

_BAR = 24


class Progress(RunWatcher):
    """Watches a run. A context manager, so that the bar is cleared however the run ends.

    `quiet`: nothing is shown but what is said last.
    """

    def __init__(self, quiet: bool = False) -> None:
        self._quiet = quiet
        self.faults = 0
        """The number of faults in the matches of this run."""
        self.sessions_left_out = 0
        """The number of sessions that this run left out of the league."""
        self._redraw = sys.stderr.isatty() and not quiet
        self._cluster = ""
        self._planned = self._left = 0
        self._shown_at = 0.0
        self._pace: deque[float] = deque(maxlen=_RECENT)

    def opened(self, season: OpenSeason) -> None:
        """See `RunWatcher`."""
        view, plan = season.view, season.plan
        if view.open:
            self.say(f"{season.loaded.name}, season {view.number}, open: {view.seats} seats")
            return
        sessions = view.sessions_per_cycle * season.cycles
        matches = sessions * plan.matches_per_session
        self.say(
            f"{season.loaded.name}, season {view.number}: {view.field_size} bots, {view.seats} seats, "
            f"{counted(season.cycles, 'cycle')} = {counted(sessions, 'session')}, {matches:,} matches, "
            f"{matches * view.rounds:,} rounds"
        )

    def phase(self, phase: PhaseView, planned: int, matches_left: int) -> None:
        """See `RunWatcher`."""
        self._planned = planned
        self._left = matches_left
        self._pace.clear()
        if phase.entries:
            self.say(f"phase {phase.number}: {_planned(phase)}")
        predictable = " (predictable: the league file gives a seed)" if phase.predictable else ""
        self.say(f"deals of phase {phase.number} committed: {phase.commitment}{predictable}")
        done = self._planned - matches_left
        if done > 0:
            self.say(f"{done:,} of {self._planned:,} matches are over; {matches_left:,} are left")

    def finished(self, record: MatchRecord, matches_left: int) -> None:
        """See `RunWatcher`."""
        self.faults += len(record.faults)
        ended = self._left and not matches_left
        # Fewer are left than by this match alone where a bot left the field, or a session is left out.
        self._planned += matches_left - (self._left - 1)
        self._left = matches_left
        now = time.monotonic()
        self._pace.append(now)
        if ended or now - self._shown_at >= (_DRAW_SECONDS if self._redraw else _LINE_SECONDS):
            self._shown_at = now
            self._show()

    def left_out(self) -> None:
        """See `RunWatcher`."""
        self.sessions_left_out += 1

    def cluster(self, state: ClusterState) -> None:
        """See `RunWatcher`."""
        self._cluster = f", {state}"

    def expected_left(self) -> int:
        """Return how many matches are still expected to be played."""
        return self._left

    def say(self, text: str) -> None:
        """See `RunWatcher`."""
        if not self._quiet:
            self.say_last(text)

    def say_last(self, text: str) -> None:
        """Say how it ended, also when everything else is kept quiet."""
        self._clear()
        # A host of a cluster may say anything, but nothing that moves the cursor.
        _write("".join(f"{visible(line)}\n" for line in text.split("\n")))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._clear()

    def _show(self) -> None:
        if self._quiet:
            return
        done = self._planned - self._left
        planned = done + self.expected_left()
        share = done / planned if planned else 1.0
        text = f"{done:,}/{planned:,} matches, {share:.0%}, {self._time_left()}"
        if self.faults:
            text += f", {self.faults:,} fault{'s' if self.faults > 1 else ''}"
        text += self._cluster
        if not self._redraw:
            _write(f"  {text}\n")
            return
        bar = ("#" * round(share * _BAR)).ljust(_BAR, "-")
        _write(f"\r\x1b[K  [{bar}] {text}")

    def _seconds_left(self) -> int | None:
        """Return the seconds left at the pace of the last matches, None while that is not known."""
        if len(self._pace) < _ENOUGH or self._pace[-1] <= self._pace[0]:
            return None
        return round(self.expected_left() * (self._pace[-1] - self._pace[0]) / (len(self._pace) - 1))

    def _time_left(self) -> str:
        if not self.expected_left():
            return "done"
        seconds = self._seconds_left()
        if seconds is None:
            return "time left not known yet"
        return f"about {span(seconds)} left"

    def _clear(self) -> None:
        if self._redraw and self._shown_at:
            _write("\r\x1b[K")


def _write(text: str) -> None:
    """Write to stderr, and ignore errors: a closed terminal or a reader that left must not end a league.

    `color=True` although there are no colours: with NO_COLOR click would remove the clearing of the line.
    """
    with suppress(OSError):
        click.echo(text, err=True, nl=False, color=True)


def _planned(phase: PhaseView) -> str:
    """Return who plays in a phase of an open season, and what, in words."""
    catching = ", ".join(f"{entry} ({sessions})" for entry, sessions in phase.owed)
    block = f"first sessions to catch up for {catching}, then " if catching else ""
    return f"{counted(len(phase.entries), 'bot')}, {block}{counted(phase.balanced_cycles, 'cycle')}"
