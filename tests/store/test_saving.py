"""Results: whole or absent, once and for all, and exactly what was saved."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given

from arena.deals import MatchKey
from arena.errors import StoreError
from arena.match.record import MatchRecord
from arena.store import read, write
from arena.store.database import Database
from arena.store.views import MatchState, SessionState
from tests.examples import examples
from tests.store.children import fork
from tests.store.samples import keys, new_phase, new_season, opened, planned, played, records


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with opened(tmp_path / "x.db") as database:
        yield database


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """For examples that each have a season of their own: opening a database takes longer than one of them."""
    with opened(tmp_path_factory.mktemp("shared") / "x.db") as database:
        yield database


def begin(database: Database, cycle: int = 0, index: int = 0, attempt: int = 0) -> Database:
    """Begin an attempt at every match of a session."""
    write.begin_sessions(
        database, 1, 0, [(planned(cycle, index), keys(cycle, index, attempt=attempt))], at=1_500
    )
    return database


@given(record=records())
@examples(60, suppress_health_check=[HealthCheck.too_slow])
def test_a_record_comes_back_as_it_was(shared: Database, record: MatchRecord) -> None:
    database = shared
    season = write.open_season(database, new_season(record.setup.players))
    write.open_phase(database, new_phase(season))
    line_up = sorted(seat.bot for seat in record.seats)
    write.begin_sessions(database, season, 0, [(planned(line_up=line_up), [record.key])], at=1)
    write.save_matches(database, season, [record])
    assert read.record(shared, season, 1) == record


def test_saving_twice_changes_nothing(database: Database) -> None:
    begin(database)
    results = [played(key) for key in keys()]
    write.save_matches(database, 1, results[:3])
    write.save_matches(database, 1, results)
    before = (
        read.matches(database, 1, state=None),
        read.session_results(database, 1),
        read.sessions(database, 1),
    )
    write.save_matches(database, 1, results)
    write.save_matches(database, 1, [replace(results[0], rounds=results[1].rounds)])
    assert (
        read.matches(database, 1, state=None),
        read.session_results(database, 1),
        read.sessions(database, 1),
    ) == before
    assert read.record(database, 1, 1) == results[0]


def test_a_late_result_of_an_attempt_that_was_given_up_is_passed_over(database: Database) -> None:
    begin(database)
    late, again = played(MatchKey(0, 0, 0, 0)), played(MatchKey(0, 0, 0, 1))
    write.abort(database, 1, late.key, "the referee was lost")
    write.save_matches(database, 1, [late])
    assert read.so_far(database, 1).finished == set()
    begin(database, attempt=1)
    write.save_matches(database, 1, [again, late])
    assert read.record(database, 1, 1) == again
    assert [match.state for match in read.matches(database, 1, of_session=(0, 0), state=None)][:2] == [
        MatchState.ABORTED,
        MatchState.FINISHED,
    ]


def test_two_attempts_at_once_have_one_result(database: Database) -> None:
    begin(database)
    begin(database, attempt=1)
    second, first = played(MatchKey(0, 0, 0, 1)), played(MatchKey(0, 0, 0, 0))
    write.save_matches(database, 1, [second])
    write.save_matches(database, 1, [first])
    assert read.record(database, 1, 1) == second


def test_a_match_that_was_never_begun_is_refused_with_all_that_came_along(database: Database) -> None:
    begin(database)
    with pytest.raises(StoreError, match=r"cycle=1.* was never begun"):
        write.save_matches(database, 1, [played(MatchKey(0, 0, 0)), played(MatchKey(1, 0, 0))])
    assert read.so_far(database, 1).finished == set()


def test_results_are_stored_with_the_sessions_begun_after_them_or_neither(database: Database) -> None:
    begin(database)
    results = [played(key) for key in keys()]
    new = [(planned(0, 1), keys(0, 1))]
    with pytest.raises(StoreError):
        write.begin_sessions(database, 1, 0, new, at=2_000, records=[*results, played(MatchKey(0, 2, 0))])
    with pytest.raises(StoreError):
        write.begin_sessions(database, 1, 0, [(planned(0, 1), keys(0, 2))], at=2_000, records=results)
    assert {match.state for match in read.matches(database, 1, state=None)} == {MatchState.BEGUN}
    assert len(read.sessions(database, 1)) == 1
    write.begin_sessions(database, 1, 0, new, at=2_000, records=results)
    assert [read.record(database, 1, number) for number in (1, 2, 3, 4)] == results
    assert read.session_states(database, 1) == {(0, 0): SessionState.COMPLETE, (0, 1): SessionState.PLANNED}


def test_a_bot_that_never_entered_is_refused(database: Database) -> None:
    begin(database)
    with pytest.raises(StoreError, match="contradicts what it holds"):
        write.save_matches(database, 1, [played(MatchKey(0, 0, 0), bots=("ant", "bee", "cat", "stranger"))])
    assert read.so_far(database, 1).finished == set()


@pytest.mark.slow
def test_a_killed_writer_leaves_each_match_whole_or_absent(tmp_path: Path) -> None:
    path, rng = tmp_path / "x.db", Random(5)
    opened(path, new_season(sessions=1_000)).close()
    base = [played(key) for key in keys()]

    def write_for_ever(tell: int) -> None:
        with Database.open(path) as database:
            done = read.session_states(database, 1)
            os.write(tell, b".")
            for index in range(len(done), 1_000):
                begin(database, 0, index)
                for record in base:
                    key = replace(record.key, index=index)
                    write.save_matches(database, 1, [replace(record, key=key)])

    stored = kills = 0
    while kills < 6 or stored <= 4:
        kills += 1
        begun, tell = os.pipe()
        child = fork(partial(write_for_ever, tell))
        os.close(tell)
        assert os.read(begun, 1) == b"."
        os.close(begun)
        time.sleep(rng.uniform(0.0, 0.2))
        os.kill(child, signal.SIGKILL)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
        stored = max(stored, _check_whole(path, base))


def _check_whole(path: Path, base: list[MatchRecord]) -> int:
    """Every match in the database is one of the records, none in parts; how many there are."""
    with Database.open(path, read_only=True) as database:  # as `arena status` does after the kill
        seen = read.matches(database, 1)
    with Database.open(path) as database:
        with database.reading() as db:
            assert db.connection().exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"
            finished = "(SELECT id FROM match WHERE state = 'finished')"
            for table in ("seat", "fault"):
                parts = f"SELECT count(*) FROM {table} WHERE match NOT IN {finished}"
                assert db.connection().exec_driver_sql(parts).scalar() == 0
        matches = read.matches(database, 1)
        assert matches == seen
        for match in matches:
            record = read.record(database, 1, match.number)
            assert record == replace(base[match.order], key=record.key)
        complete = [
            key for key, state in read.session_states(database, 1).items() if state is SessionState.COMPLETE
        ]
        assert len(complete) == sum(match.order == 3 for match in matches)
        write.interrupt_begun(database, 1, "killed")
        return len(matches)
