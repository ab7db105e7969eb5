"""A copy of a database: of one moment, also while somebody writes, and in one file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.errors import StoreError
from arena.store.database import copy_database
from tests.reports import played
from tests.reports.played import League


@pytest.fixture
def league(tmp_path: Path) -> Path:
    played.play(tmp_path / "league.db", League(matches=3)).close()
    return tmp_path / "league.db"


def dump(path: Path) -> list[str]:
    """What is in a database, in whatever order it lies."""
    with closing(sqlite3.connect(path)) as connection:
        return sorted(connection.iterdump())


def test_a_copy_holds_the_same_and_has_no_log(league: Path, tmp_path: Path) -> None:
    copy_database(league, tmp_path / "copy.db")
    assert dump(tmp_path / "copy.db") == dump(league)
    assert sorted(path.name for path in tmp_path.glob("copy*")) == ["copy.db"]
    assert (tmp_path / "copy.db").read_bytes()[18:20] == b"\x01\x01"  # no write-ahead log


def test_what_is_being_written_is_not_in_it(league: Path, tmp_path: Path) -> None:
    before = dump(league)
    with closing(sqlite3.connect(league, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM fault")
        writer.execute("DELETE FROM seat")
        copy_database(league, tmp_path / "copy.db")
        writer.execute("ROLLBACK")
    assert dump(tmp_path / "copy.db") == before


def test_what_is_in_the_log_only_is_copied(league: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(league, isolation_level=None)) as writer:
        writer.execute("UPDATE season SET reason = 'in the log'")
        assert league.with_name("league.db-wal").stat().st_size > 0
        copy_database(league, tmp_path / "copy.db")
    with closing(sqlite3.connect(tmp_path / "copy.db")) as connection:
        assert connection.execute("SELECT reason FROM season").fetchone() == ("in the log",)


def test_what_cannot_be_copied_is_said(league: Path, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nowhere"):
        copy_database(tmp_path / "nowhere.db", tmp_path / "copy.db")
    (tmp_path / "text.db").write_text("no database " * 100)
    with pytest.raises(StoreError, match="not a database"):
        copy_database(tmp_path / "text.db", tmp_path / "copy.db")
    assert not list(tmp_path.glob("copy*"))
