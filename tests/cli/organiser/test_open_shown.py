"""`arena status` and `arena standings` of an open league."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.calling import Arena
from tests.open_played import OpenPlay
from tests.running import edit, enter, leave, make_open_league


@pytest.fixture
def league(tmp_path: Path) -> Path:
    return make_open_league(tmp_path, schedule="cycles = 4\nversion_hours = 0\n")


def rows(text: str) -> dict[str, str]:
    shown = text.partition("\nlog\n")[0].splitlines()
    return dict(line.split(None, 1) for line in shown if " " in line and not line.startswith(" "))


def test_what_a_phase_plays_and_who_is_present(arena: Arena, league: Path) -> None:
    with OpenPlay(league) as play:
        assert play.begin()
        play.play(5)
        seen = rows(arena("status", league).out)
    assert seen["league"] == "Tiny (league), open, 4 bots, 3 seats"
    assert seen["plays"] == "balanced cycle 2 of 4 (cycle 2 of the season)"
    assert seen["present"] == "b0@1, b1@1, b2@1, b3@1"
    assert not {"next", "waiting", "newcomers", "closed"} & seen.keys()


@pytest.mark.slow
def test_what_changes_and_who_waits(arena: Arena, league: Path) -> None:
    with OpenPlay(league) as play:
        play.phase()
    enter(league, "b4", 2)
    leave(league, "b0")
    (league.parent / "entries" / "empty").mkdir()
    called = arena("status", league)
    assert rows(called.out)["next"] == "b4@1 comes"
    assert "          b0@1 leaves" in called.out
    assert rows(called.out)["waiting"].startswith("empty: ")
    assert "entries/empty/bot.toml: there is no such file" in called.out
    assert rows(called.out)["plays"] == "nothing now: the next run begins a phase"
    told = json.loads(arena("status", league, "--json").out)["open"]
    assert (told["changes"], told["waiting"][0][0]) == (["b4@1 comes", "b0@1 leaves"], "empty")
    # The database alone does not know the folders.
    assert "waiting" not in rows(arena("status", league.with_name("league.db")).out)


@pytest.mark.slow
def test_who_is_absent_and_that_a_season_is_closed(arena: Arena, league: Path) -> None:
    with OpenPlay(league) as play:
        play.phase()
        play.phase(["b3@1"])
        play.begin(["b3@1"])
    assert "  b3@1 was not ready 2 times in a row: it exits at once" in arena("status", league).out
    arena("close", league, "--reason", "it is over")
    seen = rows(arena("status", league).out)
    assert seen["closed"] == "it is over; no further phase is played"


@pytest.mark.slow
def test_newcomers_are_listed_with_their_sessions(arena: Arena, league: Path) -> None:
    with OpenPlay(league) as play:
        play.phase()
        enter(league, "b4", 2)
        assert play.begin()
        play.play(2)
        text, told = arena("standings", league).out, json.loads(arena("standings", league, "--json").out)
        seen = rows(arena("status", league).out)
        number, needed = told["catching_up"]["b4@1"].values()
        assert seen["plays"].startswith("a catch-up block, ")
    assert 0 < number < needed <= 32
    assert f"Still catching up: B4 {number} of {needed} sessions." in text
    assert seen["newcomers"] == f"b4@1: {number} of {needed} sessions"


@pytest.mark.slow
def test_retired_versions_stand_apart(arena: Arena, league: Path) -> None:
    with OpenPlay(league) as play:
        play.phase()
        enter(league, "b1", 3)
        for _ in range(3):
            play.phase()
    called = arena("standings", league)
    assert called.code == 0, called.err
    table, _, rest = called.out.partition("\nretired\n")
    assert "B1 v2" in table
    assert rest.splitlines()[0].split()[:2] == ["-", "B1"]
    assert "Retired versions have no rank" in called.out
    told = json.loads(arena("standings", league, "--json").out)
    assert [line["bot"] for line in told["standings"] if not line["present"]] == ["b1@1"]


@pytest.mark.slow
def test_a_claim_holds_for_the_table_shown(arena: Arena, league: Path) -> None:
    edit(league, "cycles = 4", "cycles = 8")
    with OpenPlay(league) as play:
        play.phase()
    text = " ".join(arena("standings", league).out.split())
    told = json.loads(arena("standings", league, "--json").out)
    assert (
        "That holds for this table: who comes or leaves makes another one, and a verdict may lapse." in text
    )
    assert "A title is decided only by sessions after the close." in text
    assert "Settled" not in text
    assert ("not protected against drift" in text) is (told["protected_against_drift"] is False)
