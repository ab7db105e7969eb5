"""Who comes to an open league while it is played: looks at the folders, and has new versions made ready.

A task of its own beside the matches, so that nobody waits for a stranger's folder or build. When a version
has been copied and built, `Arrivals` hears of it; only then can it end a phase and join the next one. It
starts no bot and stores nothing itself.

Builds run on one core, the last that the arena may use, and give way to all else. The other cores are for
play; with fewer referees than cores nobody shares that one. Folders are read in threads.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

import trio

from arena.bot.build import Builder
from arena.bot.launch import BUILD_NICE, BotCommand
from arena.bot.process import StartFailure
from arena.bot.roll_call import last_words
from arena.errors import BotFolderError
from arena.league.entries import Waiting
from arena.league.reader import LoadedLeague
from arena.runner.arrivals import Arrivals
from arena.season.open_field import CHANGING, Candidate, Seen, Version, look, version_of
from arena.store.acts import FailedStart
from arena.store.views import Entry

REST_SECONDS = 5.0
"""A stranger's folder is taken when two looks at it, so far apart, find the same."""
TRY_AGAIN_SECONDS = 30.0
"""The longest wait, while too few bots are ready, before those that did not start are tried again."""

AT_ONCE = 2
"""The most builds at once: a slow one leaves room for the others, which pass by it one after another. It is
not more because each may use 2 GiB of memory."""


class Workshop:
    """What is done to folders and versions beside play. `placed` puts commands into the sandbox.

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

    async def look(self) -> Seen:
        """Read the folders."""
        # It only reads, so a run that is stopped need not wait for it.
        return await trio.to_thread.run_sync(look, self._loaded, self._arrivals.view, abandon_on_cancel=True)

    async def is_ready(self, entry: Entry) -> bool:
        """Copy a version unless it is copied, and return whether it needs no build any more.

        Raises BotFolderError when it cannot be copied as it was seen, OSError when this machine fails.
        """
        command = self._command(entry)
        if self._builder.folder_of(command) in self._in_use():
            return True
        if command.folder not in self._in_use():
            await trio.to_thread.run_sync(self._arrivals.copy, entry)
        return await self._builder.is_built(command)

    async def build(self, entry: Entry) -> FailedStart | None:
        """Build a version. Return why it failed, if it did. Raises OSError as `is_ready` does."""
        core = max(os.sched_getaffinity(0))
        built = await self._builder.build(replace(self._command(entry), cores=(core,), nice=BUILD_NICE))
        return FailedStart(built.reason, last_words(built)) if isinstance(built, StartFailure) else None

    def _command(self, entry: Entry) -> BotCommand:
        (command,) = self._placed(self._arrivals.commands([entry]))
        return command


class Newcomers:
    """The looks at the folders and the builds of one run. `keep_looking` does all of it."""

    def __init__(self, arrivals: Arrivals, workshop: Workshop) -> None:
        self._arrivals = arrivals
        self._workshop = workshop
        self._rest = _Rest()
        self._building: dict[Version, trio.CancelScope] = {}
        self._failed: set[Version] = set()
        self._looks = 0
        self._news = trio.Event()
        self._builds: trio.Nursery

    async def keep_looking(self) -> None:
        """Look at the folders every few seconds, and have new versions made ready, until it is cancelled."""
        async with trio.open_nursery() as self._builds:
            while True:
                await self._look()
                await trio.sleep(REST_SECONDS)

    # What the run waits for before it begins a phase

    async def all_ready(self) -> None:
        """Wait until the bots that are there now have been made ready, or could not be."""
        await self._first_look()
        if self._rest.restless:
            await self._next_look()
        builds = set(self._building)
        while builds & self._building.keys():
            await self._news.wait()

    async def enough_ready(self) -> None:
        """Wait until enough bots are ready for a phase, or there is nothing more to wait for."""
        await self._first_look()
        while self._arrivals.too_few and (self._building or self._rest.restless):
            await self._news.wait()

    async def other_bots(self) -> None:
        """Wait until other bots are ready than now, but not longer than `TRY_AGAIN_SECONDS`."""
        before = self._arrivals.ready
        with trio.move_on_after(TRY_AGAIN_SECONDS):
            while self._arrivals.ready == before:
                await self._news.wait()

    def try_again(self) -> None:
        """Let versions whose build has failed in this run be built again, as far as they may be."""
        self._failed.clear()

    async def _first_look(self) -> None:
        if not self._looks:
            await self._next_look()

    async def _next_look(self) -> None:
        before = self._looks
        while self._looks == before:
            await self._news.wait()

    def _tell(self) -> None:
        """Wake whoever waits for something new."""
        self._news.set()
        self._news = trio.Event()

    # Looking and making ready

    async def _look(self) -> None:
        seen = await self._workshop.look()
        new = self._arrivals.unknown(seen.candidates)
        rested, changing = self._rest.sort(seen.candidates, new, trio.current_time())
        refused = [*seen.refused, *(Waiting(bot, CHANGING) for bot in sorted(changing))]
        self._arrivals.saw(Seen(rested, refused, frozenset(self._rest.restless)))
        wanted = {version_of(entry): entry for entry in self._arrivals.wanted()}
        for version in self._building.keys() - wanted.keys():
            self._building[version].cancel()
        for version, entry in wanted.items():
            if version not in self._building and version not in self._failed:
                await self._make_ready(entry)
        self._looks += 1
        self._tell()

    async def _make_ready(self, entry: Entry) -> None:
        """Copy a version. If it has to be built, that is begun, and nobody waits for it here."""
        version = version_of(entry)
        try:
            ready = await self._workshop.is_ready(entry)
        except (BotFolderError, OSError) as error:
            self._arrivals.tell([Waiting(entry.bot, str(error))])
            return
        if ready:
            self._arrivals.is_ready(entry)
        else:
            self._building[version] = trio.CancelScope()
            self._builds.start_soon(self._build, entry)

    async def _build(self, entry: Entry) -> None:
        version = version_of(entry)
        try:
            with self._building[version]:
                self._built(entry, await self._workshop.build(entry))
        except (BotFolderError, OSError) as error:  # the disk may be full: the version is not to blame
            self._failed.add(version)
            self._arrivals.tell([Waiting(entry.bot, f"it cannot be built now: {error}")])
        finally:
            del self._building[version]
            self._tell()

    def _built(self, entry: Entry, failed: FailedStart | None) -> None:
        if failed is not None:
            self._failed.add(version_of(entry))
            self._arrivals.not_built(entry, failed)
        else:
            self._arrivals.is_ready(entry)


class _Rest:
    """Which folders with a new version have rested.

    `restless`: the bots whose new version was not seen for long enough.
    """

    def __init__(self) -> None:
        self.restless: set[str] = set()
        self._since: dict[str, tuple[str, float]] = {}

    def sort(
        self, seen: Iterable[Candidate], unknown: Sequence[Candidate], now: float
    ) -> tuple[list[Candidate], set[str]]:
        """Return those of `seen` that can be taken, and the bots whose folder has changed once more.

        `unknown`: those of them that must rest. `now`: the time in seconds.
        """
        before = {bot: version for bot, (version, _) in self._since.items()}
        since = {
            one.bot.id: self._since[one.bot.id]
            if before.get(one.bot.id) == one.version
            else (one.version, now)
            for one in unknown
        }
        changing = {one.bot.id for one in unknown if before.get(one.bot.id, one.version) != one.version}
        self._since = since
        self.restless = {bot for bot, (_, at) in since.items() if now - at < REST_SECONDS}
        return [one for one in seen if one.bot.id not in self.restless], changing
