"""`arena verify`: what it prints and how it ends. What it finds is in tests/verify/test_verify.py."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from arena.store.lock import RunLock
from tests.cli.calling import Arena
from tests.cli.leagues import DOCUMENT, change, in_record, make
from tests.reports.played import FIVE, League
from tests.shared import once

RULES = {**DOCUMENT, "league": {"seats": 4, "rounds": 2}}
TWO_ROUNDS = League(bots=FIVE[:4], rounds=2)


@pytest.fixture
def finished(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Path:
    """The database of a league whose phase has ended: 4 bots, one session, 4 matches."""
    made = once(tmp_path_factory, "verified", lambda folder: make(folder / "spring.db", TWO_ROUNDS, RULES))
    return Path(shutil.copy(made / "spring.db", tmp_path / "spring.db"))


@pytest.fixture
def stopped(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Path:
    """The database of a league that was stopped after 5 of 8 matches."""
    league = replace(TWO_ROUNDS, cycles=2, matches=5)
    made = once(tmp_path_factory, "unverified", lambda folder: make(folder / "spring.db", league, RULES))
    return Path(shutil.copy(made / "spring.db", tmp_path / "spring.db"))


def test_a_league_that_agrees(arena: Arena, finished: Path) -> None:
    called = arena("verify", finished)
    assert called.code == 0
    assert "4 matches, 8 rounds played again; deals and stand-in derived again in 4 matches" in called.out
    assert called.out.endswith("Everything that could be checked agrees.\n")
    called = arena("verify", finished, "--json")
    assert "Playing matches again" in called.err, "the bar does not mix with the result"
    told = json.loads(called.out)
    assert told["agrees"] is True
    assert told["difference"] is None
    (season,) = told["seasons"]
    assert (season["matches"], season["matches_dealt_again"], season["phases_not_ended"]) == (4, 4, [])
    stored = json.loads(arena("standings", finished, "--json").out)["standings"]
    assert [row["score"] for row in season["standings"]] == [row["score"] for row in stored]


def test_the_first_difference_is_printed_with_its_place(arena: Arena, finished: Path) -> None:
    change(finished, in_record(3, "rounds[1].points", "json('[250, 0, 0, 0]')"))
    called = arena("verify", finished)
    assert called.code == 1
    assert "\nDIFFERENCE  season 1, match 3, round 1: points[" in called.out
    called = arena("verify", finished, "--json")
    assert called.code == 1
    told = json.loads(called.out)
    assert told["agrees"] is False
    assert told["difference"]["place"] == "season 1, match 3, round 1"
    assert (told["difference"]["match"], told["difference"]["round"]) == (3, 1)
    assert told["seasons"][0]["standings"] is None


@pytest.mark.slow
def test_pages_are_compared_where_there_are_any(arena: Arena, finished: Path) -> None:
    pages = finished.parent / "spring-report"
    assert f"pages: none in {pages}" in arena("verify", finished).out
    arena("report", finished)
    called = arena("verify", finished)
    assert called.code == 0
    assert f"files in {pages} agree with the database" in called.out
    (pages / "matches" / "4.json").write_bytes(b"4-0!\n")
    (pages / "index.html").unlink()
    called = arena("verify", finished)
    assert called.code == 1
    text = "pages, matches/4.json, line 1: the database gives another text (and 1 more file)"
    assert called.out.endswith(f"DIFFERENCE  {text}\n")
    told = json.loads(arena("verify", finished, "--json").out)
    assert (told["agrees"], told["difference"], told["pages"]["differing"]) == (False, None, 2)
    assert (told["pages"]["difference"]["file"], told["pages"]["difference"]["line"]) == ("matches/4.json", 1)


@pytest.mark.slow
def test_old_pages_are_told_from_changed_ones(arena: Arena, stopped: Path) -> None:
    arena("report", stopped)
    assert arena("void", stopped, "1", "--reason", "power cut").code == 0
    called = arena("verify", stopped)
    assert called.code == 1
    assert "older than the database or made otherwise: the database was changed" in called.out
    assert "to write them again: arena report" in called.out
    assert "DIFFERENCE" not in called.out
    with RunLock(stopped.with_name("spring.lock")):  # the run will write them again
        called = arena("verify", stopped)
    assert called.code == 0
    assert "could not be checked" in called.out


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("ALTER TABLE seat RENAME COLUMN pid TO pod", "the table seat has no column pid"),
        (
            "UPDATE entry SET command = CAST(x'ff' AS TEXT) WHERE number = 0",
            "command in row 1 of the table entry is no UTF-8 from byte 0 on",
        ),
    ],
)
def test_a_database_that_cannot_be_opened_for_what_is_in_it_differs(
    statement: str, said: str, arena: Arena, finished: Path
) -> None:
    change(finished, statement)
    called = arena("verify", finished)
    assert (called.code, called.out) == (1, f"DIFFERENCE  the database: {said}\n")
    assert json.loads(arena("verify", finished, "--json").out)["difference"]["text"] == said
    other = arena("standings", finished)
    assert (other.code, said in other.err) == (4, True)
