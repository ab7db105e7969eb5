"""A real league of two seasons: the pages of the first move to a folder of their own, also after a kill."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.running import Outcome, Run, assert_nothing_runs, edit, finished, make_league, play

pytestmark = pytest.mark.slow

MATCHES = 6
"""One line-up of 3 bots, in each seat order."""


@pytest.fixture
def league(tmp_path: Path) -> Path:
    """A league whose first season was played, and one of whose bots has changed since."""
    league = make_league(tmp_path, bots=3)
    assert play(league).code == 0
    edit(league.parent / "bots/b0/bot.py", "PICK = 0", "PICK = 3")
    return league


def arena(league: Path, command: str, *options: str) -> Outcome:
    return Run(league, *options, command=command).end()


def assert_both_seasons_have_their_pages(league: Path) -> None:
    """The pages agree with the database, and show all matches."""
    pages = league.parent / "league-report"
    verified = arena(league, "verify")
    assert verified.code == 0, verified.out + verified.err
    assert "agree with the database" in verified.out
    for folder, number in ((pages, 2), (pages / "season-1", 1)):
        assert json.loads((folder / "data/standings.json").read_text())["season"] == number
        shown = {path.stem for path in folder.glob("matches/*.json")}
        assert shown == {str(match) for match in range(1, MATCHES + 1)}


def test_a_new_season_leaves_the_first_one_its_pages_and_its_standings(league: Path) -> None:
    """Also if it is killed while they move."""
    pages, first = league.parent / "league-report", arena(league, "standings").out
    moved = pages / "season-1" / "matches"
    run = Run(league)
    run.wait_for(lambda: list(moved.glob("*.html")))
    run.kill()
    assert_nothing_runs(league.parent)
    assert play(league).code == 0
    assert_both_seasons_have_their_pages(league)
    assert finished(league) == 2 * MATCHES
    assert "B0 changed" in (pages / "seasons.html").read_text(encoding="utf-8")
    assert arena(league, "standings", "--season", "1").out.endswith(first)
    assert arena(league, "standings").out != first
