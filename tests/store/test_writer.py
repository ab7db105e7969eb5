"""The coordinator's writing: seasons, stretches, attempts that end, sessions that do not count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.deals import MatchKey
from arena.errors import StoreError, UsageError
from arena.store.database import Database
from arena.store.history import Action
from arena.store.inputs import PlannedSession
from arena.store.reader import Reader
from arena.store.views import MatchState, SessionState
from arena.store.writer import Writer
from tests.store.samples import BOTS, SECRET, keys, new_season, opened, planned, played

ACT = Action(9_000, "ann", "void", "session 0.0", "the power failed", "cards seen")


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with opened(tmp_path / "x.db") as database:
        yield database


@pytest.fixture
def writer(database: Database) -> Writer:
    return Writer(database)


@pytest.fixture
def reader(database: Database) -> Reader:
    return Reader(database)


def complete(writer: Writer, cycle: int = 0, index: int = 0) -> None:
    """Play a whole session."""
    writer.begin_sessions(1, 0, [(planned(cycle, index), keys(cycle, index))], at=1_500)
    writer.save_matches(1, [played(key) for key in keys(cycle, index)])


def test_a_season_is_read_back_as_it_was_opened(reader: Reader) -> None:
    season, new = reader.current_season(), new_season()
    assert season is not None
    for name in ("opened_at", "document", "digest", "league_text", "line_ups", "seats", "rounds", "entries"):
        assert getattr(season, name) == getattr(new, name)
    assert (season.number, season.field_size, season.opened_by, season.reason) == (1, 7, "ann", "first")
    assert (season.sessions_per_cycle, season.matches_per_session) == (3, 4)


def test_seasons_are_numbered_and_share_their_bots(writer: Writer, reader: Reader) -> None:
    assert writer.open_season(replace(new_season(), reason="a new rule")) == 2
    assert [(season.number, season.reason) for season in reader.seasons()] == [
        (1, "first"),
        (2, "a new rule"),
    ]
    current = reader.current_season()
    assert current is not None
    assert current.number == 2
    assert current.stretches == ()


def test_a_secret_is_shown_only_when_its_stretch_has_ended(writer: Writer, reader: Reader) -> None:
    def stretch() -> tuple[str | None, int | None, str]:
        season = reader.current_season()
        assert season is not None
        (only,) = season.stretches
        return only.secret, only.ended_at, only.end_reason

    assert stretch() == (None, None, "")
    assert reader.stretch_secret(1, 0) == SECRET
    writer.end_stretch(1, 0, "cycles played", 8_000)
    writer.end_stretch(1, 0, "again", 8_500)
    assert stretch() == (SECRET.hex(), 8_000, "cycles played")
    with pytest.raises(StoreError, match="has no stretch 5"):
        reader.stretch_secret(1, 5)


def test_beginning_twice_changes_nothing(writer: Writer, reader: Reader) -> None:
    both = [(planned(0, 0), keys(0, 0)), (planned(0, 2, BOTS[2:6]), keys(0, 2)[:1])]
    writer.begin_sessions(1, 0, both, at=1_500)
    before = reader.matches(1, state=None)
    writer.begin_sessions(1, 0, both, at=1_600)
    assert reader.matches(1, state=None) == before
    assert [match.number for match in before] == [1, 2, 3, 4, 9]
    assert {match.state for match in before} == {MatchState.BEGUN}
    assert before[4].line_up == BOTS[2:6]
    assert [session.line_up for session in reader.sessions(1)] == [BOTS[:4], BOTS[2:6]]


def test_one_session_with_two_line_ups_is_not_begun(writer: Writer, reader: Reader) -> None:
    both = [(planned(), keys()[:1]), (planned(0, 1), keys(0, 1)), (planned(0, 0, BOTS[1:5]), keys()[1:])]
    with pytest.raises(StoreError, match="begun by ant bee cat dog, and is now planned for bee"):
        writer.begin_sessions(1, 0, both, at=1_500)
    assert reader.sessions(1) == []


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
        (planned(0, 3), MatchKey(0, 3, 0), "expected a session below 3 and a seat order below 4"),
        (planned(0, 1), MatchKey(0, 1, 4), "expected a session below 3 and a seat order below 4"),
    ],
)
def test_what_contradicts_the_schedule_is_not_begun(
    writer: Writer, reader: Reader, session: PlannedSession, key: MatchKey, words: str
) -> None:
    complete(writer)
    before = reader.sessions(1)
    with pytest.raises(StoreError, match=words):
        writer.begin_sessions(1, 0, [(session, [key])], at=1_600)
    assert reader.sessions(1) == before


def test_aborted_attempts_count_and_interrupted_ones_do_not(writer: Writer, reader: Reader) -> None:
    def begin(attempt: int) -> None:
        writer.begin_sessions(1, 0, [(planned(), keys(attempt=attempt)[:2])], at=1_500)

    begin(0)
    writer.abort(1, MatchKey(0, 0, 0, 0), "the referee was lost")
    assert writer.interrupt_begun(1, "stopped by the user") == 1
    assert writer.interrupt_begun(1, "stopped by the user") == 0
    begin(1)
    writer.abort(1, MatchKey(0, 0, 0, 1), "again")
    writer.abort(1, MatchKey(0, 0, 0, 1), "too late to be the reason")
    writer.abort(1, MatchKey(0, 0, 1, 1), "stopped", MatchState.INTERRUPTED)
    begin(2)
    assert reader.attempts(1) == {(0, 0, 0): 2, (0, 0, 1): 2}
    assert reader.aborted_counts(1) == {(0, 0, 0): 2}
    assert [(match.state.value, match.reason) for match in reader.matches(1, state=None)] == [
        ("aborted", "the referee was lost"),
        ("aborted", "again"),
        ("begun", ""),
        ("interrupted", "stopped by the user"),
        ("interrupted", "stopped"),
        ("begun", ""),
    ]


def test_withdrawn_attempts_are_forgotten_unless_they_ended(writer: Writer, reader: Reader) -> None:
    writer.begin_sessions(1, 0, [(planned(), keys())], at=1_500)
    writer.save_matches(1, [played(MatchKey(0, 0, 0))])
    writer.abort(1, MatchKey(0, 0, 1), "lost")
    writer.unbegin(1, keys())
    assert [match.number for match in reader.matches(1, state=None)] == [1, 2]
    writer.begin_sessions(1, 0, [(planned(), keys()[2:])], at=1_600)
    assert len(reader.attempts(1)) == 4


def test_a_finished_match_cannot_be_ended_otherwise(writer: Writer, reader: Reader) -> None:
    complete(writer)
    writer.abort(1, MatchKey(0, 0, 0), "too late")
    assert writer.interrupt_begun(1, "stopped") == 0
    assert len(reader.finished(1)) == 4


def test_a_voided_session_leaves_the_score_and_stays_readable(writer: Writer, reader: Reader) -> None:
    complete(writer)
    complete(writer, 0, 1)
    writer.void(1, (0, 0), ACT)
    assert [result.key for result in reader.session_results(1)] == [(0, 1)]
    assert reader.session_states(1)[0, 0] is SessionState.VOIDED
    assert reader.sessions(1)[0].reason == "the power failed"
    assert reader.record(1, 1) == played(MatchKey(0, 0, 0))
    assert [match.counts for match in reader.matches(1)] == [False] * 4 + [True] * 4
    assert reader.actions() == [ACT]


@pytest.mark.parametrize(
    ("session", "words"),
    [
        ((0, 0), "is void already"),
        ((0, 1), "is not complete"),
        ((0, 2), "was left out"),
        ((1, 0), "was never begun"),
    ],
)
def test_only_what_counts_can_be_voided(
    writer: Writer, reader: Reader, session: tuple[int, int], words: str
) -> None:
    complete(writer)
    writer.void(1, (0, 0), ACT)
    for index in (1, 2):
        writer.begin_sessions(1, 0, [(planned(0, index), keys(0, index))], at=1_500)
    writer.leave_out(1, (0, 2), "aborted three times")
    with pytest.raises(UsageError, match=words):
        writer.void(1, session, ACT)
    assert reader.actions() == [ACT]


def test_a_session_left_out_never_counts(writer: Writer, reader: Reader) -> None:
    writer.begin_sessions(1, 0, [(planned(), keys())], at=1_500)
    writer.leave_out(1, (0, 0), "match 2 was aborted three times")
    assert writer.save_matches(1, [played(key) for key in keys()]) == ()
    assert reader.session_results(1) == []
    (session,) = reader.sessions(1)
    assert (session.state, session.matches_finished) == (SessionState.LEFT_OUT, 4)
