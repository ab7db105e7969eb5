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


async def test_what_put_has_left_is_written_as_soon_as_there_is_room() -> None:
    ours, theirs = streams(capacity=5)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ours.keep_flushing)
        async with aclosing(theirs.lines()) as lines:
            for line in (b"some words", b"and some more"):
                ours.put(line + b"\n")
                assert await anext(lines) == line
        nursery.cancel_scope.cancel()


async def test_a_line_that_is_too_long_is_not_waited_for() -> None:
    ours, theirs = streams()
    await ours.send(b"ab\n" + b"c" * 9)
    async with aclosing(theirs.lines(longest=8)) as lines:
        assert await anext(lines) == b"ab"
        with pytest.raises(ValueError, match="a line of more than 8 bytes"):
            await anext(lines)
