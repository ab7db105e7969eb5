"""Matches that a referee plays at the same time: what one of them costs the others."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import replace

import pytest
import trio
import trio.testing

from arena.bot.channel import MemoryChannel
from arena.match.record import MatchRecord
from arena.match.stand_in import STAND_IN
from arena.referee import referee
from arena.referee.jobs import (
    Aborted,
    Begun,
    Finished,
    JobMessage,
    SessionDone,
    SessionJob,
    read_message,
    write_message,
)
from arena.referee.line_stream import LineStream
from arena.referee.process_pool import ProcessPool
from arena.referee.referee import MatchesAtOnce
from arena.referee.table import Table
from tests.tables import HELLO, KEY, deals_of, job, setup_of

NOBODY = (STAND_IN,) * 3


async def test_a_match_that_cannot_be_recorded_costs_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    record = Table.record

    def fails_once(table: Table, *of: object) -> MatchRecord:
        monkeypatch.setattr(Table, "record", record)
        raise OSError("the clock has stopped")

    monkeypatch.setattr(Table, "record", fails_once)
    said: list[JobMessage] = []
    jobs = [job(NOBODY, index) for index in range(3)]
    async with trio.open_nursery() as nursery:
        setup = replace(setup_of(()), tables=3)
        pool = ProcessPool({}, nursery, HELLO)
        matches = MatchesAtOnce(setup, pool, said.append, lambda _process: None)
        await matches.play([(deals_of(one.key.index), one) for one in jobs])
    begun, *finished, aborted = said
    assert begun == Begun(tuple(one.key for one in jobs))
    assert isinstance(aborted, Aborted)
    assert "the clock has stopped" in aborted.reason
    others = [one.record.key for one in finished if isinstance(one, Finished)]
    assert {aborted.key, *others} == {one.key for one in jobs}


async def test_what_the_pipe_has_no_room_for_arrives_without_more_to_say(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """The coordinator waits for `SessionDone` before it sends more; the referee must not wait for more."""
    theirs, ours = MemoryChannel.pair(capacity=16)
    coordinator = LineStream(ours)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(referee._serve, LineStream(theirs))
        await coordinator.send(write_message(setup_of(())))
        await coordinator.send(write_message(SessionJob(0, 0, KEY.hex(), (job(NOBODY),))))
        said: list[JobMessage] = []
        with trio.fail_after(60):
            async with aclosing(coordinator.lines()) as lines:
                while not said or not isinstance(said[-1], SessionDone):
                    said.append(read_message(await anext(lines)))
        nursery.cancel_scope.cancel()
    assert [type(message) for message in said] == [Finished, SessionDone]
