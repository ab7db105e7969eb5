"""Whether a database is still the file that was opened, by its names alone."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from arena.cli.league_files import is_database
from arena.errors import StoreError
from arena.store.database import Database
from arena.store.sqlite import Presence


def _replace(path: Path) -> None:
    (path.parent / "other").write_bytes(path.read_bytes())
    (path.parent / "other").replace(path)


HARMS: dict[str, tuple[str, Callable[[Path], object], str]] = {
    "deleted": ("spring.db", Path.unlink, "spring.db was deleted or moved while it was in use"),
    "moved": ("spring.db", lambda path: path.rename(path.with_name("x")), "spring.db was deleted"),
    "replaced": ("spring.db", _replace, "spring.db was replaced by another file"),
    "cut": ("spring.db", lambda path: os.truncate(path, 10), "spring.db was cut short, from "),
    "no log": ("spring.db-wal", Path.unlink, "spring.db-wal was deleted"),
    "no index": ("spring.db-shm", Path.unlink, "spring.db-shm was deleted"),
}


@pytest.mark.parametrize(("name", "harm", "said"), HARMS.values(), ids=HARMS.keys())
def test_what_is_taken_away_is_said_and_nothing_more_is_stored(
    name: str, harm: Callable[[Path], object], said: str, tmp_path: Path
) -> None:
    with Database.open(tmp_path / "spring.db", create=True) as database:
        _write(database)
        assert database.lost() == ""
        harm(tmp_path / name)
        assert said in database.lost()
        with pytest.raises(StoreError):
            _write(database)


def _write(database: Database) -> None:
    with database.writing() as db:
        db.execute(text("INSERT INTO bot VALUES (hex(randomblob(8)))"))


def test_a_link_to_a_database_may_change_it_may_not(tmp_path: Path) -> None:
    (tmp_path / "real.db").write_bytes(b"content")
    (tmp_path / "link.db").symlink_to("real.db")
    presence = Presence(tmp_path / "link.db")
    assert presence.lost() == ""
    (tmp_path / "link.db").unlink()
    assert presence.lost() == ""
    (tmp_path / "real.db").unlink()
    assert "real.db was deleted" in presence.lost()


@pytest.mark.parametrize("name", ["spring.db", "spring"])
def test_others_who_close_it_do_not_remove_its_log_whatever_this_process_looks_at(
    tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    with Database.open(path, create=True) as database:
        _write(database)
    assert is_database(path)
    with Database.open(path) as database:
        _write(database)
        # As the pages do while a league is played: the locks of the first must survive this.
        with Database.open(path, read_only=True) as other, other.reading() as db:
            db.execute(text("SELECT 1"))
        assert is_database(path)
        code = (
            "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('SELECT * FROM bot').fetchall()"
        )
        subprocess.run([sys.executable, "-c", f"{code}; d.close()", path], check=True, timeout=60)
        assert database.lost() == ""
        _write(database)
    with closing(sqlite3.connect(path)) as program:
        assert program.execute("SELECT count(*) FROM bot").fetchone() == (3,)
