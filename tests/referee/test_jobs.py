"""Lines and messages between coordinator and referee: whole, in order, and as they were sent."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace

import pytest
import trio
import trio.testing
from hypothesis import given

from arena.bot.channel import READ_SIZE, MemoryChannel
from arena.bot.launch import BotCommand
from arena.deals import MatchKey
from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.record import RECORD_VERSION, MatchRecord, MatchSetup, Terms
from arena.match.texts import sets_text
from arena.referee.jobs import (
    JOB_VERSION,
    Aborted,
    Begun,
    Finished,
    JobMessage,
    MatchJob,
    Met,
    SessionDone,
    SessionJob,
    Setup,
    Stop,
    read_message,
    write_message,
)
from arena.referee.line_stream import LineStream
from tests.driving import Conduct, faultless, make_setup, matches, play
from tests.examples import examples

ODD = 'ü \x1b\n\u2028 "quoted" \\ {}'
KEY = MatchKey(2**53, 0, 7, 3)
TERMS = Terms(1, 0, 40, 3)


def there_and_back(message: JobMessage) -> JobMessage:
    line = write_message(message)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    return read_message(line.removesuffix(b"\n"))


@pytest.mark.parametrize(
    "message",
    [
        Setup((BotCommand(ODD, (ODD, ""), ODD, 9, 10),), TERMS, 3, None, ODD, tables=2**20),
        Setup((), TERMS, 3, 5, ""),
        SessionJob(2**53, 0, ODD, (MatchJob(KEY, (ODD, ODD)),)),
        Stop(),
        Met(ODD, ODD, ODD, None, ODD),
        Begun((KEY, KEY)),
        Aborted(KEY, ODD),
        SessionDone(1, 2**53),
    ],
    ids=lambda message: type(message).__name__,
)
def test_every_message_comes_back_equal(message: JobMessage) -> None:
    back = there_and_back(message)
    assert back == message
    assert write_message(back) == write_message(message)


@examples(25)
@given(matches())
def test_a_record_comes_back_equal(case: tuple[MatchSetup, Conduct]) -> None:
    played = play(*case).record
    fault = Fault(1, FaultKind.FLOOD, ODD, None, 3, ODD, 2**40, None, 7)
    more = {"cpu_us": 2**40, "queued_us": None, "stderr_head": ODD, "stderr_bytes": 2**40}
    seats = tuple(replace(seat, hand_over=HandOver.FLOOD, bot=ODD, **more) for seat in played.seats)
    for record in (
        played,
        replace(played, key=KEY, seats=seats, faults=(*played.faults, fault), sandbox=ODD),
    ):
        back = there_and_back(Finished(record))
        assert isinstance(back, Finished)
        assert back == Finished(record)
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
        *(b"", b"Stop", b"Stop []", b"Stop {", b"stop {}", b"Halt {}", b"\xff {}"),
        b'SessionDone {"cycle": 0}',
        *(
            b'SessionDone {"cycle": 0, "index": %s}' % value
            for value in (b'"first"', b"null", b"0.5", b'"1"')
        ),
    ],
)
def test_anything_else_is_a_value_error(line: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - pydantic's, or ours: callers tell them not apart
        read_message(line)


def test_another_version_is_refused() -> None:
    record = play(make_setup(3, 1), faultless(3)).record
    newer: list[JobMessage] = [
        Setup((), TERMS, 3, None, "", version=JOB_VERSION + 1),
        SessionJob(0, 0, "", (), version=JOB_VERSION + 1),
        Finished(replace(record, version=RECORD_VERSION + 1)),
    ]
    for message in newer:
        with pytest.raises(ValueError, match=r"version \d, this arena knows \d$"):
            there_and_back(message)


def test_a_record_with_an_impossible_board_is_a_value_error() -> None:
    line = write_message(Finished(play(make_setup(3, 1), faultless(3)).record))
    hands = sets_text(make_setup(3, 1).boards[0].hands_by_seat(0))
    with pytest.raises(ValueError, match="needs 20 cards"):
        read_message(line.replace(hands.encode(), b"S1 | S2 | S3", 1))


def streams(capacity: int = READ_SIZE) -> tuple[LineStream, LineStream]:
    ours, theirs = MemoryChannel.pair(capacity)
    return LineStream(ours), LineStream(theirs)


async def all_lines(stream: LineStream) -> list[bytes]:
    return [line async for line in stream.lines()]


async def test_lines_come_whole_and_in_order_through_a_narrow_channel() -> None:
    ours, theirs = streams(capacity=7)
    sent = [b"", b"a", b"some words", b"x" * 500, b"\r"]
    got: list[bytes] = []

    async def read() -> None:
        got.extend(await all_lines(theirs))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(read)
        for line in sent:
            await ours.send(line + b"\n")
        ours.close_write()
    assert got == sent


async def test_what_put_has_left_is_written_as_soon_as_there_is_room() -> None:
    ours, theirs = streams(capacity=5)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ours.keep_flushing)
        async with aclosing(theirs.lines()) as lines:
            for line in (b"some words", b"and some more"):
                ours.put(line + b"\n")
                assert await anext(lines) == line
        nursery.cancel_scope.cancel()
