"""Reading for pages, scores and a resumed run: sums, filters and what may be shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from arena.deals import MatchKey
from arena.errors import UsageError
from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.record import MatchRecord
from arena.store import read, write
from arena.store.database import Database
from arena.store.views import CycleProgress, MatchState
from tests.store.samples import BOTS, keys, new_season, opened, planned, played

FAULTS = (
    Fault(1, FaultKind.TIMEOUT, "nothing arrived", 0, 3, "", 1_000_000, 7),
    Fault(1, FaultKind.CRASHED, "it ended with code 1", None, None, "Traceback"),
)


def faulty(key: MatchKey) -> MatchRecord:
    """A match that the bot in seat 1 did not survive."""
    record = played(key)
    seat = replace(
        record.seats[1], charge=120, faults=2, hand_over=HandOver.CRASHED, hand_over_at=(0, 4), cpu_us=5
    )
    return replace(record, seats=(record.seats[0], seat, *record.seats[2:]), faults=FAULTS)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Session (0, 0) complete with a bad match 2, (0, 1) half played, (1, 0) voided; and an empty season."""
    with opened(tmp_path_factory.mktemp("reader") / "x.db") as database:
        for session in (planned(0, 0), planned(0, 1, BOTS[2:6]), planned(1, 0)):
            write.begin_sessions(database, 1, 0, [(session, keys(*session.key))], at=1_500)
        results = [played(key) for key in keys(0, 0)]
        results[1] = faulty(results[1].key)
        results += [played(key, bots=BOTS[2:6]) for key in keys(0, 1)[:2]]
        write.save_matches(database, 1, results + [played(key) for key in keys(1, 0)])
        write.abort(database, 1, MatchKey(0, 1, 2), "lost")
        write.open_season(database, new_season(seats=3, matches_per_session=6))
        with database.writing() as db:
            db.connection().exec_driver_sql("UPDATE session SET state = 'voided' WHERE cycle = 1")
        yield database


def test_progress(database: Database) -> None:
    progress = read.progress(database, 1)
    assert progress.cycles == (CycleProgress(0, 3, 1, 1), CycleProgress(1, 3, 0, 1))
    assert not progress.cycles[0].is_over
    assert (progress.sessions_planned, progress.sessions_complete, progress.sessions_voided) == (6, 1, 1)
    assert (progress.matches_planned, progress.matches_finished) == (24, 10)
    assert (progress.matches_begun, progress.matches_aborted, progress.matches_interrupted) == (0, 1, 1)
    assert (progress.rounds_finished, progress.faults) == (40, 2)
    assert (progress.started_at, progress.finished_at) == (1_500, 2_039)


def test_matches_can_be_narrowed_down(database: Database) -> None:
    def numbers(**wanted: Any) -> list[int]:
        return [match.number for match in read.matches(database, 1, **wanted)]

    assert numbers() == [1, 2, 3, 4, 5, 6, 13, 14, 15, 16]
    assert numbers(bot="elk") == [5, 6]
    assert numbers(bot="hen") == []
    assert numbers(of_session=(1, 0)) == [13, 14, 15, 16]
    assert numbers(of_session=(0, 1), state=None) == [5, 6, 7, 8]
    assert numbers(state=MatchState.INTERRUPTED) == [8]
    assert read.matches(database, 2) == []


def test_cards_may_show_only_when_the_session_is_over(database: Database) -> None:
    shown = {match.number for match in read.matches(database, 1, state=None) if match.cards_may_show}
    assert shown == {1, 2, 3, 4, 13, 14, 15, 16}


def test_a_match_is_its_result_or_else_its_last_attempt(database: Database) -> None:
    assert read.match(database, 1, 5).state is MatchState.FINISHED
    assert (read.match(database, 1, 7).state, read.match(database, 1, 7).seats) == (MatchState.ABORTED, ())
    with pytest.raises(UsageError, match="has no match 9"):
        read.match(database, 1, 9)
    with pytest.raises(UsageError, match="no finished match 7"):
        read.record(database, 1, 7)


@pytest.mark.parametrize("at_once", [1, 3, 99])
def test_many_records_are_those_of_each(
    database: Database, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.store.matches._MATCHES_AT_ONCE", at_once)
    stored = read.records(database, 1, [16, 7, 8, 2, 5, 13])  # 7 was aborted, 8 interrupted
    found = [(one.number, one.record()) for one in stored]
    assert found == [(number, read.record(database, 1, number)) for number in (2, 5, 13, 16)]
    assert next(len(record.faults) for _, record in found) == 2
    assert list(read.records(database, 1, [])) == []
    assert list(read.records(database, 2, [2])) == []
