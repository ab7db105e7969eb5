"""A referee as the coordinator sees it: what is taken from there, what ends it, how many sessions it has."""

from __future__ import annotations

import signal
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from typing import cast

import pytest
import trio

from arena.deals import MatchKey
from arena.referee.jobs import (
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
from arena.runner.referees import End, RefereeClient, RefereeEnd, Workload
from arena.schedule import Session
from tests.store.samples import BOTS, TERMS, played

BOTS4 = BOTS[:4]
SETUP = Setup((), TERMS, 4, None, "1")
KEYS = [MatchKey(0, 0, order, 0) for order in range(2)]
JOB = SessionJob(0, 0, "00" * 32, tuple(MatchJob(key, BOTS4) for key in KEYS))
MET = Met(BOTS4[0], "Name", "1", None, None)


def finished(key: MatchKey, bots: tuple[str, ...] = BOTS4) -> Finished:
    return Finished(played(key, bots=bots))


class Lines:
    """A referee that says these lines, and ends with this code."""

    name = "referee 0 of red"

    def __init__(self, *said: JobMessage | bytes, code: int | None = 0) -> None:
        self.said = [one if isinstance(one, bytes) else write_message(one).rstrip(b"\n") for one in said]
        self.code = code
        self.sent: list[JobMessage] = []

    async def send(self, lines: bytes) -> bool:
        await trio.lowlevel.checkpoint()
        self.sent.append(read_message(lines))
        return True

    async def lines(self) -> AsyncGenerator[bytes, None]:
        for line in self.said:
            await trio.lowlevel.checkpoint()
            yield line

    async def close(self) -> RefereeEnd:
        await trio.lowlevel.checkpoint()
        return RefereeEnd(End.of(self.code), "how it ended", "log")


async def heard(lines: Lines, *sent: JobMessage) -> tuple[RefereeClient, list[JobMessage]]:
    client = RefereeClient(lines, SETUP, 7)
    for message in sent:
        assert await client.send(message)
    found = [message async for message in client.messages()]
    await client.close()
    return client, found


async def test_what_it_is_given_goes_there_and_what_it_says_comes_back() -> None:
    messages = [MET, Begun(tuple(KEYS)), *map(finished, KEYS), SessionDone(0, 0)]
    lines = Lines(*messages)
    client, found = await heard(lines, JOB)
    assert found == messages
    assert lines.sent == [JOB]
    assert (client.host, client.sessions, client.has_finished) == (7, 0, True)


@pytest.mark.parametrize(
    ("sent", "code", "end"),
    [
        ([JOB, Stop()], 0, End.IN_ORDER),
        ([JOB], 0, End.BROKE),
        ([JOB, Stop()], 1, End.BROKE),
        ([JOB, Stop()], None, End.GONE),
        ([JOB, Stop()], 128 + signal.SIGTERM, End.GONE),
        ([JOB], 128 + signal.SIGTERM, End.BROKE),
    ],
)
async def test_how_it_ended(sent: list[JobMessage], code: int | None, end: End) -> None:
    client, _ = await heard(Lines(code=code), *sent)
    assert client.ended is not None
    assert (client.ended.end, client.ended.how) == (end, "how it ended")


FOREIGN: dict[str, Callable[[], tuple[JobMessage | bytes, ...]]] = {
    "no line of ours": lambda: (b"rm -rf /",),
    "no JSON": lambda: (b"Finished {",),
    "another version of a record": lambda: (Finished(replace(played(KEYS[0], bots=BOTS4), version=99)),),
    "a match of another session": lambda: (finished(MatchKey(0, 1, 0, 0)),),
    "another attempt": lambda: (finished(replace(KEYS[0], attempt=1)),),
    "the same match twice": lambda: (finished(KEYS[0]), finished(KEYS[0])),
    "other bots": lambda: (finished(KEYS[0], tuple(reversed(BOTS4))),),
    "an abort of what it was not given": lambda: (Aborted(MatchKey(1, 0, 0, 0), "so"),),
    "an abort without a reason": lambda: (Aborted(KEYS[0], " \n"),),
    "the end of a session before its matches": lambda: (finished(KEYS[0]), SessionDone(0, 0)),
    "the end of a session that it was not given": lambda: (SessionDone(5, 5),),
    "the beginning of what it was not given": lambda: (Begun((KEYS[0], MatchKey(1, 0, 0, 0))),),
    "the beginning of what is over": lambda: (finished(KEYS[0]), Begun((KEYS[0],))),
    "an order for referees": lambda: (Stop(),),
}


@pytest.mark.parametrize("what", FOREIGN)
async def test_what_no_referee_says_ends_it_and_not_the_run(what: str) -> None:
    client, found = await heard(Lines(*FOREIGN[what](), MET), JOB)
    assert MET not in found, "nothing more is believed"
    assert client.ended is not None
    assert client.ended.end is End.BROKE
    assert client.ended.how.startswith("referee 0 of red sent what no referee sends: ")


# How many sessions it is to know of

MANY = 1000


def at_work(tables: int = 1, *, known: int = 0, seconds: float | None = None, together: int = 1) -> Workload:
    """A referee that knows of so many sessions, and has taken so long for each of many.

    `together`: how many of their ends are heard of at one moment.
    """
    referee = Workload(RefereeClient(Lines(), replace(SETUP, tables=tables), 0))
    for number in range(known):
        referee.open[0, number] = cast(Session, None), []
    if seconds is not None:
        for number in range(10_000):
            referee.session_done(number // together * together * seconds)
    return referee


@pytest.mark.parametrize(("known", "room"), [(0, 2), (1, 1), (2, 0)])
def test_it_knows_of_the_next_one(known: int, room: int) -> None:
    assert at_work(known=known).room(MANY) == room
    assert at_work(known=known).is_low(MANY) == (room > 0)


@pytest.mark.parametrize(("seconds", "room"), [(10.0, 2), (0.25, 2), (0.1, 5), (0.02, 25), (0.001, 32)])
def test_it_knows_of_more_where_they_are_quick(seconds: float, room: int) -> None:
    assert at_work(seconds=seconds).room(MANY) == room
    assert at_work(seconds=seconds, together=50).room(MANY) == room, "what comes in batches is no quicker"


def test_every_table_has_its_next_one() -> None:
    assert at_work(tables=8).room(MANY) == 16
