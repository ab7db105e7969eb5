"""Opening: what is made, what is refused, and that every failure is told in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from arena.errors import RowsUnreadable, StoreError, UsageError
from arena.store import read, write
from arena.store.database import Database
from arena.store.history import LogLine
from tests.store.children import outcome, without_rights
from tests.store.samples import keys, new_season, opened, planned, played

LINE = LogLine(1, "info", "run", "began")


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that another user can enter (pytest's own are private), but not write."""
    with TemporaryDirectory() as folder:
        path = Path(folder)
        path.chmod(0o755)
        yield path


def test_a_new_database_is_safe_against_power_cuts_and_readable_meanwhile(tmp_path: Path) -> None:
    with Database.open(tmp_path / "new.db", create=True) as database, database.reading() as db:
        pragmas = {
            name: db.connection().exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


@pytest.mark.parametrize("name", ["spring.db", "odd name%20é.db", "with?mode=memory#x.db"])
def test_a_path_may_hold_any_character(tmp_path: Path, name: str) -> None:
    opened(tmp_path / name).close()
    assert [path.name for path in tmp_path.iterdir()] == [name]
    with Database.open(tmp_path / name, read_only=True) as database:
        assert len(read.seasons(database)) == 1


def test_a_url_names_the_same_database_as_a_path(tmp_path: Path) -> None:
    opened(tmp_path / "x.db").close()
    with Database.open(f"sqlite:///{tmp_path}/x.db") as database:
        assert len(read.seasons(database)) == 1


def test_a_damaged_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    opened(path).close()
    path.write_bytes(path.read_bytes()[:100] + b"?" * 8000)
    with pytest.raises(StoreError, match=r"the file is damaged: keep a copy|is not a database"):
        Database.open(path)


def test_nothing_there(tmp_path: Path) -> None:
    for options in ({}, {"read_only": True}, {"create": True, "read_only": True}):
        with pytest.raises(StoreError, match=r"no database .*x\.db: a run of its league makes it"):
            Database.open(tmp_path / "x.db", **options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("{}/nowhere/x.db", r"folder .*nowhere of the database x\.db does not exist"),
        ("sqlite://", "in memory, lost with the run"),
        ("sqlite:///:memory:", "in memory, lost with the run"),
        ("nosuch://host/x", "knows databases of SQLite and PostgreSQL only"),
        ("://", "no database URL"),
    ],
)
def test_odd_targets_are_refused_in_words(tmp_path: Path, target: str, words: str) -> None:
    with pytest.raises(StoreError, match=words):
        Database.open(target.format(tmp_path), create=True)


def test_a_folder_is_a_mistake_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a folder, not a database"):
        Database.open(tmp_path)


