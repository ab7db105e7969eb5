"""What is read from the store, where the stored season says little or something odd."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.store.database import Database
from reports.facts import read_facts
from tests.reports import played
from tests.reports.played import League


def changed(path: Path, statement: str) -> Database:
    """A league whose database was changed by hand."""
    database = played.play(path / "league.db", League(matches=1))
    with database.writing() as db:
        db.connection().exec_driver_sql(statement)
    return database


@pytest.mark.parametrize("text", ["not toml", "", "league = 3", "[league]\nname = 3", "[league]\nid = 'x'"])
def test_a_league_without_a_name_is_called_league(tmp_path: Path, text: str) -> None:
    quoted = text.replace("'", "''")
    assert read_facts(changed(tmp_path, f"UPDATE season SET league_text = '{quoted}'")).name == "League"


@pytest.mark.parametrize("document", ["{}", "[]", '{"faults": 3}', '{"faults": {"max_faults": 3}}'])
def test_a_season_without_penalties_is_damaged(tmp_path: Path, document: str) -> None:
    reader = changed(tmp_path, f"UPDATE season SET document = '{document}'")
    with pytest.raises(StoreError, match=r"document of season 1 lacks .*\[faults\]"):
        read_facts(reader)
