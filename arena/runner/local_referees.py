"""The referees of this machine: a process for each setup, and another one when it is lost.

They decide nothing about sessions: a client starts its process, sends it work and hears from it.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from pathlib import Path

import trio

from arena.errors import InternalError
from arena.linux.endings import how_it_ended
from arena.referee.jobs import JobMessage, Setup, Stop, read_message, write_message
from arena.runner.child import Child
from arena.runner.referees import End, More, Play, RefereeEnd

__all__ = ["LocalReferees", "RefereeClient"]

_SILENT_ENDINGS = 3
"""Referees that may end in a row without having sent a message; then the cause is a mistake of ours."""


class RefereeClient:
    """A referee process, started by the constructor with its setup unsent. `close` must be awaited once.

    The process appends its standard error to the file `log`. Raises InternalError when no process can be
    started.
    """

    ahead_seconds = 0.5
    """So several quick sessions are begun in one transaction: a transaction takes a millisecond of processor
    time, as long as some sixty decisions of quick bots."""

    session_seconds = 0.0

    def __init__(self, log: Path, number: int, setup: Setup, host: int) -> None:
        self._child = Child(log, "referee")
        self._log = log
        self._number = number
        self._setup: Setup | None = setup
        self._told_to_stop = False
        self.tables = setup.tables
        self.host = host

    @property
    def pid(self) -> int:
        """Return the number of the process."""
        return self._child.pid

    async def send(self, message: JobMessage) -> bool:
        """Send one message, after the setup. Return False when the referee is gone."""
        self._told_to_stop |= isinstance(message, Stop)
        setup, self._setup = self._setup, None
        lines = write_message(message) if setup is None else write_message(setup) + write_message(message)
        return await self._child.send(lines)

    async def messages(self) -> AsyncGenerator[JobMessage, None]:
        """Yield the referee's messages until it ends."""
        async with aclosing(self._child.lines()) as lines:
            async for line in lines:
                yield read_message(line)

    async def close(self) -> RefereeEnd:
        """End the referee, and return how it ended.

        Its input is closed, and then it ends its bots and itself; after a while it is killed.
        """
        code = await self._child.close()
        how = f"referee {self._number} {how_it_ended(code)}"
        end = End.IN_ORDER if self._told_to_stop and code == 0 else End.BROKE
        return RefereeEnd(end, how, str(self._log), self._child.last_words())


class LocalReferees:
    """Referees by their setups. `logs`: the folder for what they write to standard error."""

    def __init__(self, setups: Sequence[Setup], logs: Path, host: int) -> None:
        self._setups = setups
        self._logs = logs
        self._host = host

    @property
    def count(self) -> int:
        """Return how many referees share what is left to play."""
        return len(self._setups)

    async def keep(self, play: Play, more: More) -> None:
        """Have referees play, and others in the place of those that are lost, until no more is wanted.

        Raises InternalError when referees fail again and again.
        """
        async with trio.open_nursery() as nursery:
            for number, setup in enumerate(self._setups):
                nursery.start_soon(self._keep, number, setup, play, more)

    async def _keep(self, number: int, setup: Setup, play: Play, more: More) -> None:
        silent = 0
        log = self._logs / f"referee-{number}.log"
        while more():
            ended = await play(RefereeClient(log, number, setup, self._host))
            silent = 0 if ended is None else silent + 1
            if ended is not None and silent >= _SILENT_ENDINGS and more():
                raise InternalError(
                    f"{ended.how} before it played anything; see {ended.log}{ended.last_words}"
                )