def test_an_empty_file_is_filled_only_by_a_run(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    with pytest.raises(StoreError, match="is empty: `arena run` fills it"):
        Database.open(path)
    with Database.open(path, create=True) as database:
        assert read.seasons(database) == []


def test_reading_only_while_a_run_writes(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with opened(path) as running, Database.open(path, read_only=True) as looking:
        write.log(running, LINE)
        assert read.logs(looking) == [LINE]
        with pytest.raises(StoreError, match="open for reading only"):
            write.log(looking, LINE)
        with running.writing():
            assert read.logs(looking) == [LINE]  # nobody waits for the database


def test_a_look_leaves_nothing_beside_the_database(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    with opened(path) as running:
        write.log(running, LINE)
        with Database.open(path, read_only=True) as looking:
            assert read.logs(looking) == [LINE]
        assert len(list(tmp_path.iterdir())) == 3, "the run goes on with its log"
    before = path.read_bytes(), path.stat().st_mtime_ns
    with Database.open(path, read_only=True) as looking:
        assert read.logs(looking) == [LINE]
        with pytest.raises(StoreError), looking.reading() as db:
            db.connection().exec_driver_sql("DELETE FROM log")
    assert list(tmp_path.iterdir()) == [path]
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_a_folder_without_rights(shared: Path) -> None:
    shared.chmod(0o555)
    told = without_rights(lambda: Database.open(shared / "x.db", create=True))
    assert str(told).startswith("StoreError: The database /")
    assert "cannot be opened: check the permissions of the file and of its folder" in str(told)
    shared.chmod(0o755)


def test_a_file_without_rights_can_be_read_only(shared: Path) -> None:
    path = shared / "x.db"
    opened(path).close()
    path.chmod(0o444)
    shared.chmod(0o555)

    def write_lines() -> None:
        with Database.open(path) as database:
            write.log(database, LINE)

    def look() -> int:
        with Database.open(path, read_only=True) as database:
            return len(read.seasons(database))

    assert "check the permissions of the file and of its folder" in str(without_rights(write_lines))
    assert without_rights(look) == 1
    shared.chmod(0o777)
    assert without_rights(look) == 1
    shared.chmod(0o755)


def test_a_full_disk_is_told_and_what_was_stored_stays(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    opened(path, new_season(sessions=9)).close()

    def fill() -> None:
        with Database.open(path) as database:
            with database.writing() as db:
                pages = db.connection().exec_driver_sql("PRAGMA page_count").scalar_one()
                db.connection().exec_driver_sql(f"PRAGMA max_page_count = {pages + 9}")
            for index in range(9):
                write.begin_sessions(database, 1, 0, [(planned(0, index), keys(0, index))], at=1)
                write.save_matches(database, 1, [played(key) for key in keys(0, index)])

    told = str(outcome(fill))
    assert "the disk is full" in told
    with Database.open(path) as database:
        stored = read.matches(database, 1)
        assert 4 <= len(stored) == 4 * len(read.session_results(database, 1)) < 36


def test_a_damaged_list_of_tables_is_told_like_every_damage(tmp_path: Path) -> None:
    path = tmp_path / "spring.db"
    Database.open(path, create=True).close()
    content = path.read_bytes()
    path.write_bytes(content.replace(b"CREATE TABLE fault", b"CREATE \xff\xfeBLE fault"))
    with pytest.raises(StoreError, match="its list of tables is damaged"):
        Database.open(path, read_only=True)


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE log SET at = 1 << 62", "at in row 1 of the table log is no time: 4611686018427387904"),
        ("UPDATE entry SET season = 7", "row 1 of the table entry belongs to no row of the table season"),
    ],
)
def test_an_error_that_comes_from_a_changed_row_names_it(tmp_path: Path, statement: str, why: str) -> None:
    path = tmp_path / "x.db"
    with opened(path, new_season(sessions=1)) as database:
        write.log(database, LINE)
    tamper(path, statement)
    with (
        pytest.raises(RowsUnreadable, match=r"x\.db holds what no arena has stored") as told,
        Database.open(path, read_only=True),
    ):
        raise ExceptionGroup("a task", [TypeError("met outside of `reading`")])
    assert told.value.why == why


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        (
            "UPDATE phase SET cycles_planned = 99999999999999",
            "cycles_planned is 99999999999999: Input should be less than or equal to 100000",
        ),
        (
            "UPDATE season SET sessions_per_cycle = 1 << 62",
            "sessions_per_cycle is 4611686018427387904: Input should be less than or equal to 20000",
        ),
    ],
)
def test_nobody_goes_through_a_plan_without_end(tmp_path: Path, statement: str, why: str) -> None:
    path = tmp_path / "x.db"
    opened(path, new_season(sessions=1)).close()
    tamper(path, statement)
    with Database.open(path, read_only=True) as database, pytest.raises(RowsUnreadable) as told:
        read.current_season(database)
    assert told.value.why == why


def test_an_error_of_ours_stays_one(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    opened(path, new_season(sessions=1)).close()
    for read_only in (True, False):
        with pytest.raises(TypeError, match="ours"), Database.open(path, read_only=read_only):
            raise TypeError("ours")
    tamper(path, "INSERT INTO log VALUES (1, -7, 'info', 'run', 'began')")
    with pytest.raises(ValueError, match="of a run"), Database.open(path):
        raise ValueError("of a run, which wrote all of it")
    with pytest.raises(UsageError), Database.open(path, read_only=True):
        raise UsageError("what was asked for is not there")


def test_a_table_refuses_a_value_of_another_kind(tmp_path: Path) -> None:
    opened(tmp_path / "x.db").close()
    with pytest.raises(sqlite3.IntegrityError, match="cannot store TEXT value in INTEGER column"):
        tamper(tmp_path / "x.db", "UPDATE season SET opened_at = 'x'")


def tamper(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as plain, plain:
        plain.execute(statement)
