"""One suite for both channels: what a pipe does is what memory does."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Callable

import pytest
import trio
import trio.testing

from arena.bot.channel import READ_SIZE, Channel, MemoryChannel, PipeChannel

CAT = shutil.which("cat") or "cat"
Pair = tuple[Channel, Channel]


def pipes() -> Pair:
    down_read, down_write = os.pipe()
    up_read, up_write = os.pipe()
    return PipeChannel(down_write, up_read), PipeChannel(up_write, down_read)


@pytest.fixture(params=[pipes, MemoryChannel.pair], ids=["pipes", "memory"])
async def pair(request: pytest.FixtureRequest) -> AsyncIterator[Pair]:
    """Two joined ends: ours and the bot's."""
    make: Callable[[], Pair] = request.param
    ours, theirs = make()
    yield ours, theirs
    ours.close()
    theirs.close()


async def read_some(channel: Channel) -> bytes:
    while (data := channel.read_nowait()) is None:
        await channel.wait_readable()
    return data


def fill(channel: Channel) -> int:
    """Write until nothing fits; the number of bytes."""
    total = 0
    while written := channel.write_nowait(b"x" * 1000) or channel.write_nowait(b"x"):
        total += written
    return total


async def test_nothing_there_is_told_from_the_end(pair: Pair) -> None:
    ours, theirs = pair
    assert ours.read_nowait() is None
    theirs.write_nowait(b"last")
    theirs.close_write()
    assert ours.read_nowait() == b"last"
    assert ours.read_nowait() == b""
    assert ours.read_nowait() == b""


async def test_a_full_channel_takes_no_more_until_it_is_read(pair: Pair) -> None:
    ours, theirs = pair
    total = fill(ours)
    assert total > READ_SIZE // 2
    assert ours.write_nowait(b"x") == 0
    got = 0
    while (data := theirs.read_nowait()) is not None:
        assert len(data) <= READ_SIZE
        got += len(data)
    assert got == total
    assert ours.write_nowait(b"x") == 1


async def test_writing_to_nobody_is_a_broken_pipe(pair: Pair) -> None:
    ours, theirs = pair
    fill(ours)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(ours.wait_writable)
        await trio.testing.wait_all_tasks_blocked()
        theirs.close()
    with pytest.raises(BrokenPipeError):
        ours.write_nowait(b"x")


async def test_after_close_write_the_other_way_stays_open(pair: Pair) -> None:
    ours, theirs = pair
    ours.close_write()
    with pytest.raises(BrokenPipeError):
        ours.write_nowait(b"x")
    assert theirs.read_nowait() == b""
    assert theirs.write_nowait(b"still") == 5
    assert ours.read_nowait() == b"still"


def cat() -> tuple[subprocess.Popen[bytes], PipeChannel]:
    """A process that says again what it is told."""
    down_read, down_write = os.pipe()
    up_read, up_write = os.pipe()
    echo = subprocess.Popen([CAT], stdin=down_read, stdout=up_write)
    os.close(down_read)
    os.close(up_write)
    return echo, PipeChannel(down_write, up_read)


async def test_reading_soon_gets_what_comes_meanwhile_and_waiting_goes_on_afterwards() -> None:
    echo, ours = cat()
    for number in range(200):
        word = b"%d\n" % number
        assert ours.write_nowait(word) == len(word)
        data = ours.read_soon()
        while data is None:  # the machine may be busy
            await ours.wait_readable()
            data = ours.read_nowait()
        assert data == word
    ours.close_write()
    assert await read_some(ours) == b""
    ours.close()
    assert await trio.to_thread.run_sync(echo.wait) == 0
