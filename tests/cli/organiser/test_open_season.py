"""The organiser's commands on an open league: tables, pages, copies, void sessions, cards, parts."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from arena.store import write
from tests.cli.calling import Arena
from tests.open_played import OpenPlay
from tests.running import edit, enter, leave, make_open_league
from tests.shared import copied, once

PLAYED = 13
"""Sessions of three phases: 4, 3 and 4 of whole cycles; the fourth phase has 2 of 4."""


def _play(folder: Path) -> None:
    league = make_open_league(folder, schedule='version_hours = 0\npublic_draw = "7 11"\n')
    edit(league, 'seed = "tests"\n', "")
    with OpenPlay(league) as played:
        played.phase()
        leave(league, "b3")
        played.phase()
        enter(league, "b3", 3)
        enter(league, "b1", 2)
        played.phase()
        played.begin()
        played.play(2)


@pytest.fixture
def league(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three phases that have ended and one that has not. b1 was improved before the third."""
    return copied(once(tmp_path_factory, "open-organiser", _play), tmp_path / "league") / "league.toml"


def table(arena: Arena, league: Path, what: str) -> list[dict[str, str]]:
    return list(csv.DictReader(arena("export", league, "--what", what).out.splitlines()))


def test_tables_name_entries(league: Path, arena: Arena) -> None:
    standings = table(arena, league, "standings")
    here = {row["bot"]: row["present"] for row in standings}
    assert here == dict.fromkeys(["b0@1", "b1@2", "b2@1", "b3@1"], "true") | {"b1@1": "false"}
    sessions = {(row["cycle"], row["index"]): row["phase"] for row in table(arena, league, "sessions")}
    assert len(sessions) == PLAYED
    assert {phase for (cycle, _), phase in sessions.items() if cycle == "1"} == {"1"}
    seats = {row["bot"] for row in table(arena, league, "matches") if row["cycle"] in ("0", "1")}
    assert seats == {"b0@1", "b1@1", "b2@1", "b3@1"}


@pytest.mark.slow
def test_cards_are_shown_when_their_phase_has_ended(league: Path, arena: Arena) -> None:
    """The newest phase has complete sessions; those are shown at once without `reveal = "finished"`."""
    assert {row["cycle"] for row in table(arena, league, "plays")} == {"0", "1", "2", "3"}
    with league.open("a") as text:
        text.write('[report]\nreveal = "finished"\n')
    assert {row["cycle"] for row in table(arena, league, "plays")} == {"0", "1", "2"}
    assert arena("report", league).code == 0
    pages = league.parent / "league-report/matches"
    last = max(int(row["match"]) for row in table(arena, league, "matches"))
    shown = "".join(path.read_text() for path in (pages.parent / "data").glob("replay-*.js"))
    hidden = re.findall(r'^"([0-9]+)":.*appear when its phase has ended', shown, re.M)
    assert str(last) in hidden
    assert "1" not in hidden
    assert (pages / "1.json").exists()
    assert not (pages / f"{last}.json").exists()


@pytest.mark.slow
def test_a_copy_of_the_database_says_what_is_secret_in_it_and_agrees(league: Path, arena: Arena) -> None:
    copy = league.parent / "copy.db"
    made = arena("export", league, "--what", "database", "-o", copy)
    assert made.err == "Keep it to yourself: it holds the secret of phase 3, which has not ended\n"
    assert "Everything that could be checked agrees." in arena("verify", copy).out
    with OpenPlay(league) as played:
        write.end_phase(played.database, 1, 3, "its cycles were played", 1)
    made = arena("export", league, "--what", "database", "-o", copy)
    assert made.err == "Keep it to yourself: it holds the secrets of the phases to come\n"
