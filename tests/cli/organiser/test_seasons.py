"""A league of several seasons on the terminal: each keeps its standings, its tables and its matches."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.cli.calling import Arena
from tests.cli.leagues import make, make_seasons
from tests.reports import played
from tests.reports.played import League
from tests.shared import copied, once

FIRST = League(bots=played.FIVE[:4], matches=6, cycles=2)
SECOND = League(cycles=1)


@pytest.fixture(scope="session")
def _seasons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def play(folder: Path) -> None:
        make_seasons(folder / "spring.db", FIRST, SECOND)

    return once(tmp_path_factory, "seasons", play)


@pytest.fixture
def seasons(_seasons: Path, tmp_path: Path) -> Path:
    """The database of a first season of four bots, broken off after 6 of 8 matches, and a finished second."""
    return copied(_seasons, tmp_path / "league") / "spring.db"


def bots(table: str) -> set[str]:
    return {line.split()[1] for line in table.splitlines() if line[:4].strip().isdecimal()}


def test_each_season_keeps_its_standings(arena: Arena, seasons: Path) -> None:
    first, newest = arena("standings", seasons, "--season", "1"), arena("standings", seasons)
    assert (first.code, newest.code) == (0, 0)
    assert first.out.startswith("Season 1. Another season has begun since.\n\n")
    assert newest.out.startswith("rank ")
    assert bots(first.out) == {"Duck", "Low", "Random", "Moody"}
    assert bots(newest.out) == {"Duck", "Low", "Random", "Moody", "Greedy"}
    assert arena("standings", seasons, "--season", "2").out == newest.out


@pytest.mark.parametrize(
    "command",
    [["standings"], ["status"], ["export"], ["report"], ["replay", "1"]],
    ids=lambda words: words[0],
)
def test_a_season_that_does_not_exist_is_one_sentence(
    arena: Arena, seasons: Path, finished: Path, command: list[str]
) -> None:
    name, *rest = command
    called = arena(name, seasons, *rest, "--season", "7")
    assert (called.code, called.out) == (2, "")
    assert called.err == "Error: There is no season 7: there are seasons 1 and 2\n"
    called = arena(name, finished, *rest, "--season", "7")
    assert called.err == "Error: There is no season 7: the only one is season 1\n"
    assert arena(name, finished, *rest, "--season", "0").code == 2


def test_an_ended_season_hides_no_cards(arena: Arena, seasons: Path, tmp_path: Path) -> None:
    """Its last session was broken off. Nothing is dealt by its secret any more, and everybody may know it."""
    whole = arena("export", seasons, "--season", "1", "--what", "rounds").out
    assert {row["match"] for row in csv.DictReader(io.StringIO(whole)) if row["hand"]} == set("123456")
    assert "Round 0" in arena("replay", seasons, "6", "--season", "1").out
    running = make(tmp_path / "running.db", FIRST)
    whole = arena("export", running, "--what", "rounds").out
    assert {row["match"] for row in csv.DictReader(io.StringIO(whole)) if row["hand"]} == set("1234")
    assert "are shown once every match of its session is over" in arena("replay", running, "6").err


def test_a_match_of_an_earlier_season(arena: Arena, seasons: Path) -> None:
    first, newest = arena("replay", seasons, "1", "--season", "1").out, arena("replay", seasons, "1").out
    assert first != newest
    assert first.startswith("Match 1, session 0.0")
    assert "Greedy" not in first
