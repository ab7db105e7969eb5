"""A database of an older arena is read as it is, and brought up to date as a copy; it is never lost."""

from __future__ import annotations

import lzma
import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.errors import SchemaChanged, StoreError
from arena.store import migration
from arena.store.database import Database
from arena.store.migration import bring_up_to_date
from arena.store.models import SCHEMA_VERSION, Row
from arena.store.reader import Reader
from arena.store.versions import OLDEST, added_since, is_lacking
from tests.store.children import fork
from tests.store.samples import opened

LANDED = Path(__file__).with_name("landed")
FOLDERS = {folder.name: int(folder.name.split("_")[1]) for folder in LANDED.glob("schema_*")}
"""The folders by name, with the version that each has a database of."""
Contents = dict[str, list[tuple[object, ...]]]


@pytest.fixture(params=sorted(name for name, version in FOLDERS.items() if version < SCHEMA_VERSION))
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database as an arena of an older version left it."""
    packed = LANDED / str(request.param) / "landed.db.xz"
    path = tmp_path / "spring.db"
    path.write_bytes(lzma.decompress(packed.read_bytes()))
    return path


def version_of(path: Path) -> int:
    with Database.open(path, read_only=True) as database:
        return database.version


def contents(path: Path) -> Contents:
    """Every row of every table, with the columns that the file has, without what a migration writes."""
    with closing(sqlite3.connect(path)) as plain:
        tables = [name for (name,) in plain.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: plain.execute(f'SELECT * FROM "{name}" ORDER BY rowid').fetchall()
            for name in tables
            if name not in {"meta", "log"}
        }


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def kept_of(path: Path, version: int) -> Path:
    return path.with_name(f"{path.stem}.schema-{version}{path.suffix}")


def test_every_version_that_has_landed_is_known() -> None:
    """That of today lands when it is played with; then it gets a folder too."""
    assert {*FOLDERS.values(), SCHEMA_VERSION} == set(range(OLDEST, SCHEMA_VERSION + 1))


def test_reading_an_older_database_changes_nothing_in_it(old: Path) -> None:
    before = old.read_bytes()
    with Database.open(old, read_only=True) as database:
        assert database.version < SCHEMA_VERSION
        reader = Reader(database)
        assert reader.damage() == ""
        assert reader.unsound() == ""
        (first, *_) = reader.matches(1)
        assert {seat.extended_us for seat in first.seats} == {0}
        assert {round_.extended for round_ in reader.record(1, first.number).rounds} == {()}
    assert old.read_bytes() == before
    assert names(old.parent) == ["spring.db"]


def test_an_older_database_is_not_written_to(old: Path) -> None:
    before = old.read_bytes()
    with pytest.raises(StoreError, match=r"older arena .* `arena run` brings a copy of it up to date"):
        Database.open(old)
    assert old.read_bytes() == before


def test_the_copy_holds_everything_and_the_original_stays(old: Path) -> None:
    version, before = version_of(old), contents(old)
    said = bring_up_to_date(old)
    kept = kept_of(old, version)
    assert f"from schema {version} to {SCHEMA_VERSION}, the original is kept as {kept.name}" in said
    assert names(old.parent) == sorted(["spring.db", kept.name])
    assert (version_of(old), version_of(kept)) == (SCHEMA_VERSION, version)
    assert contents(kept) == before
    now = contents(old)
    new = {table.name for table in Row.metadata.sorted_tables if is_lacking(table, added_since(version))}
    assert now.keys() == before.keys() | new
    for table, rows in before.items():
        width = len(rows[0]) if rows else 0
        assert [row[:width] for row in now[table]] == rows
    with Database.open(old) as database:
        assert Reader(database).logs()[-1].text == said
    assert bring_up_to_date(old) == ""


def test_a_migrated_database_has_the_columns_of_a_new_one(old: Path, tmp_path: Path) -> None:
    opened(tmp_path / "new.db").close()
    bring_up_to_date(old)
    shapes = []
    for path in (old, tmp_path / "new.db"):
        with closing(sqlite3.connect(path)) as plain:
            shapes.append(
                {
                    table.name: [
                        (name, kind, not_null)
                        for _, name, kind, not_null, *_ in plain.execute(f'PRAGMA table_info("{table.name}")')
                    ]
                    for table in Row.metadata.sorted_tables
                }
            )
    assert shapes[0] == shapes[1]


def test_what_is_still_in_the_log_of_the_original_is_not_lost(old: Path) -> None:
    """As after a kill: a log beside the database holds its last transactions."""
    folder = old.parent / "killed"
    folder.mkdir()
    with closing(sqlite3.connect(old, isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("INSERT INTO action VALUES (99, 1, 'ann', 'void', '1/0.0', 'noise', '')")
        for path in old.parent.glob("spring.db*"):
            shutil.copy(path, folder)
    killed = folder / "spring.db"
    assert killed.with_name("spring.db-wal").stat().st_size > 0
    version = version_of(killed)
    bring_up_to_date(killed)
    assert names(folder) == sorted(["spring.db", kept_of(killed, version).name])
    for path in (killed, kept_of(killed, version)):
        with closing(sqlite3.connect(path)) as plain:
            assert plain.execute("SELECT who FROM action WHERE id = 99").fetchall() == [("ann",)]


def test_nobody_else_may_have_it_open(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migration, "BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(old, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM match").fetchall()
        with pytest.raises(StoreError, match="another program has kept it locked"):
            bring_up_to_date(old)
    assert names(old.parent) == ["spring.db"]
    assert bring_up_to_date(old)


STEPS: tuple[str, ...] = ("_shut_out_others", "_copy", "_step", "_give_to_owner", "_sync", "_keep")


@pytest.mark.slow
@pytest.mark.parametrize("place", STEPS)
@pytest.mark.parametrize("before", [True, False])
def test_a_kill_between_any_two_steps_leaves_a_whole_database(
    old: Path, monkeypatch: pytest.MonkeyPatch, place: str, before: bool
) -> None:
    version, rows = version_of(old), contents(old)
    step: Callable[..., object] = getattr(migration, place)

    def dies(*given: object) -> None:
        if not before:
            step(*given)
        os._exit(9)

    with monkeypatch.context() as patched:
        patched.setattr(migration, place, dies)
        pid = fork(lambda: bring_up_to_date(old))
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9
    assert version_of(old) == version
    assert contents(old) == rows
    bring_up_to_date(old)
    kept = kept_of(old, version)
    assert (version_of(old), version_of(kept)) == (SCHEMA_VERSION, version)
    assert contents(kept) == rows
    assert names(old.parent) == sorted(["spring.db", kept.name])


@pytest.mark.slow
def test_a_kill_at_any_moment_leaves_a_whole_database(old: Path, tmp_path: Path) -> None:
    version, rows = version_of(old), contents(old)
    for number in range(20):
        path = shutil.copy(old, tmp_path / f"{number}" if not number else tmp_path / f"{number}.db")
        pid = fork(lambda path=path: bring_up_to_date(path))  # type: ignore[misc]
        time.sleep(number * 0.004)
        os.kill(pid, 9)
        os.waitpid(pid, 0)
        assert version_of(path) in (version, SCHEMA_VERSION)
        bring_up_to_date(path)
        assert contents(kept_of(path, version)) == rows
        assert version_of(path) == SCHEMA_VERSION


def test_where_a_file_has_only_one_name_the_original_is_copied(
    old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    version, rows = version_of(old), contents(old)
    monkeypatch.setattr(Path, "hardlink_to", refuses)
    bring_up_to_date(old)
    kept = kept_of(old, version)
    assert contents(kept) == rows
    assert not kept.samefile(old)
    assert names(old.parent) == sorted(["spring.db", kept.name])


def test_an_original_that_is_kept_already_is_not_overwritten(old: Path) -> None:
    version = version_of(old)
    again = shutil.copy(old, old.with_name("again.db"))
    bring_up_to_date(old)
    first = kept_of(old, version).read_bytes()
    again.replace(old)
    bring_up_to_date(old)
    assert kept_of(old, version).read_bytes() == first
    assert version_of(old.with_name(f"spring.schema-{version}-2.db")) == version


def test_the_file_behind_a_link_is_migrated(old: Path, tmp_path: Path) -> None:
    version = version_of(old)
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "league.db"
    link.symlink_to(old)
    bring_up_to_date(link)
    assert link.is_symlink()
    assert version_of(old) == SCHEMA_VERSION
    assert kept_of(old, version).exists()


def test_the_copy_has_the_rights_of_the_original(old: Path) -> None:
    old.chmod(0o640)
    bring_up_to_date(old)
    assert old.stat().st_mode & 0o777 == 0o640


def test_there_is_nothing_to_do_without_a_database(tmp_path: Path) -> None:
    assert bring_up_to_date(tmp_path / "spring.db") == ""
    (tmp_path / "spring.db").touch()
    assert bring_up_to_date(tmp_path / "spring.db") == ""
    opened(tmp_path / "new.db").close()
    assert bring_up_to_date(tmp_path / "new.db") == ""


def test_a_strangers_older_database_must_have_the_tables_of_its_version(old: Path) -> None:
    """A column of today in an older database is as strange as any other."""
    grown = [place for place in sorted(added_since(version_of(old))) if place[0] in contents(old)]
    for change, words in (
        ("CREATE VIEW watched AS SELECT 1", "watched is a view"),
        *(
            (f'ALTER TABLE "{table}" ADD COLUMN "{column}"', f"has a column {column}, which no arena makes")
            for table, column in grown[:1]
        ),
        ("ALTER TABLE seat DROP COLUMN stderr_tail", "the table seat has no column stderr_tail"),
    ):
        path = shutil.copy(old, old.with_name("stranger.db"))
        with closing(sqlite3.connect(path)) as plain:
            plain.execute(change)
        for use in (lambda path: Database.open(path, read_only=True), bring_up_to_date):
            with pytest.raises(SchemaChanged, match=words):
                use(path)
