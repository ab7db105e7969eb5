"""Stages: `arena verify` decides again who went on, and finds what was changed."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.schedule import canonical_json, season_digest
from arena.season.opening import now_ms
from arena.store import read, write
from arena.store.acts import void_act
from arena.store.database import Database
from arena.verify.decision_check import check_stage
from tests.cli.calling import caller
from tests.open_played import OpenPlay
from tests.season.test_next_stage import close, goes_on, ladder
from tests.shared import once
from tests.verify.test_tampering import difference

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ladder of two phases, one session of it void, and the final that followed."""
    return once(tmp_path_factory, "staged", _play) / "league.db"


def _play(folder: Path) -> None:
    league = ladder(folder)
    with OpenPlay(league) as played:
        played.phase()
        played.phase()
        write.void(played.database, 1, (0, 1), void_act(1, (0, 1), "a power cut", (now_ms(), "test")))
        close(played)
        assert goes_on(played, league)


def test_nothing_is_found_in_the_original(original: Path) -> None:
    assert difference(original) == ""


def test_it_is_said_that_who_went_on_was_decided_again(
    original: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Database.open(original, read_only=True) as database:
        bots = len(read.seasons(database)[-1].entries)
    arena = caller(capsys)
    assert f"\n  who went on to it decided again: {bots} bots\n" in arena("verify", original).out
    seasons = json.loads(arena("verify", original, "--json").out)["seasons"]
    assert [season["went_on"] for season in seasons] == [None, bots]


def told(path: Path) -> list[str]:
    with Database.open(path, read_only=True) as database:
        before, season = read.seasons(database)
        return list(check_stage(season, before, database))


def changed(original: Path, folder: Path, change: Callable[[dict[str, Any]], object]) -> list[str]:
    """What is found after a change in the document of the final, with a digest that fits."""
    path = Path(shutil.copy(original, folder / "changed.db"))
    with closing(sqlite3.connect(path)) as database, database:
        ((text,),) = database.execute("SELECT document FROM season WHERE number = 2")
        document = json.loads(text)
        change(document)
        new = (canonical_json(document), season_digest(document))
        database.execute("UPDATE season SET document = ?, digest = ? WHERE number = 2", new)
    assert difference(path), "the whole check finds it, too"
    return told(path)


def _swap(document: dict[str, Any]) -> None:
    after = document["stage"]["after"]
    after["going_on"][-1], after["leaving"][0] = after["leaving"][0], after["going_on"][-1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_swap, "plays and did not go on to it"),
        (lambda d: d["stage"]["after"]["leaving"].reverse(), "was decided so: leaving["),
        (lambda d: d["stage"]["after"].update(cycles=1), "was decided so: cycles is 1, season 1 says 2"),
        (lambda d: d["stage"]["after"].update(acts=1), "was decided so: acts is 1"),
        (lambda d: d["stage"]["after"].update(season=7), "season 7 is not the stage before it"),
        (lambda d: d["stage"].pop("after"), "does not say who went on to it"),
        (lambda d: d["stages"][0].update(keep=2), "the stages of its document are not those of season 1"),
    ],
)
def test_a_changed_decision_is_found(
    change: Callable[[dict[str, Any]], object], said: str, original: Path, tmp_path: Path
) -> None:
    found = changed(original, tmp_path, change)
    assert any(said in one for one in found), found


def test_other_files_of_a_bot_that_went_on_are_found(original: Path, tmp_path: Path) -> None:
    def other_files(document: dict[str, Any]) -> None:
        document["bots"][0]["digest"] = "0" * 64

    path = Path(shutil.copy(original, tmp_path / "first.db"))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE entry SET digest = ? WHERE season = 2 AND number = 0", ("0" * 64,))
    assert any("went on with the files" in one for one in changed(path, tmp_path, other_files))


def test_what_became_void_after_the_final_began_does_not_change_who_went_on(
    original: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(original, tmp_path / "changed.db"))
    with Database.open(path) as database:
        for index in (0, 2, 3):
            write.void(database, 1, (1, index), void_act(1, (1, index), "later", (now_ms(), "test")))
    assert told(path) == []
    assert difference(path) == ""


def test_an_act_that_was_put_before_the_final_is_found(original: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(original, tmp_path / "changed.db"))
    with Database.open(path) as database:
        write.void(database, 1, (1, 0), void_act(1, (1, 0), "later", (now_ms(), "test")))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE action SET id = 0 WHERE subject = '1.0'")
    assert any("void is 0.1, season 1 says 0.1 1.0" in one for one in told(path)), told(path)
