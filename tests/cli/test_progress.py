"""Progress on a terminal and elsewhere: one line that is redrawn and cleared, or lines now and then."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from arena.cli import progress as module
from arena.cli.progress import Progress
from arena.deals import MatchKey
from arena.league import read_league
from arena.runner.seasons import open_phase, open_season
from arena.store.database import Database
from tests.running import make_league
from tests.store.samples import played

RECORD = played(MatchKey(0, 0, 0))


class Terminal(io.StringIO):
    """A standard error that is a terminal, or says so."""

    def isatty(self) -> bool:
        return True


class Gone(io.StringIO):
    """A standard error that nobody reads any more."""

    def write(self, text: str) -> int:
        raise OSError(5, "Input/output error")


class Clock:
    """A clock that is driven by hand."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


def begun(tmp_path: Path, progress: Progress, cycles: int = 1, left: int = 24) -> None:
    """Tell it that a league of 24 matches a cycle is opened and a phase begun."""
    loaded = read_league(make_league(tmp_path, cycles=cycles))
    with Database.open(tmp_path / "league.db", create=True) as database:
        season = open_season(loaded, database)
        found = open_phase(season, database)
        assert found is not None
    progress.opened(season)
    progress.phase(found[0], 24 * cycles, left)


def played_on(progress: Progress, clock: Clock, left: range, seconds: float) -> None:
    for matches_left in left:
        clock.now += seconds
        progress.finished(RECORD, matches_left)


def test_lines_where_there_is_no_terminal(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", screen := io.StringIO())
    with Progress() as progress:
        begun(tmp_path, progress)
        played_on(progress, clock, range(23, -1, -1), 1.0)
    text = screen.getvalue()
    assert "\r" not in text
    assert "\x1b" not in text
    lines = text.splitlines()
    assert lines[0] == "Tiny, season 1: 4 bots, 3 seats, 1 cycle = 4 sessions, 24 matches, 72 rounds"
    assert lines[1].startswith("deals of phase 0 committed: ")
    assert lines[1].endswith(" (predictable: the league file gives a seed)")
    assert lines[2:] == [
        "  1/24 matches, 4%, time left not known yet",
        "  11/24 matches, 46%, about 13 s left",
        "  21/24 matches, 88%, about 3 s left",
        "  24/24 matches, 100%, done",
    ]


def test_matches_that_nobody_plays_any_more_are_not_counted_as_played(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a bot leaves the field: the next cycle has fewer sessions."""
    monkeypatch.setattr(sys, "stderr", screen := io.StringIO())
    with Progress() as progress:
        begun(tmp_path, progress, cycles=2, left=48)
        played_on(progress, clock, range(47, 24, -1), 1.0)
        played_on(progress, clock, range(6, -1, -1), 1.0)
    assert screen.getvalue().splitlines()[-2:] == [
        "  21/48 matches, 44%, about 27 s left",
        "  30/30 matches, 100%, done",
    ]


def test_one_line_on_a_terminal(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    with Progress() as progress:
        begun(tmp_path, progress)
        played_on(progress, clock, range(23, 11, -1), 1.0)
        progress.say("something happened")
        played_on(progress, clock, range(11, 7, -1), 0.01)
    text = screen.getvalue()
    _, _, drawn = text.partition("a seed)\n")
    before, _, after = drawn.partition("something happened\n")
    assert before.endswith("\r\x1b[K  [############------------] 12/24 matches, 50%, about 12 s left\r\x1b[K")
    assert "\n" not in before
    assert after == "\r\x1b[K", "no news within a fifth of a second, and the line is cleared at the end"


def test_the_line_is_cleared_when_the_run_fails(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", screen := Terminal())

    def fail() -> None:
        with Progress() as progress:
            begun(tmp_path, progress)
            played_on(progress, clock, range(23, 22, -1), 1.0)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert screen.getvalue().endswith("\r\x1b[K")


def test_a_terminal_that_is_gone_disturbs_nobody(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", Gone())
    with Progress() as progress:
        begun(tmp_path, progress)
        played_on(progress, clock, range(23, -1, -1), 1.0)
    assert progress.faults == 0
