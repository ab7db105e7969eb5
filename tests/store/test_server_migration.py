"""A database of an older arena on a server is read as it is, and brought up to date in one transaction."""

from __future__ import annotations

import lzma
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from arena.errors import DatabaseRefused, StoreError
from arena.store import server_migration
from arena.store.database import Database
from arena.store.migration import bring_up_to_date
from arena.store.models import SCHEMA_VERSION
from arena.store.reader import Reader
from tests.cli.calling import Arena, caller
from tests.postgres import Server, postgres
from tests.store.test_postgres import everything

__all__ = ["postgres"]

LANDED = Path(__file__).with_name("landed")
VERSION = 4
"""The version of the oldest database that there is on servers."""
SHAPE = (
    "SELECT table_name, column_name, data_type, is_nullable, collation_name FROM information_schema.columns "
    "WHERE table_schema = 'public' ORDER BY 1, ordinal_position",
    "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint "
    "WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2, 3",
    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
    "SELECT relname FROM pg_class WHERE relkind = 'S' ORDER BY 1",
)


@pytest.fixture
def old(postgres: Server) -> str:
    """The address of a database as the arena of schema 4 left it, dumped by PostgreSQL."""
    return postgres.restored(lzma.decompress((LANDED / "server_4.sql.xz").read_bytes()))


@pytest.fixture
def league(old: str, tmp_path: Path) -> Path:
    """The file of its league, with its bots beside it."""
    folder = shutil.copytree(LANDED / "schema_4_open", tmp_path / "league")
    file = folder / "league.toml"
    file.write_text(f'{file.read_text()}\n[store]\nurl = "{old}"\n')
    return file


@pytest.fixture
def arena(capsys: pytest.CaptureFixture[str]) -> Arena:
    return caller(capsys)


def told(address: str, *questions: str) -> list[list[tuple[object, ...]]]:
    """What the server answers."""
    url = make_url(address)
    with closing(
        psycopg.connect(host=str(url.query["host"]), user=url.username, dbname=url.database)
    ) as plain:
        return [plain.execute(question).fetchall() for question in questions]  # type: ignore[arg-type]


def version_of(address: str) -> int:
    with Database.open(address, read_only=True) as database:
        return database.version


def test_reading_it_tells_what_its_file_tells_and_changes_nothing(old: str, tmp_path: Path) -> None:
    same = tmp_path / "file.db"
    same.write_bytes(lzma.decompress((LANDED / "schema_4_open" / "landed.db.xz").read_bytes()))
    before = told(old, *SHAPE)
    for ours, theirs in zip(everything(same), everything(old), strict=True):
        assert repr(ours) == repr(theirs)
    assert version_of(old) == VERSION
    assert told(old, *SHAPE) == before


def test_it_is_not_written_to(old: str) -> None:
    with pytest.raises(DatabaseRefused, match=r"older arena \(schema 4.* `arena run` brings it up to date"):
        Database.open(old)


def test_it_is_brought_up_to_date_with_all_it_holds(old: str, postgres: Server) -> None:
    new = postgres.database()
    Database.open(new, create=True).close()
    before = everything(old)
    said = bring_up_to_date(old)
    assert f"was brought from schema {VERSION} to {SCHEMA_VERSION}" in said
    assert version_of(old) == SCHEMA_VERSION
    assert told(old, *SHAPE) == told(new, *SHAPE)
    (columns,) = told(old, SHAPE[0])
    assert {order for _, _, kind, _, order in columns if kind == "character varying"} == {"C"}
    after = everything(old)
    for ours, theirs in zip(before, after, strict=True):
        if ours != theirs:
            assert ours == theirs[:-1], "only the log has a new line"  # type: ignore[index]
    with Database.open(old) as database:
        assert Reader(database).logs()[-1].text == said
    assert bring_up_to_date(old) == ""


def test_an_empty_database_and_one_of_today_stay_as_they_are(postgres: Server) -> None:
    address = postgres.database()
    assert bring_up_to_date(address) == ""
    Database.open(address, create=True).close()
    assert bring_up_to_date(address) == ""
    with Database.open(address, read_only=True) as database:
        assert Reader(database).logs() == []


@pytest.mark.parametrize("place", ["_shut_out_others", "_order_by_bytes"])
def test_what_fails_in_between_changes_nothing(old: str, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    step: Callable[..., object] = getattr(server_migration, place)
    before = told(old, *SHAPE)

    def fails(*given: object) -> None:
        step(*given)
        raise StoreError("the power is gone")

    with monkeypatch.context() as patched:
        patched.setattr(server_migration, place, fails)
        with pytest.raises(StoreError, match="the power is gone"):
            bring_up_to_date(old)
    assert told(old, *SHAPE) == before
    assert bring_up_to_date(old)


def test_whoever_reads_for_long_is_not_disturbed(old: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_migration, "BUSY_SECONDS", 0.3)
    with Database.open(old, read_only=True) as reading:
        with reading.reading() as connection:
            count = "SELECT count(*) FROM match"
            found = connection.exec_driver_sql(count).scalar()
            with pytest.raises(StoreError, match="another program has kept it locked for too long"):
                bring_up_to_date(old)
            assert connection.exec_driver_sql(count).scalar() == found
        # Its views are in the way of new tables too.
        with pytest.raises(StoreError, match="other programs see it through views: close them"):
            bring_up_to_date(old)
    assert bring_up_to_date(old)


def test_a_role_that_may_only_read_is_told_what_to_do(old: str, postgres: Server) -> None:
    name = str(make_url(old).database)
    postgres.sql("CREATE ROLE looker LOGIN")
    postgres.sql(f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC")
    postgres.sql("GRANT SELECT ON ALL TABLES IN SCHEMA public TO looker", name)
    theirs = old.replace("arena@", "looker@")
    with pytest.raises(DatabaseRefused, match="cannot be read as it is by this role: `arena run` brings it"):
        Database.open(theirs, read_only=True)
    bring_up_to_date(old)
    postgres.sql("GRANT SELECT ON ALL TABLES IN SCHEMA public TO looker", name)
    assert version_of(theirs) == SCHEMA_VERSION


@pytest.mark.slow
def test_commands_read_it_an_act_brings_it_up_to_date_and_its_season_goes_on(
    arena: Arena, league: Path
) -> None:
    for command in ("standings", "status", "verify", "report"):
        called = arena(command, league)
        assert called.code == 0, called.err
    for what in ("standings", "sessions", "rounds"):
        found = arena("export", league, "--what", what).out.splitlines()
        assert found == (league.parent / f"{what}.csv").read_text().splitlines()
    called = arena("void", league, "2.0", "--reason", "noise")
    assert called.code == 0, called.err
    assert f"was brought from schema {VERSION} to {SCHEMA_VERSION}" in called.err
    called = arena("run", league)
    assert called.code == 0, called.err
    assert arena("verify", league).code == 0
