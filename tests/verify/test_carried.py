"""`arena verify` decides again whether earlier stages count, and finds what was changed."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from arena.errors import StoreError
from arena.schedule import canonical_json, season_digest
from arena.season.opening import now_ms
from arena.store.acts import void_act
from arena.store.database import Database
from arena.store.reader import Reader
from arena.store.scoring import scored
from arena.store.writer import Writer
from arena.verify.stage_check import check_stage
from arena.verify.verify import verify
from tests.shared import once
from tests.staged_played import STAGES, StagedPlay, carried_league

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A final in which its heats count, after its first cycle."""
    return once(tmp_path_factory, "carried-begun", _play) / "tiny.db"


def _play(folder: Path) -> None:
    with StagedPlay(carried_league(folder, STAGES.replace("cycles = 1", "cycles = 2"))) as play:
        play.stage()
        assert play.goes_on()
        play.stage(sessions=4)


def test_the_standings_are_computed_again_with_the_earlier_stages(original: Path) -> None:
    with Database.open(original, read_only=True) as database:
        reader = Reader(database)
        found = verify(reader, reader.seasons())
        score = scored(reader, reader.seasons()[1])
    assert found.difference is None, str(found.difference)
    shown = found.seasons[1].standings
    assert shown == score.standings
    assert shown is not None
    assert shown.fit.session_count == 24


def told(original: Path, folder: Path, change: Callable[[dict[str, Any]], object]) -> list[str]:
    """What is found after a change in the document of the final, with a digest that fits."""
    path = Path(shutil.copy(original, folder / "changed.db"))
    with closing(sqlite3.connect(path)) as database, database:
        ((text,),) = database.execute("SELECT document FROM season WHERE number = 2")
        document = json.loads(text)
        change(document["stage"]["after"])
        new = (canonical_json(document), season_digest(document))
        database.execute("UPDATE season SET document = ?, digest = ? WHERE number = 2", new)
    with Database.open(path, read_only=True) as database:
        reader = Reader(database)
        before, season = reader.seasons()
        return list(check_stage(season, before, reader))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda after: after.update(carried=0), "was decided with carried = 0, season 1 says 20"),
        (lambda after: after.update(carried=9), "was decided with carried = 9, season 1 says 20"),
        (lambda after: after.update(no_carry="too few"), "was decided with no_carry = too few"),
        (lambda after: after.update(to_play=7), "for its 7 cycles, and it began with 6"),
    ],
)
def test_a_changed_decision_is_found(
    change: Callable[[dict[str, Any]], object], said: str, original: Path, tmp_path: Path
) -> None:
    found = told(original, tmp_path, change)
    assert any(said in one for one in found), found


def test_a_final_that_counts_what_the_rule_forbids_is_found(original: Path, tmp_path: Path) -> None:
    """With one cycle it is too short for that, whatever its document says."""
    found = told(original, tmp_path, lambda after: after.update(to_play=1, carried=20))
    assert any("carried = 20, season 1 says 0" in one for one in found), found


def test_an_earlier_stage_that_is_not_there_has_no_score(original: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(original, tmp_path / "changed.db"))
    with closing(sqlite3.connect(path)) as database, database:
        ((text,),) = database.execute("SELECT document FROM season WHERE number = 2")
        document = json.loads(text)
        document["stage"]["after"]["season"] = 2
        database.execute("UPDATE season SET document = ? WHERE number = 2", (canonical_json(document),))
    with Database.open(path, read_only=True) as database:
        reader = Reader(database)
        with pytest.raises(StoreError, match="Season 2 follows season 2, which is not there"):
            scored(reader, reader.seasons()[1])


def test_what_becomes_void_later_changes_the_score_and_not_the_decision(
    original: Path, tmp_path: Path
) -> None:
    path = Path(shutil.copy(original, tmp_path / "changed.db"))
    with Database.open(path) as database:
        Writer(database).void(1, (1, 0), void_act(1, (1, 0), "later", (now_ms(), "test")))
        reader = Reader(database)
        found = verify(reader, reader.seasons())
        assert found.difference is None, str(found.difference)
        shown = found.seasons[1].standings
        assert shown is not None
        assert shown.fit.session_count == 23
