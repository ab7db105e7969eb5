"""The coordinator's end of one referee process: starts it, sends it work, hears from it. Decides nothing."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

from arena.linux.endings import how_it_ended
from arena.referee.jobs import JobMessage, Setup, Stop, read_message, write_message
from arena.runner.child import Child
from arena.runner.referees import End, RefereeEnd

__all__ = ["RefereeClient"]


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
