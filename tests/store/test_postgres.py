"""A league on a PostgreSQL server: the same rows as in a file, one run at a time, and every error in words.

What both kinds of databases share is tested on SQLite in the other files.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, event, make_url

from arena.errors import DatabaseBusy, DatabaseRefused, SchemaChanged, StoreError
from arena.linux.machine import Host
from arena.match.faults import Fault, FaultKind
from arena.store import read, write
from arena.store.database import Database, copy_database, is_there
from arena.store.history import LogLine
from arena.store.lock import holder_of
from arena.store.postgres import ServerLock
from arena.store.transaction import NO_PATIENCE, Patience
from arena.store.views import MatchState
from tests.postgres import LOCKED, PASSWORD, Server, postgres, server
from tests.store.children import fork
from tests.store.samples import BOTS, keys, new_season, opened, planned, played

pytestmark = pytest.mark.slow

__all__ = ["postgres"]

LINE = LogLine(1, "info", "run", "began")


@pytest.fixture
def address(postgres: Server) -> str:
    """An empty database."""
    return postgres.database()


@pytest.fixture(scope="module")
def empty(postgres: Server) -> str:
    """An empty database, for tests that leave it so."""
    return postgres.database()


@pytest.fixture(scope="module")
def doomed() -> Iterator[Server]:
    """A server that a test may kill."""
    with server() as own:
        yield own


def store(where: Path | str) -> None:
    """Play a bit of everything, with rows that are deleted, refused and not kept."""
    # By their bytes in this order; people would have "@" before digits.
    bots = ("b2", "b@2", "ba", *BOTS[3:])
    new = new_season()
    entries = tuple(replace(entry, bot=bot) for entry, bot in zip(new.entries, bots, strict=True))
    with opened(where, replace(new, entries=entries)) as database:  # type: ignore[arg-type]
        line_up = bots[:4]
        for index in (1, 0):
            write.begin_sessions(database, 1, 0, [(planned(0, index, line_up), keys(0, index))], 5)
        write.unbegin(database, 1, keys(0, 0)[2:])
        with pytest.raises(StoreError):
            write.log(database, replace(LINE, level="none that is known"))
        write.begin_sessions(database, 1, 0, [(planned(0, 0, line_up), keys(0, 0))], 5)
        records = [played(key, bots=bots) for key in (*keys(0, 0), *keys(0, 1)[:3])]
        seat = replace(records[0].seats[0], stderr_tail="last\twords\\ of\nit" + "é" * 600, faults=1)
        fault = Fault(0, FaultKind.ILLEGAL, "because", 1, 2, "\\N", 10, 20, None)
        records[0] = replace(records[0], seats=(seat, *records[0].seats[1:]), faults=(fault,))
        host = Host("node1", "4f2a", "A processor", 8, True, "own-users", "1.0", "3.12.1")
        write.note_host(database, host, 6)
        there = write.note_host(database, replace(host, name="node2", compiled=False), 7)
        write.save_matches(database, 1, records, {record.key: there for record in records[1:]})
        write.abort(database, 1, keys(0, 1)[3], "it broke", MatchState.ABORTED)
        write.log(database, LINE)
        write.end_phase(database, 1, 0, "over", 9_000)


def everything(where: Path | str) -> list[object]:
    """What readers get."""
    with Database.open(where, read_only=True) as database:
        calls: list[Callable[[Database, int], object]] = [
            read.progress, read.sessions, read.session_results, read.matches, read.faults, read.fault_counts,
            read.bot_times, read.core_waits, read.processes, read.sandbox_levels, read.rulings, read.so_far,
            read.session_states, read.hosts,
        ]  # fmt: skip
        found = [call(database, 1) for call in calls]
        assert (read.unsound(database), read.damage(database)) == ("", "")
        listed = [
            list(read.played(database, 1)),
            list(read.sittings(database, 1)),
            list(read.each_match(database, 1)),
        ]
        told = [read.seasons(database), read.logs(database), read.actions(database)]
        return [*found, *listed, *told, read.record(database, 1, 1)]


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def test_both_kinds_of_databases_hold_and_tell_the_same(tmp_path: Path, address: str) -> None:
    store(tmp_path / "file.db")
    store(address)
    for ours, theirs in zip(everything(tmp_path / "file.db"), everything(address), strict=True):
        assert repr(ours) == repr(theirs)  # dictionaries in the same order, whole numbers as such
    copy_database(tmp_path / "file.db", tmp_path / "one.db")
    copy_database(address, tmp_path / "two.db")
    assert sorted(dump(tmp_path / "one.db")) == sorted(dump(tmp_path / "two.db"))


def test_a_nul_that_a_bot_has_written_becomes_its_symbol(address: str) -> None:
    with opened(address) as database:  # type: ignore[arg-type]
        write.begin_sessions(database, 1, 0, [(planned(), keys())], 5)
        record = played(keys()[0])
        seats = (replace(record.seats[0], stderr_head="a\0b"), *record.seats[1:])
        write.save_matches(database, 1, [replace(record, seats=seats)])
        write.log(database, replace(LINE, text="c\0d"))
        assert read.record(database, 1, 1).seats[0].stderr_head == "a␀b"
        assert read.logs(database)[-1].text == "c␀d"


def test_one_transaction_writes_at_a_time(address: str) -> None:
    with opened(address) as database:  # type: ignore[arg-type]
        with database.writing() as db:
            other = threading.Thread(target=partial(write.log, database), args=[replace(LINE, text="second")])
            other.start()
            other.join(0.2)
            assert other.is_alive()
            db.connection().exec_driver_sql(
                "INSERT INTO log (at, level, subject, text) VALUES (1, 'info', '', 'first')"
            )
        other.join()
        assert [line.text for line in read.logs(database)] == ["first", "second"]


def test_a_reader_sees_one_state_and_may_not_write(address: str) -> None:
    with opened(address) as database, Database.open(address, read_only=True) as reading:  # type: ignore[arg-type]
        with reading.reading() as db:
            count = "SELECT count(*) FROM log"
            assert db.connection().exec_driver_sql(count).scalar() == 0
            write.log(database, LINE)
            assert db.connection().exec_driver_sql(count).scalar() == 0
        with pytest.raises(StoreError, match="may only be read here"), reading.reading() as db:
            db.connection().exec_driver_sql("DELETE FROM log")


# A connection that nobody else can read


@pytest.fixture(scope="module")
def by_tls() -> Iterator[tuple[Server, str]]:
    """A server that takes TLS only, and the address of a database on it, but for what asks for TLS."""
    with server() as own:
        name = str(make_url(own.database()).database)
        port = own.start_with_tls()
        yield own, f"postgresql+psycopg://arena@localhost:{port}/{name}"


def test_a_league_is_stored_and_run_by_tls(by_tls: tuple[Server, str]) -> None:
    own, address = by_tls
    for more in ("sslmode=require", f"sslmode=verify-full&sslrootcert={own.folder / 'ca.pem'}"):
        secured = f"{address}?{more}"
        with Database.open(secured, create=True) as database:
            write.log(database, replace(LINE, text=more))
            with database.reading() as db:
                used = "SELECT ssl, version FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
                assert db.connection().exec_driver_sql(used).one() == (True, "TLSv1.3")
        with ServerLock(secured):
            assert holder_of(secured) is not None
        with Database.open(secured, read_only=True) as database:
            assert read.logs(database)[-1].text == more


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("sslmode=disable", "lets nobody in from here like this: ask for TLS"),
        ("sslmode=verify-full&sslrootcert=system", "certificate is refused"),
        ("sslmode=verify-full&sslrootcert=/nowhere/ca.pem", "certificate is refused"),
        ("sslmode=verify-full&sslrootcert={folder}/other.pem", "certificate is refused"),
    ],
)
def test_a_connection_that_is_not_as_asked_for_is_refused_in_words(
    by_tls: tuple[Server, str], more: str, words: str
) -> None:
    own, address = by_tls
    secured = f"{address}?{more.format(folder=own.folder)}"
    with pytest.raises(DatabaseRefused, match=words) as caught:
        Database.open(secured, create=True)
    assert "\n" not in str(caught.value)


# The lock of a run


def test_a_second_run_is_refused_until_the_first_is_killed(address: str) -> None:
    def run() -> None:
        lock = ServerLock(address)
        lock.acquire()
        os.write(told, b"x")
        threading.Event().wait()

    hearing, told = os.pipe()
    child = fork(run)
    os.read(hearing, 1)
    assert (holder_of(address) or "").startswith(f"{child} on ")
    with pytest.raises(DatabaseBusy, match=f"being run by process {child} on "):
        ServerLock(address).acquire()
    os.kill(child, 9)
    os.waitpid(child, 0)
    while holder_of(address) is not None:  # the server hears of it within milliseconds
        pass
    with ServerLock(address):
        assert (holder_of(address) or "").startswith(f"{os.getpid()} on ")
    assert holder_of(address) is None


# A server that is lost


def told_of(said: list[str], seconds: float = 60.0) -> Patience:
    return Patience(seconds, said.append)


def test_what_was_being_stored_is_stored_once_when_the_server_is_back(doomed: Server) -> None:
    address, said = doomed.database(), list[str]()
    opened(address).close()  # type: ignore[arg-type]
    with Database.open(address, patience=told_of(said)) as database:
        database.claim()
        write.log(database, LINE)
        doomed.stop(how=9)  # type: ignore[arg-type]
        back = threading.Timer(1.0, doomed.start)
        back.start()
        write.log(database, replace(LINE, text="again"))
        back.join()
        assert [line.text for line in read.logs(database)] == ["began", "again"]
    assert "is gone: trying again for 60 s" in said[0]
    assert said[1:] == ["the server of the database is back"]


def test_a_server_that_does_not_come_back_ends_it_with_a_sentence(doomed: Server) -> None:
    address, said = doomed.database(), list[str]()
    opened(address).close()  # type: ignore[arg-type]
    with Database.open(address, patience=told_of(said, 0.7)) as database:
        doomed.stop()
        try:
            with pytest.raises(StoreError, match=r"has not come back within 0.7 s. What was stored is kept"):
                write.log(database, LINE)
            with pytest.raises(DatabaseRefused, match="no server answers there"):
                Database.open(address, read_only=True)
            with pytest.raises(DatabaseRefused, match="no server answers there"):
                is_there(address)
            assert holder_of(address) is None
        finally:
            doomed.start()


@pytest.mark.parametrize("kept", [True, False])
def test_an_answer_that_was_lost_with_the_server_is_asked_for(
    postgres: Server, address: str, kept: bool
) -> None:
    said: list[str] = []
    opened(address).close()  # type: ignore[arg-type]
    with Database.open(address, patience=told_of(said)) as database:
        database.claim()
        cuts: list[Connection] = []

        def cut(connection: Connection) -> None:
            if cuts:
                return
            cuts.append(connection)
            driver = connection.connection.driver_connection
            assert driver is not None
            if kept:
                driver.commit()
            postgres.sql(f"SELECT pg_terminate_backend({driver.info.backend_pid})")

        event.listen(database._engine, "commit", cut)
        # Committed by hand, nothing is left to commit: so it must fail when the connection is looked at.
        event.listen(
            database._engine, "commit", lambda one: one not in cuts or one.exec_driver_sql("SELECT 1")
        )
        write.log(database, LINE)
        assert read.logs(database) == [LINE]
    assert cuts


def test_a_run_that_began_meanwhile_ends_this_one(postgres: Server, address: str) -> None:
    opened(address).close()  # type: ignore[arg-type]
    name = address.partition("@/")[2].partition("?")[0]
    lock = ServerLock(address)
    lock.acquire()
    with Database.open(address, patience=Patience(30.0, when_back=lock.regain)) as database:
        postgres.sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
        with ServerLock(address), pytest.raises(DatabaseBusy):
            write.log(database, LINE)
        assert read.logs(database) == []


# What is refused


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("@/league", "@/nosuch"), "there is no such database"),
        (("arena@", "stranger@"), "there is no such role"),
        (("arena@", f"{LOCKED}@"), "does not accept the password"),
        (("host=/", "host=/nowhere/"), "no server answers there"),
        (("@/", "@nosuch.invalid/"), "no such host|no server answers there"),
    ],
)
def test_what_is_wrong_with_an_address_is_told_in_words(
    empty: str, change: tuple[str, str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGPASSWORD", "a wrong one")
    wrong = empty.replace(*change)
    if "nosuch.invalid" in wrong:
        wrong = wrong.partition("?")[0]
    for ask in (
        lambda: Database.open(wrong, create=True),
        lambda: is_there(wrong),
        lambda: ServerLock(wrong).__enter__(),
    ):
        with pytest.raises(DatabaseRefused, match=words) as caught:
            ask()
        assert "a wrong one" not in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_password_comes_from_the_environment_or_a_passfile(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = address.replace("arena@", f"{LOCKED}@")
    passfile = tmp_path / "pass"
    passfile.write_text(f"*:*:*:{LOCKED}:{PASSWORD}\n")
    passfile.chmod(0o600)
    opened(f"{locked}&passfile={passfile}").close()  # type: ignore[arg-type]
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    with Database.open(locked, read_only=True) as database:
        assert PASSWORD not in database.name


@pytest.mark.parametrize(
    ("done", "error", "words"),
    [
        ("UPDATE meta SET value = '99'", StoreError, "made by another version of the arena"),
        ("ALTER TABLE meta RENAME TO other", StoreError, "name another database in"),
        ("ALTER TABLE seat DROP COLUMN pid", SchemaChanged, "the table seat has no column pid"),
        ("DROP TABLE fault", SchemaChanged, "the table fault is missing"),
    ],
)
def test_another_schema_is_refused(
    postgres: Server, address: str, done: str, error: type[Exception], words: str
) -> None:
    opened(address).close()  # type: ignore[arg-type]
    postgres.sql(done, address.partition("@/")[2].partition("?")[0])
    for create in (True, False):
        with pytest.raises(error, match=words):
            Database.open(address, create=create, read_only=not create)


def test_a_database_without_tables_is_empty(empty: str) -> None:
    assert not is_there(empty)
    with pytest.raises(StoreError, match="is empty: `arena run` fills it"):
        Database.open(empty, read_only=True, patience=NO_PATIENCE)


def test_a_value_that_makes_no_sense_is_named_with_its_row(postgres: Server, address: str) -> None:
    store(address)
    postgres.sql("UPDATE log SET at = -5", address.partition("@/")[2].partition("?")[0])
    with Database.open(address, read_only=True) as database:
        assert read.damage(database) == "at in row (0,2) of the table log is no time: -5"
