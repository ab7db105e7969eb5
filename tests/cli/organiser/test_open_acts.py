"""`arena exclude` and `reinstate` in an open league: they name a bot."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.conduct.exclusion import Ruling
from arena.store import read
from arena.store.database import Database
from tests.cli.calling import Arena
from tests.open_played import OpenPlay
from tests.running import edit, enter, make_open_league
from tests.store.samples import exclude_by_limits


@pytest.fixture
def league(tmp_path: Path) -> Path:
    return make_open_league(tmp_path)


def rulings(league: Path) -> tuple[Ruling, ...]:
    with Database.open(league.with_name("league.db"), read_only=True) as database:
        return read.rulings(database, 1)


def versions_fall(league: Path, *versions: str) -> None:
    with Database.open(league.with_name("league.db")) as database:
        exclude_by_limits(database, *(Ruling(one, True, 1, "it crashed") for one in versions))


def test_a_bot_is_withdrawn_before_anything_is_begun(arena: Arena, league: Path) -> None:
    called = arena("exclude", league, "B1", "--reason", "its author asked")
    assert called.code == 0, called.err
    assert "b1 is excluded by the organiser: its author asked" in called.out
    assert rulings(league) == (Ruling("b1", True, 0, "its author asked", by_organiser=True),)
    with OpenPlay(league) as play:
        assert play.begin()
        assert [entry.bot for entry in play.arrivals.view.entries] == ["b0@1", "b2@1", "b3@1"]
    assert "b1 does not play: excluded: its author asked" in play.said


def test_it_holds_for_all_versions_and_a_version_cannot_be_named(arena: Arena, league: Path) -> None:
    with OpenPlay(league) as play:
        play.phase()
    called = arena("exclude", league, "b1@1", "--reason", "why")
    assert (called.code, rulings(league)) == (2, ())
    assert "b1@1 is a version; this is done to a bot with all its versions: b1" in called.err
    assert arena("exclude", league.with_name("league.db"), "b1", "--reason", "a copy").code == 0
    enter(league, "b1", 3)
    with OpenPlay(league) as play:
        assert play.begin()
        assert [entry.bot for entry in play.arrivals.view.entries] == ["b0@1", "b1@1", "b2@1", "b3@1"]
    assert arena("exclude", league, "b1", "--reason", "x").code == 2  # it is out already


def test_a_name_that_nobody_has(arena: Arena, league: Path) -> None:
    called = arena("exclude", league, "b11", "--reason", "x")
    assert called.code == 2
    assert "b11: this open league has no such bot; did you mean b1?" in called.err


def test_a_bot_is_reinstated(arena: Arena, league: Path) -> None:
    arena("exclude", league, "b1", "--reason", "asked")
    called = arena("reinstate", league, "b1", "--reason", "asked again")
    assert called.code == 0, called.err
    assert "b1 may play again, in a phase that begins with session 0.0 or later: asked again" in called.out
    assert rulings(league)[-1] == Ruling("b1", False, 0, "asked again")
    assert "there is nothing to undo" in arena("reinstate", league, "b1", "--reason", "x").err


def test_a_version_is_reinstated_by_its_id_or_name(arena: Arena, league: Path) -> None:
    edit(league, 'seed = "tests"', 'seed = "tests"\nversion_hours = 0')
    with OpenPlay(league) as play:
        play.phase()
        enter(league, "b1", 3)
        assert play.begin()
    versions_fall(league, "b1@1", "b1@2")
    called = arena("reinstate", league, "b1", "--reason", "x")
    assert called.code == 2
    assert "of its versions, b1@1, b1@2 are out: name one" in called.err
    assert arena("reinstate", league, "B1 v2", "--reason", "x").code == 0
    assert arena("reinstate", league, "b1@1", "--reason", "x").code == 0
    assert [ruling.bot for ruling in rulings(league)[2:]] == ["b1@2", "b1@1"]
