"""A run stops at once, with a sentence, when its database is taken away."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.running import Run, make_league


def _replace(path: Path) -> None:
    other = path.with_suffix(".other")
    other.write_bytes(path.read_bytes())
    other.replace(path)


def _wal(path: Path) -> Path:
    return path.with_name("league.db-wal")


@pytest.mark.slow
def test_a_run_whose_database_is_replaced_ends(tmp_path: Path) -> None:
    path = make_league(tmp_path, cycles=200, slow=0.02)
    database = tmp_path / "league.db"
    run = Run(path)
    run.wait_for(lambda: _wal(database).exists() and _finished(database) > 0)
    _replace(database)
    ended = run.end()
    assert ended.code == 4
    assert "league.db was replaced by another file" in ended.err
    assert "everything" not in ended.err
    assert "Traceback" not in ended.err


def _finished(database: Path) -> int:
    with closing(sqlite3.connect(database, timeout=10)) as reading:
        if not reading.execute("SELECT 1 FROM sqlite_master WHERE name = 'match'").fetchone():
            return 0
        return int(reading.execute("SELECT count(*) FROM match WHERE state = 'finished'").fetchone()[0])
