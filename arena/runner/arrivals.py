"""Bots come, change and leave in an open season: its field is found, stored and made ready to be started.

A league file, folders and a database meet here. Which versions play is decided by `arena.season.open_field`.
It starts no bot and plays nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from arena.bot.launch import BotCommand
from arena.bot.snapshot import Snapshot, is_intact, take_snapshot
from arena.conduct.exclusion import disqualified
from arena.deals import SECRET_BYTES
from arena.errors import BotFolderError, StoreError
from arena.league.entries import Waiting
from arena.league.house import house_folder
from arena.league.reader import LoadedLeague
from arena.league.versions import started_by
from arena.runner.seasons import OpenSeason, bot_command, season_now
from arena.score.entry_ids import bot_of
from arena.season.open_field import (
    CHANGING,
    LEAST_RANKED,
    Candidate,
    NextField,
    Seen,
    Version,
    changed_field,
    house_entries,
    look,
    moved,
    next_field,
    ranked,
    unknown,
    version_of,
)
from arena.season.opening import now_ms, who
from arena.season.phases import next_open_phase
from arena.store import read, write
from arena.store.acts import FailedStart, failed_start
from arena.store.database import Database
from arena.store.history import FIELD, LogLine
from arena.store.stored_season import StoredSeason, playing, season_plan, seated
from arena.store.views import Entry, NewPhase, SeasonView


class Arrivals:
    """The field of one open season, for one run. `say` tells the organiser who comes and who waits."""

    def __init__(self, loaded: LoadedLeague, database: Database, say: Callable[[str], None]) -> None:
        self._loaded = loaded
        self._database = database
        self._say = say
        self._said: set[str] = set()
        self._few_said = ""
        self._seen = Seen()
        self._ready: set[Version] = set()
        self._store = loaded.arena_folder / "bots"
        self._has_news = False
        self._changed = ""

    @property
    def stored(self) -> StoredSeason:
        """Return the season as it is stored now."""
        return season_now(self._database)

    @property
    def view(self) -> SeasonView:
        """Return what the season is now."""
        return self.stored.view

    @property
    def closed(self) -> str:
        """Return that the season was closed and why; empty as long as bots may come."""
        return self.stored.closed

    # Who is there

    def unknown(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        """Return those of the candidates that came by a folder, with a version that was never stored."""
        return unknown(self.view, self._loaded.league, candidates)

    def saw(self, seen: Seen) -> None:
        """Take note of a look at the folders, and tell who cannot be taken."""
        self._seen = seen
        self._has_news = True
        self.tell(seen.refused)

    def wanted(self) -> tuple[Entry, ...]:
        """Return the versions that are to play next and are not ready to be started, by the last look.

        Those that are not stored yet have the numbers that they would have now.
        """
        stored = self.stored
        return () if stored.closed else self._not_ready(self._next(stored))

    def copy(self, entry: Entry) -> None:
        """Copy the folder of a version, unless it is copied. Any thread may do this.

        Raises BotFolderError when there is no folder that is as it was seen.
        """
        for one in self._copy_again([entry], self._seen):
            raise BotFolderError(one.reason)

    def is_ready(self, entry: Entry) -> None:
        """Take note that a version is copied and built, so that it can be started."""
        self._ready.add(version_of(entry))
        self._has_news = True

    def not_built(self, entry: Entry, failed: FailedStart) -> None:
        """Store that a version could not be built, and the version itself if it is new."""
        found = self._next(self.stored)
        others = {one.bot for one in found.new if version_of(one) != version_of(entry)}
        self._enter(found.without_unready(others))
        stored = next((one for one in self.view.entries if version_of(one) == version_of(entry)), None)
        if stored is not None:
            self.failed({stored.bot: failed})
        self._has_news = True

    @property
    def ready(self) -> frozenset[str]:
        """Return the entries of the next field that are ready, by the last look; new ones are not stored."""
        return frozenset(entry.bot for entry in self._ready_field().entries)

    @property
    def too_few(self) -> bool:
        """Return whether too few ranked bots are ready for a phase."""
        return ranked(self._ready_field().entries) < LEAST_RANKED

    def field(self) -> NextField:
        """Return who is ready and is to play in the next phase, and store the versions that are new."""
        found = self._with_copies(self._ready_field())
        self._enter(found)
        write.describe(self._database, self.view.number, found.entries)
        self.tell(found.waiting)
        return found

    def _next(self, stored: StoredSeason) -> NextField:
        """Return who is to play next by the last look, ready or not."""
        return next_field(stored, self._seen, (now_ms(), self._loaded.league.schedule.version_hours))

    def _ready_field(self) -> NextField:
        found = self._next(self.stored)
        return found.without_unready({entry.bot for entry in self._not_ready(found)})

    def _not_ready(self, found: NextField) -> tuple[Entry, ...]:
        return tuple(entry for entry in found.tried if version_of(entry) not in self._ready)

    def _enter(self, found: NextField) -> None:
        write.enter(self._database, self.view.number, found.new)
        for entry in found.new:
            self._note(f"{entry.bot} has come: {entry.name}")

    def failed(self, failures: Mapping[str, FailedStart]) -> None:
        """Store and tell that versions did not start before the next phase, why, and their last words."""
        for entry, failed in failures.items():
            write.action(self._database, failed_start(self.view.number, entry, failed, now_ms(), who()))
            last_words = (f"      {line}" for line in failed.last_words)
            self._note("\n".join([f"{entry} is not ready: {failed.reason}", *last_words]), "warning")

    # Their copies

    def keep_copies(self) -> None:
        """Make damaged copies of those again who play in the newest phase; tell of those that are lost."""
        take_snapshot(house_folder(), self._store)
        self.tell(self._copy_again(self._field(self.view), look(self._loaded, self.view)))

    def _with_copies(self, found: NextField) -> NextField:
        """Return the field without the versions whose copies were lost since they were ready."""
        lost = {one.bot: one for one in self._copy_again(found.tried, self._seen)}
        self._ready -= {version_of(entry) for entry in found.tried if entry.bot in lost}
        left = found.without_unready(lost.keys())
        return replace(left, waiting=(*found.waiting, *lost.values()))

    def _copy_again(self, entries: Iterable[Entry], seen: Seen) -> list[Waiting]:
        """Copy versions that are not copied or not as they were; return which cannot be copied, and why."""
        folders = {one.folder_digest: self._loaded.root / one.bot.folder for one in seen.candidates}
        waiting = []
        for entry in entries:
            if is_intact(Snapshot(entry.digest, self._store / entry.digest)):
                continue
            folder = folders.get(entry.digest)
            why = _GONE if folder is None else _why_not_copied(entry, folder, self._store)
            waiting += [Waiting(entry.bot, why)] if why else []
        return waiting

    # The phase

    def begin(self, entries: Sequence[Entry]) -> bool:
        """Open a phase of these entries, and of house bots where they leave seats empty.

        Its deals are committed to. Returns False, and says so, if too few are ranked, or if the season was
        closed.
        """
        before = self.view
        while True:
            # The organiser may have ruled, or closed the season, while the bots were being started, and may
            # do so now.
            stored = self.stored
            if stored.closed:
                self._say(f"{stored.closed}; no further phase is begun")
                return False
            out = disqualified(stored.rulings)
            left = [entry for entry in entries if not {entry.bot, bot_of(entry.bot)} & out.keys()]
            if (number := ranked(left)) < LEAST_RANKED:
                self._too_few(number)
                return False
            phase = self._phase(stored, left)
            if write.open_phase(self._database, phase, phase.acts):
                self._few_said = ""
                self._has_news = True
                for said in moved(playing(before), phase.entries, seated(before)):
                    self._note(said)
                return True

    def _phase(self, stored: StoredSeason, entries: Sequence[Entry]) -> NewPhase:
        """Return the phase of these entries. House bots that are new are stored."""
        season, digest = stored.view, take_snapshot(house_folder(), self._store).digest
        house = list(house_entries(season, entries, digest, now_ms()))
        write.enter(self._database, season.number, [entry for entry in house if entry not in season.entries])
        results = read.session_results(self._database, season.number)
        secret = secrets.token_bytes(SECRET_BYTES), read.chain_end(self._database, season.number)
        return next_open_phase(stored, self._loaded, [*entries, *house], results, secret, now_ms())

    def _too_few(self, number: int) -> None:
        """Say that the league waits, once as long as it waits for the same reason."""
        there = "is no bot" if not number else "is one bot"
        said = f"there {there} to play; an open league waits until there are {LEAST_RANKED}"
        if said != self._few_said:
            self._few_said = said
            self._say(said)

    def season(self) -> OpenSeason:
        """Return the season with the field of its newest phase."""
        season = self.view
        return OpenSeason(self._loaded, season, season_plan(season, ()), self.commands(self._field(season)))

    def _field(self, season: SeasonView) -> list[Entry]:
        """Return who plays in the newest phase."""
        stored = {entry.bot: entry for entry in season.entries}
        return [stored[entry] for entry in playing(season)]

    def changes(self, stored: StoredSeason, free: int) -> tuple[int, str] | None:
        """Return from which cycle on the field is another one, and why; None if it stays.

        `free`: the first cycle of the season of which nothing can have been begun. Folders and a close change
        it only after a cycle of the newest phase: else phases would end of which nothing was played,
        wherever somebody saves a file every few seconds. Rulings change it from the cycle on that they name.
        It goes by the last look at the folders: this is asked often, and must not take long.
        """
        season, out = stored.view, disqualified(stored.rulings)
        begun = free > season.phases[-1].first_cycle
        if begun and stored.closed:
            return free, stored.closed
        ruled = [(entry, out.get(entry) or out.get(bot_of(entry))) for entry in playing(season)]
        left = [(ruling.from_cycle, f"{entry} is {ruling.word}") for entry, ruling in ruled if ruling]
        if left:
            return min(left)[0], "; ".join(said for _, said in left)
        if begun and self._has_news:
            self._has_news = False
            found = self._next(stored)
            # Who plays was ready, whatever became of its copy since.
            not_ready = {entry.bot for entry in self._not_ready(found)}.difference(playing(season))
            self._changed = changed_field(stored, found.without_unready(not_ready))
        return (free, self._changed) if begun and self._changed else None

    # How its bots are started

    def commands(self, entries: Iterable[Entry]) -> tuple[BotCommand, ...]:
        """Return how these entries are started, from what is stored of them and from their copies."""
        return tuple(map(self._command, entries))

    def _command(self, entry: Entry) -> BotCommand:
        known = {"id": bot_of(entry.bot), "name": entry.name, "folder": entry.folder}
        try:
            bot = started_by(known, entry.version)
        except ValueError as error:
            raise StoreError(f"The version of {entry.bot} cannot be read: {error}") from error
        copy = Snapshot(entry.digest, self._store / entry.digest)
        return replace(bot_command(self._loaded, bot, copy), bot=entry.bot)

    # What is told

    def tell(self, waiting: Iterable[Waiting]) -> None:
        """Tell who does not play and why, once for each reason."""
        for one in waiting:
            said = f"{one.bot} does not play: {one.reason}"
            if said not in self._said:
                self._said.add(said)
                self._note(said, "warning")

    def _note(self, said: str, level: str = "info") -> None:
        write.log(self._database, LogLine(now_ms(), level, FIELD, said))
        self._say(said)


_GONE = (
    "its copy was damaged or removed, and no folder holds its files any more; it plays again when its folder "
    "is as it was"
)


def _why_not_copied(entry: Entry, folder: Path, store: Path) -> str:
    """Copy the folder of a version. Return why its copy is not that version, if so."""
    try:
        return "" if take_snapshot(folder, store).digest == entry.digest else CHANGING
    except BotFolderError as error:
        return str(error)
