"""Lines between coordinator and referee: whole, in order, of any length, from any number of writers."""

from __future__ import annotations

from contextlib import aclosing

import pytest
import trio
import trio.testing

from arena.bot.channel import READ_SIZE, MemoryChannel
from arena.referee.line_stream import LineStream


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


async def test_writers_do_not_cut_into_each_others_lines() -> None:
    ours, theirs = streams(capacity=5)
    sent = [letter * 40 for letter in (b"a", b"b", b"c")]
    got: list[bytes] = []

    async def read() -> None:
        got.extend(await all_lines(theirs))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(read)
        async with trio.open_nursery() as writers:
            for line in sent:
                writers.start_soon(ours.send, line + b"\n")
        ours.close_write()
    assert sorted(got) == sent


async def test_what_is_put_goes_as_far_as_there_is_room_and_the_rest_with_what_follows() -> None:
    ours, theirs = streams(capacity=5)
    for line in (b"one\n", b"two\n", b"three\n"):
        ours.put(line)
    got: list[bytes] = []

    async def read() -> None:
        got.extend(await all_lines(theirs))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(read)
        await ours.send(b"four\n")
        await ours.flush()
        ours.close_write()
    assert got == [b"one", b"two", b"three", b"four"]


async def test_what_put_has_left_is_written_as_soon_as_there_is_room() -> None:
    ours, theirs = streams(capacity=5)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ours.keep_flushing)
        async with aclosing(theirs.lines()) as lines:
            for line in (b"some words", b"and some more"):
                ours.put(line + b"\n")
                assert await anext(lines) == line
        nursery.cancel_scope.cancel()


async def test_a_line_without_an_end_is_dropped() -> None:
    ours, theirs = streams()
    await ours.send(b"whole\nhalf")
    ours.close()
    assert await all_lines(theirs) == [b"whole"]


async def test_nobody_to_read_is_a_broken_pipe_even_while_waiting() -> None:
    ours, theirs = streams(capacity=4)

    async def send() -> None:
        with pytest.raises(BrokenPipeError):
            await ours.send(b"longer than fits\n")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(send)
        await trio.testing.wait_all_tasks_blocked()
        theirs.close()


async def test_reading_goes_on_after_close_write() -> None:
    ours, theirs = streams()
    ours.close_write()
    await theirs.send(b"answer\n")
    theirs.close_write()
    assert await all_lines(ours) == [b"answer"]


async def test_a_line_that_is_too_long_is_not_waited_for() -> None:
    ours, theirs = streams()
    await ours.send(b"ab\n" + b"c" * 9)
    async with aclosing(theirs.lines(longest=8)) as lines:
        assert await anext(lines) == b"ab"
        with pytest.raises(ValueError, match="a line of more than 8 bytes"):
            await anext(lines)
