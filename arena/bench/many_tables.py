"""A referee process of the benchmark that plays several tables at once, each with a `Referee` of its own.

`driven` starts it with the number of tables. A session is played at the table (its index) mod (tables), so
that each table keeps its processes and the sender knows beforehand which table plays a session.
"""

from __future__ import annotations

import math
import os
import sys
from functools import partial

import trio

from arena.referee.jobs import SessionJob, Setup, read_message
from arena.referee.line_stream import LineStream
from arena.referee.referee import Referee, serve

__all__ = ["main"]


async def _serve(stream: LineStream, tables: int) -> None:
    lines = stream.lines()
    setup = read_message(await anext(lines))
    assert isinstance(setup, Setup), "the first message is the setup"
    if setup.core is not None:
        os.sched_setaffinity(0, {setup.core})
    async with trio.open_nursery() as nursery:
        nursery.start_soon(stream.keep_flushing)
        giving: list[trio.MemorySendChannel[SessionJob]] = []
        for _ in range(tables):
            give, take = trio.open_memory_channel[SessionJob](math.inf)
            giving.append(give)
            nursery.start_soon(Referee(setup, stream, nursery, trio.Event()).run, take)
        async for line in lines:
            job = read_message(line)
            assert isinstance(job, SessionJob), "nothing else is sent"
            giving[job.index % tables].send_nowait(job)
        nursery.cancel_scope.cancel()


def main() -> None:
    """Run the process. It ends with its input, and its bots end with it."""
    tables = int(sys.argv[1])
    serve(partial(_serve, tables=tables))
