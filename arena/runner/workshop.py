"""The workshop of an open league's run: reads folders, copies and builds versions beside play. Plays nothing.

Builds run on one core, the last that the arena may use, and give way to all else. The other cores are for
play; with fewer referees than cores nobody shares that one. Folders are read in threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

import trio

from arena.bot.build import Builder
from arena.bot.launch import BotCommand
from arena.bot.process import StartFailure
from arena.bot.roll_call import last_words
from arena.league.reader import LoadedLeague
from arena.season.ahead import candidates_of
from arena.season.arrivals import Arrivals
from arena.season.open_field import Candidate, Waiting
from arena.store.acts import FailedStart
from arena.store.views import Entry

__all__ = ["AT_ONCE", "BotWorkshop"]

AT_ONCE = 2
"""The most builds at once: a slow one leaves room for the others, which pass by it one after another. It is
not more because each may use 2 GiB of memory."""
_NICE = 19
"""The most that a process can give way."""


class BotWorkshop:
    """A `Workshop`, see `newcomers`. `placed` puts commands into the sandbox.

    `in_use`: the folders of the bots that are being played. They are left alone, whatever is in them: if one
    was changed, it is made anew when nobody plays.
    """

    def __init__(
        self,
        loaded: LoadedLeague,
        arrivals: Arrivals,
        builder: Builder,
        placed: Callable[[Iterable[BotCommand]], tuple[BotCommand, ...]],
        in_use: Callable[[], Collection[str]],
    ) -> None:
        self._loaded = loaded
        self._arrivals = arrivals
        self._builder = builder
        self._placed = placed
        self._in_use = in_use

    async def look(self) -> tuple[Sequence[Candidate], Sequence[Waiting]]:
        """Read the folders."""
        # It only reads, so a run that is stopped need not wait for it.
        return await trio.to_thread.run_sync(candidates_of, self._loaded, abandon_on_cancel=True)

    async def is_ready(self, entry: Entry) -> bool:
        """Copy a version unless it is copied, and return whether it needs no build any more."""
        command = self._command(entry)
        if self._builder.folder_of(command) in self._in_use():
            return True
        if command.folder not in self._in_use():
            await trio.to_thread.run_sync(self._arrivals.copy, entry)
        return await self._builder.is_built(command)

    async def build(self, entry: Entry) -> FailedStart | None:
        """Build a version. Return why it failed, if it did."""
        core = max(os.sched_getaffinity(0))
        built = await self._builder.build(replace(self._command(entry), cores=(core,), nice=_NICE))
        return FailedStart(built.reason, last_words(built)) if isinstance(built, StartFailure) else None

    def _command(self, entry: Entry) -> BotCommand:
        (command,) = self._placed(self._arrivals.commands([entry]))
        return command
