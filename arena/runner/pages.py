"""Has the pages of a league written while it is played, by a process of their own. Knows nothing of pages.

That is `arena pages`, which reads the database as anybody may. The run never waits for it.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Awaitable, Callable

import trio

from arena.errors import InternalError, UsageError
from arena.league.reader import LoadedLeague
from arena.linux.endings import how_it_ended
from arena.referee.child import Child

REFRESH_SECONDS = 30
"""The seconds between two updates of the pages while a league is played."""
_FIRST_SECONDS = 5
"""The seconds before the first pages of a run: its bots start first, which is when they need the cores."""
_PAUSE_AFTER = 9
"""The pause after writing the pages, as a multiple of the time that writing took. Even in a large league the
pages then take a tenth of a core at most."""


def check_folder(loaded: LoadedLeague) -> None:
    """Make the folder of the pages if it is missing. Raises UsageError when no page can be written there."""
    folder = loaded.report_folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"The pages cannot be written: {folder}: {error.strerror or error}") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UsageError(f"The pages cannot be written: {folder}: you may not write there")


class PageProcess:
    """The process that writes the pages, started when it is needed. `close` must be awaited once."""

    def __init__(self, loaded: LoadedLeague) -> None:
        self._league = loaded.path
        self._log = loaded.arena_folder / "pages.log"
        self._child: Child | None = None
        self._answers: AsyncGenerator[bytes, None]

    async def write(self) -> str:
        """Have the pages written. Return why they could not be, or nothing."""
        try:
            if self._child is None:
                self._child = Child(self._log, "arena", "pages", str(self._league))
                self._answers = self._child.lines()
            await self._child.send(b"\n")
        except InternalError as error:
            return error.message
        answer = await anext(self._answers, None)
        if answer is not None:
            return answer.decode()
        how = how_it_ended(await self._child.close())
        self._child = None
        return f"the pages were not written: their process {how}; see {self._log}"

    async def close(self) -> None:
        """End the process at once, whatever it is writing."""
        if self._child is not None:
            await self._answers.aclose()
            await self._child.close(patience=0)


async def keep_pages(loaded: LoadedLeague, say: Callable[[str], None]) -> None:
    """Have the pages of a league written until this is cancelled."""
    process = PageProcess(loaded)
    try:
        await keep_writing(process.write, say)
    finally:
        await process.close()


async def keep_writing(write: Callable[[], Awaitable[str]], say: Callable[[str], None]) -> None:
    """Await `write` once the run has begun, and then again and again.

    It returns why the pages could not be written, or nothing. That does not stop a league, for they can be
    written later. `say` is told each reason once, until the reason changes.
    """
    last = ""
    await trio.sleep(_FIRST_SECONDS)
    while True:
        began = trio.current_time()
        why = await write()
        if why and why != last:
            say(why)
            last = why
        await trio.sleep(max(REFRESH_SECONDS, _PAUSE_AFTER * (trio.current_time() - began)))
