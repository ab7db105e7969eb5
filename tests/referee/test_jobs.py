"""Messages between coordinator and referee: each comes back as it was sent, and on one line."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.bot.launch import BotCommand
from arena.deals import MatchKey
from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.record import RECORD_VERSION, MatchRecord, MatchSetup, SeatRecord, Terms
from arena.match.texts import sets_text
from arena.referee.jobs import (
    JOB_VERSION,
    Aborted,
    Begun,
    Finished,
    JobMessage,
    MatchJob,
    Met,
    Overran,
    SessionDone,
    SessionJob,
    Setup,
    Stop,
    read_message,
    write_message,
)
from tests.driving import TERMS, Conduct, faultless, make_setup, matches, play
from tests.examples import examples

NUMBERS = st.integers(0, 2**53)
SMALL = st.integers(0, 2**31 - 1)
TIMES = st.integers(0, 2**40)
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
NAMES = st.lists(TEXTS, max_size=4).map(tuple)
KEYS = st.builds(MatchKey, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
COMMANDS = st.builds(
    BotCommand,
    bot=TEXTS,
    argv=NAMES,
    folder=TEXTS,
    env=st.lists(st.tuples(TEXTS, TEXTS), max_size=3).map(tuple),
    start_ms=NUMBERS,
    nice=NUMBERS,
)
SETUPS = st.builds(
    Setup,
    commands=st.lists(COMMANDS, max_size=3).map(tuple),
    terms=TERMS,
    rounds=NUMBERS,
    core=st.none() | NUMBERS,
    together=st.booleans(),
    arena=TEXTS,
    tables=NUMBERS,
)
JOBS = st.builds(MatchJob, KEYS, NAMES)
SESSIONS = st.builds(SessionJob, NUMBERS, NUMBERS, TEXTS, st.lists(JOBS, max_size=3).map(tuple))
BESIDES = st.one_of(
    SETUPS,
    SESSIONS,
    st.just(Stop()),
    st.builds(Met, TEXTS, TEXTS, TEXTS, st.none() | TEXTS, st.none() | TEXTS),
    st.builds(Begun, st.lists(KEYS, max_size=3).map(tuple)),
    st.builds(Aborted, KEYS, TEXTS),
    st.builds(Overran, TEXTS, TEXTS),
    st.builds(SessionDone, NUMBERS, NUMBERS),
)
SEATS = st.builds(
    SeatRecord,
    bot=TEXTS,
    points=NUMBERS,
    charge=NUMBERS,
    place=NUMBERS,
    faults=NUMBERS,
    hand_over=st.none() | st.sampled_from(HandOver),
    hand_over_at=st.none() | st.tuples(NUMBERS, NUMBERS),
    late=SMALL,
    id_key=st.text("0123456789abcdef", max_size=64),
    table=SMALL,
    pid=SMALL,
    cpu_us=st.none() | TIMES,
    queued_us=st.none() | TIMES,
    stderr_head=TEXTS,
    stderr_tail=TEXTS,
    stderr_bytes=TIMES,
)
FAULTS = st.builds(
    Fault,
    seat=NUMBERS,
    kind=st.sampled_from(FaultKind),
    reason=TEXTS,
    round=st.none() | NUMBERS,
    question=st.none() | NUMBERS,
    sent=TEXTS,
    wall_us=TIMES,
    cpu_us=st.none() | TIMES,
    queued_us=st.none() | TIMES,
)


def there_and_back(message: JobMessage) -> JobMessage:
    line = write_message(message)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    return read_message(line.removesuffix(b"\n"))


@given(BESIDES)
def test_every_message_comes_back_equal(message: JobMessage) -> None:
    back = there_and_back(message)
    assert back == message
    assert write_message(back) == write_message(message)


@examples(25)
@given(matches(), st.data())
def test_a_record_comes_back_equal(case: tuple[MatchSetup, Conduct], data: st.DataObject) -> None:
    played = play(*case).record
    odd = replace(
        played,
        key=data.draw(KEYS),
        seats=tuple(data.draw(SEATS) for _ in played.seats),
        faults=(*played.faults, *data.draw(st.lists(FAULTS, max_size=3))),
        started_at=data.draw(TIMES),
        sandbox=data.draw(TEXTS),
    )
    for record in (played, odd):
        back = there_and_back(Finished(record, 17))
        assert isinstance(back, Finished)
        assert back == Finished(record, 17)
        assert_kinds(back.record)


def assert_kinds(record: MatchRecord) -> None:
    """Equal is not enough: an enum equals its text, a list is not what a frozen record holds."""
    assert type(record.rounds) is tuple
    assert type(record.seats) is tuple
    assert all(type(round_.plays) is tuple for round_ in record.rounds)
    assert all(type(fault.kind) is FaultKind for fault in record.faults)
    assert all(seat.hand_over is None or type(seat.hand_over) is HandOver for seat in record.seats)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"Stop",
        b"Stop []",
        b"Stop {",
        b"stop {}",
        b"Halt {}",
        b"\xff {}",
        b'SessionDone {"cycle": 0}',
        b'SessionDone {"cycle": 0, "index": "first"}',
        b'SessionDone {"cycle": 0, "index": null}',
        b'SessionDone {"cycle": 0, "index": 0.5}',
        b'SessionDone {"cycle": 0, "index": "1"}',
    ],
)
def test_anything_else_is_a_value_error(line: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - pydantic's, or ours: callers tell them not apart
        read_message(line)


def test_another_version_is_refused() -> None:
    setup = Setup((), Terms(1, 0, 40, 3), 3, None, False, "")
    job = SessionJob(0, 0, "", ())
    record = play(make_setup(3, 1), faultless(3)).record
    newer: list[JobMessage] = [
        replace(setup, version=JOB_VERSION + 1),
        replace(job, version=JOB_VERSION + 1),
        Finished(replace(record, version=RECORD_VERSION + 1), 0),
    ]
    for message in newer:
        with pytest.raises(ValueError, match=r"version \d, this arena knows \d$"):
            there_and_back(message)


def test_a_record_with_an_impossible_board_is_a_value_error() -> None:
    line = write_message(Finished(play(make_setup(3, 1), faultless(3)).record, 0))
    hands = sets_text(make_setup(3, 1).boards[0].hands_by_seat(0))
    with pytest.raises(ValueError, match="needs 20 cards"):
        read_message(line.replace(hands.encode(), b"S1 | S2 | S3", 1))
