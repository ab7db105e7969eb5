"""A real league of two seasons: the pages of the first move to a folder of their own, also after a kill."""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random

import pytest

from tests.running import Outcome, Run, assert_nothing_runs, edit, finished, make_league, matches, play
from tests.shared import copied, once

pytestmark = pytest.mark.slow

NEW = ("--new-season", "B0 was improved")
MATCHES = 24
"""4 line-ups of 3 bots, 6 seat orders each."""


@pytest.fixture
def league(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Path:
    """A league whose first season was played, and one of whose bots has changed since."""

    def make(folder: Path) -> None:
        assert play(make_league(folder)).code == 0

    league = copied(once(tmp_path_factory, "first-season", make), tmp_path / "league") / "league.toml"
    edit(league.parent / "bots/b0/bot.py", "PICK = 0", "PICK = 3")
    return league


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def arena(league: Path, command: str, *options: str) -> Outcome:
    return Run(league, *options, command=command).end()


def assert_both_seasons_have_their_pages(league: Path) -> None:
    """The pages agree with the database, and are those that would be written into an empty folder."""
    pages = league.parent / "tiny-report"
    verified = arena(league, "verify")
    assert verified.code == 0, verified.out + verified.err
    assert "agree with the database" in verified.out
    assert arena(league, "report", "-o", "new").code == 0
    assert contents(pages) == contents(league.parent / "new")
    for folder, number in ((pages, 2), (pages / "season-1", 1)):
        assert json.loads((folder / "data/standings.json").read_text())["season"] == number
        shown = {path.stem for path in folder.glob("matches/*.html") if path.stem.isdecimal()}
        assert shown == {str(match) for match in range(1, MATCHES + 1)}


def test_a_new_season_leaves_the_first_one_its_pages_and_its_standings(league: Path) -> None:
    pages, first = league.parent / "tiny-report", arena(league, "standings").out
    before = contents(pages)
    assert "--new-season" in play(league).err, "it is refused until a season is asked for"
    assert contents(pages) == before
    assert play(league, *NEW).code == 0
    assert_both_seasons_have_their_pages(league)
    assert "B0 was improved" in (pages / "seasons.html").read_text(encoding="utf-8")
    assert arena(league, "standings", "--season", "1").out.endswith(first)
    assert arena(league, "standings").out != first
    times = {path: path.stat().st_mtime_ns for path in (pages / "season-1").rglob("*")}
    assert play(league).code == 0
    assert times == {path: path.stat().st_mtime_ns for path in (pages / "season-1").rglob("*")}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_kill_while_the_first_season_moves_does_no_harm(league: Path, seed: int) -> None:
    """At some file of the first season's folder, or soon after."""
    moved = league.parent / "tiny-report" / "season-1" / "matches"
    after = Random(seed).randrange(0, MATCHES)
    run = Run(league, *NEW)
    run.wait_for(lambda: len(list(moved.glob("*.html"))) > after)
    time.sleep(Random(seed).uniform(0.0, 0.05))
    run.kill()
    assert_nothing_runs(league.parent)
    assert play(league).code == 0  # also when the kill came after the last match: its pages may be missing
    while finished_in(league, 2) < MATCHES:
        assert play(league).code == 0
    assert_both_seasons_have_their_pages(league)
    assert finished(league) == 2 * MATCHES


def finished_in(league: Path, season: int) -> int:
    return sum(match.finished_at is not None for match in matches(league, season))
