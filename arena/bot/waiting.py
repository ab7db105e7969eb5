"""Waits in the event loop for bots that have been asked: for one of several, or for one answer.

Decides nothing: `Link.collect` says what has come, and whether a time is over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import trio

from arena.bot.channel import first_of
from arena.bot.link import Link, line_with
from arena.bot.question_clock import Lateness
from arena.bot.reply import Reply
from protocol.messages import Answer

__all__ = ["ask", "wait_for_any"]


async def wait_for_any(links: Sequence[Link]) -> None:
    """Wait until one of these links is to be looked at. Each must have an open question.

    It is when something more has come, when its time is over, or when it has been ended.
    """
    with trio.CancelScope(deadline=min([link.deadline for link in links])) as scope:
        for link in links:
            link.waiting_in(scope)
        try:
            # A single link is waited for without a nursery, which takes as long as several decisions.
            if len(links) == 1:
                await links[0].wait_for_more()
            else:
                await first_of([link.wait_for_more for link in links])
        finally:
            for link in links:
                link.waiting_in(None)


async def ask(
    link: Link,
    message: Mapping[str, object],
    question_id: str,
    expected: type[Answer],
    limit_us: int,
    lateness: Lateness | None = None,
) -> Reply:
    """Put one question by itself, wait until it is closed, and return the reply.

    It is closed at the latest when its time is over: `limit_us` in microseconds, and what the referee itself
    was late.
    """
    link.put(line_with(message), question_id, expected, limit_us, lateness or Lateness())
    link.write()
    while not (closed := link.collect(linger=False)):
        await wait_for_any([link])
    ((_, reply),) = closed
    assert isinstance(reply, Reply), "only what came behind another answer is a plain pair"
    return reply
