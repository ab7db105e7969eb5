"""The coordinator's writing: seasons, phases, attempts that end, sessions that do not count."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.deals import MatchKey
from arena.errors import StoreError, UsageError
from arena.store import read, write
from arena.store.database import Database
from arena.store.history import Action
from arena.store.playing import PlannedSession
from arena.store.views import MatchState, SessionState
from tests.store.samples import BOTS, SECRET, keys, opened, planned, played

ACT = Action(9_000, "ann", "void", "0.0", "the power failed", '{"season": 1}')


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with opened(tmp_path / "x.db") as database:
        yield database


def complete(database: Database, cycle: int = 0, index: int = 0) -> None:
    """Play a whole session."""
    write.begin_sessions(database, 1, 0, [(planned(cycle, index), keys(cycle, index))], at=1_500)
    write.save_matches(database, 1, [played(key) for key in keys(cycle, index)])


def test_a_secret_is_shown_only_when_its_phase_has_ended(database: Database) -> None:
    def phase() -> tuple[str | None, int | None, str]:
        season = read.current_season(database)
        assert season is not None
        (only,) = season.phases
        return only.secret, only.ended_at, only.end_reason

    assert phase() == (None, None, "")
    assert read.phase_secret(database, 1, 0) == SECRET
    write.end_phase(database, 1, 0, "cycles played", 8_000)
    write.end_phase(database, 1, 0, "again", 8_500)
    assert phase() == (SECRET.hex(), 8_000, "cycles played")
    with pytest.raises(StoreError, match="has no phase 5"):
        read.phase_secret(database, 1, 5)


def test_beginning_twice_changes_nothing(database: Database) -> None:
    both = [(planned(0, 0), keys(0, 0)), (planned(0, 2, BOTS[2:6]), keys(0, 2)[:1])]
    write.begin_sessions(database, 1, 0, both, at=1_500)
    before = read.matches(database, 1, state=None)
    write.begin_sessions(database, 1, 0, both, at=1_600)
    assert read.matches(database, 1, state=None) == before
    assert [match.number for match in before] == [1, 2, 3, 4, 9]
    assert {match.state for match in before} == {MatchState.BEGUN}
    assert before[4].line_up == BOTS[2:6]
    assert [session.line_up for session in read.sessions(database, 1)] == [BOTS[:4], BOTS[2:6]]


@pytest.mark.parametrize(
    ("session", "key", "words"),
    [
        (
            planned(0, 0, BOTS[1:5]),
            MatchKey(0, 0, 1),
            r"begun by ant bee cat dog, and is now planned for bee",
        ),
        (planned(0, 0), MatchKey(0, 0, 0), "cannot be begun: it is finished"),
        (planned(0, 1), MatchKey(0, 0, 1), r"is not a match of session \(0, 1\)"),
    ],
)
def test_what_contradicts_the_schedule_is_not_begun(
    database: Database, session: PlannedSession, key: MatchKey, words: str
) -> None:
    complete(database)
    before = read.sessions(database, 1)
    with pytest.raises(StoreError, match=words):
        write.begin_sessions(database, 1, 0, [(session, [key])], at=1_600)
    assert read.sessions(database, 1) == before


def test_aborted_attempts_count_and_interrupted_ones_do_not(database: Database) -> None:
    def begin(attempt: int) -> None:
        write.begin_sessions(database, 1, 0, [(planned(), keys(attempt=attempt)[:2])], at=1_500)

    begin(0)
    write.abort(database, 1, MatchKey(0, 0, 0, 0), "the referee was lost")
    write.interrupt_begun(database, 1, "stopped by the user")
    begin(1)
    write.abort(database, 1, MatchKey(0, 0, 0, 1), "again")
    write.abort(database, 1, MatchKey(0, 0, 0, 1), "too late to be the reason")
    write.abort(database, 1, MatchKey(0, 0, 1, 1), "stopped", MatchState.INTERRUPTED)
    begin(2)
    so_far = read.so_far(database, 1)
    assert so_far.attempts == {(0, 0, 0): 2, (0, 0, 1): 2}
    assert so_far.aborted == {(0, 0, 0): 2}
    assert [(match.state.value, match.reason) for match in read.matches(database, 1, state=None)] == [
        ("aborted", "the referee was lost"),
        ("aborted", "again"),
        ("begun", ""),
        ("interrupted", "stopped by the user"),
        ("interrupted", "stopped"),
        ("begun", ""),
    ]


def test_withdrawn_attempts_are_forgotten_unless_they_ended(database: Database) -> None:
    write.begin_sessions(database, 1, 0, [(planned(), keys())], at=1_500)
    write.save_matches(database, 1, [played(MatchKey(0, 0, 0))])
    write.abort(database, 1, MatchKey(0, 0, 1), "lost")
    write.unbegin(database, 1, keys())
    assert [match.number for match in read.matches(database, 1, state=None)] == [1, 2]
    write.begin_sessions(database, 1, 0, [(planned(), keys()[2:])], at=1_600)
    assert len(read.so_far(database, 1).attempts) == 4


def test_a_finished_match_cannot_be_ended_otherwise(database: Database) -> None:
    complete(database)
    write.abort(database, 1, MatchKey(0, 0, 0), "too late")
    write.interrupt_begun(database, 1, "stopped")
    assert len(read.so_far(database, 1).finished) == 4


def test_a_voided_session_leaves_the_score_and_stays_readable(database: Database) -> None:
    complete(database)
    complete(database, 0, 1)
    write.void(database, 1, (0, 0), ACT)
    assert [result.key for result in read.session_results(database, 1)] == [(0, 1)]
    assert read.session_states(database, 1)[0, 0] is SessionState.VOIDED
    assert read.sessions(database, 1)[0].reason == "the power failed"
    assert read.record(database, 1, 1) == played(MatchKey(0, 0, 0))
    assert [match.counts for match in read.matches(database, 1)] == [False] * 4 + [True] * 4
    assert read.actions(database) == [ACT]


@pytest.mark.parametrize(
    ("session", "words"),
    [
        ((0, 0), "is void already"),
        ((0, 1), "is not complete"),
        ((0, 2), "was left out"),
        ((1, 0), "was never begun"),
    ],
)
def test_only_what_counts_can_be_voided(database: Database, session: tuple[int, int], words: str) -> None:
    complete(database)
    write.void(database, 1, (0, 0), ACT)
    for index in (1, 2):
        write.begin_sessions(database, 1, 0, [(planned(0, index), keys(0, index))], at=1_500)
    write.leave_out(database, 1, (0, 2), "aborted three times")
    with pytest.raises(UsageError, match=words):
        write.void(database, 1, session, ACT)
    assert read.actions(database) == [ACT]


def test_a_session_left_out_never_counts(database: Database) -> None:
    write.begin_sessions(database, 1, 0, [(planned(), keys())], at=1_500)
    write.leave_out(database, 1, (0, 0), "match 2 was aborted three times")
    write.save_matches(database, 1, [played(key) for key in keys()])
    assert read.session_results(database, 1) == []
    (session,) = read.sessions(database, 1)
    assert (session.state, session.matches_finished) == (SessionState.LEFT_OUT, 4)
