"""Bots come, change and leave in an open season: its field is found, stored and made ready to be started.

A league file, folders and a database meet here. Which versions play is decided by `arena.season.open_field`.
It starts no bot and plays nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

from arena.bot.launch import BotCommand
from arena.bot.snapshot import Snapshot, is_intact, take_snapshot
from arena.conduct.exclusion import Ruling, disqualified
from arena.deals import CHAIN_LENGTH, SECRET_BYTES, chained_secret, commitment, seeded_secret
from arena.errors import BotFolderError, StoreError, UsageError
from arena.league.cycles import cycles_of
from arena.league.house import house_folder
from arena.league.reader import LoadedLeague
from arena.league.versions import started_by
from arena.schedule import OpenPlan, catch_up_quota
from arena.season.ahead import candidates_of
from arena.season.news import moved, risen, told
from arena.season.open_field import (
    CHANGING,
    LEAST_RANKED,
    Candidate,
    NextField,
    Waiting,
    house_entries,
    next_field,
)
from arena.season.opening import OpenSeason, bot_command, now_ms, who
from arena.standings.entry_ids import bot_of
from arena.standings.open_field import eligible, sessions_of_each
from arena.store import read, write
from arena.store.acts import FailedStart, closing, failed_start, failed_starts
from arena.store.database import Database
from arena.store.history import FIELD, LogLine
from arena.store.inputs import NewPhase
from arena.store.planned import open_plan, playing, season_plan, seated, with_house
from arena.store.scoring import scored
from arena.store.views import Entry, PhaseView, Role, SeasonView

__all__ = ["Arrivals", "Version", "version_of"]

Version: TypeAlias = tuple[str, str]
"""A version of a bot, stored or not: the bot's id, and the text of the version."""


def version_of(entry: Entry) -> Version:
    """Return which version of which bot an entry is."""
    return bot_of(entry.bot), entry.version


class Arrivals:
    """The field of one open season, for one run. `say` tells the organiser who comes and who waits."""

    def __init__(self, loaded: LoadedLeague, database: Database, say: Callable[[str], None]) -> None:
        self._loaded = loaded
        self._database = database
        self._say = say
        self._said: set[str] = set()
        self._few_said = ""
        self._candidates: tuple[Candidate, ...] = ()
        self._unready: set[str] = set()
        self._ready: set[Version] = set()
        self._store = loaded.arena_folder / "bots"
        self._has_news = False
        self._seen = ""

    @property
    def view(self) -> SeasonView:
        """Return the season as it is stored now."""
        found = read.current_season(self._database)
        assert found is not None, "a season is open"
        return found

    @property
    def closed(self) -> str:
        """Return that the season was closed and why; empty as long as bots may come."""
        act = closing(read.actions(self._database), self.view.number)
        return "" if act is None else f"season {act.subject} is closed: {act.reason}"

    # Who is there

    def unknown(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        """Return those of the candidates that came by a folder, with a version that was never stored."""
        known = {version_of(entry) for entry in self.view.entries}
        given = {bot.id for bot in self._loaded.league.bots}
        known |= {(one.bot.id, one.version) for one in candidates if one.bot.id in given}
        return [one for one in candidates if (one.bot.id, one.version) not in known]

    def saw(
        self, candidates: Iterable[Candidate], waiting: Sequence[Waiting], resting: Iterable[str] = ()
    ) -> None:
        """Take note of a look at the folders: of the bots whose versions can be taken.

        `waiting`: bots that cannot be taken as they are, which is told. `resting`: bots of which that is not
        known yet. A bot of either kind that plays already plays on as it is.
        """
        self._candidates = tuple(candidates)
        self._unready = {one.bot for one in waiting} | set(resting)
        self._has_news = True
        self.tell(waiting)

    def wanted(self) -> tuple[Entry, ...]:
        """Return the versions that are to play next and are not ready to be started, by the last look.

        Those that are not stored yet have the numbers that they would have now.
        """
        if self.closed:
            return ()
        found = self._next()
        entries = (*found.entries, *found.instead.values())
        return tuple(entry for entry in entries if version_of(entry) not in self._ready)

    def copy(self, entry: Entry) -> None:
        """Copy the folder of a version, unless it is copied. Any thread may do this.

        Raises BotFolderError when there is no folder that is as it was seen.
        """
        for one in _copy_again([entry], self._folders(self._candidates), self._store):
            raise BotFolderError(one.reason)

    def is_ready(self, entry: Entry) -> None:
        """Take note that a version is copied and built, so that it can be started."""
        self._ready.add(version_of(entry))
        self._has_news = True

    def not_built(self, entry: Entry, failed: FailedStart) -> None:
        """Store that a version could not be built, and the version itself if it is new."""
        found = self._next()
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
        entries = self._ready_field().entries
        return sum(entry.role is Role.ENTRANT for entry in entries) < LEAST_RANKED

    def field(self) -> NextField:
        """Return who is ready and is to play in the next phase, and store the versions that are new."""
        found = self._with_copies(self._ready_field())
        self._enter(found)
        write.describe(self._database, self.view.number, found.entries)
        self.tell(found.waiting)
        return found

    def _ready_field(self) -> NextField:
        found = self._next()
        return found.without_unready(self._unready_of(found))

    def _unready_of(self, found: NextField) -> set[str]:
        entries = (*found.entries, *found.instead.values())
        return {entry.bot for entry in entries if version_of(entry) not in self._ready}

    def _next(self, rulings: Sequence[Ruling] | None = None) -> NextField:
        """Return who is to play next by the last look, ready or not; `rulings` as they are stored if None."""
        season = self.view
        if rulings is None:
            rulings = read.rulings(self._database, season.number)
        when = (now_ms(), self._loaded.league.schedule.version_hours)
        return next_field(season, self._candidates, rulings, self._failures(season), when, self._unready)

    def _enter(self, found: NextField) -> None:
        write.enter(self._database, self.view.number, found.new)
        for entry in found.new:
            self._note(f"{entry.bot} has come: {entry.name}")

    def _with_copies(self, found: NextField) -> NextField:
        """Return the field without the versions whose copies were lost since they were ready."""
        entries = (*found.entries, *found.instead.values())
        lost = {one.bot: one for one in _copy_again(entries, self._folders(self._candidates), self._store)}
        self._ready -= {version_of(entry) for entry in entries if entry.bot in lost}
        left = found.without_unready(lost.keys())
        return replace(left, waiting=(*found.waiting, *lost.values()))

    def _folders(self, candidates: Iterable[Candidate]) -> Mapping[str, Path]:
        return {one.folder_digest: self._loaded.root / one.bot.folder for one in candidates}

    def keep_copies(self) -> None:
        """Make damaged copies of those again who play in the newest phase; tell of those that are lost."""
        stored = {entry.bot: entry for entry in self.view.entries}
        field = [stored[entry] for entry in playing(self.view)]
        candidates, _ = candidates_of(self._loaded)
        take_snapshot(house_folder(), self._store)
        self.tell(_copy_again(field, self._folders(candidates), self._store))

    def _failures(self, season: SeasonView) -> Mapping[str, Sequence[FailedStart]]:
        """Return how each version failed to start, each time in a row; see `failed_starts`."""
        return failed_starts(season, read.actions(self._database))

    def failed(self, failures: Mapping[str, FailedStart]) -> None:
        """Store and tell that versions did not start before the next phase, why, and their last words."""
        for entry, failed in failures.items():
            write.action(self._database, failed_start(self.view.number, entry, failed, now_ms(), who()))
            last_words = (f"      {line}" for line in failed.last_words)
            self._note("\n".join([f"{entry} is not ready: {failed.reason}", *last_words]), "warning")

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
            acts = len(read.actions(self._database))
            if why := self.closed:
                self._say(f"{why}; no further phase is begun")
                return False
            out = disqualified(read.rulings(self._database, self.view.number))
            left = [entry for entry in entries if not {entry.bot, bot_of(entry.bot)} & out.keys()]
            ranked = sum(entry.role is Role.ENTRANT for entry in left)
            if ranked < LEAST_RANKED:
                self._too_few(ranked)
                return False
            if write.open_phase(self._database, self._phase(left, acts), acts):
                self._few_said = ""
                self._has_news = True
                for said in moved(playing(before), playing(self.view), seated(before)):
                    self._note(said)
                return True

    def _phase(self, entries: Sequence[Entry], acts: int) -> NewPhase:
        """Return the phase of these entries that follows from so many acts."""
        season = self.view
        field = sorted([*entries, *self._house(season, entries)], key=lambda entry: entry.number)
        schedule, number, plan = self._loaded.league.schedule, len(season.phases), open_plan(season)
        secret, cycles = self._secret(season.number, number), cycles_of(self._loaded.league)
        owed = self._owed(season, field, plan, cycles)
        return NewPhase(
            season=season.number,
            number=number,
            secret=secret,
            commitment=commitment(secret),
            committed_at=now_ms(),
            league_digest=self._loaded.digest,
            cycles_planned=plan.cycles + cycles + bool(owed),
            first_cycle=plan.cycles,
            public_draw=schedule.public_draw,
            predictable=schedule.seed is not None,
            entries=tuple(entry.bot for entry in field),
            owed=owed,
            first_match=plan.first_match(plan.cycles),
            acts=acts,
        )

    def _too_few(self, ranked: int) -> None:
        """Say that the league waits, once as long as it waits for the same reason."""
        there = "is no bot" if not ranked else "is one bot"
        said = f"there {there} to play; an open league waits until there are {LEAST_RANKED}"
        if said != self._few_said:
            self._few_said = said
            self._say(said)

    def _secret(self, season: int, phase: int) -> bytes:
        """Return the secret of a phase that begins: seeded, of the season's chain, or drawn."""
        seed = self._loaded.league.schedule.seed
        if seed is not None:
            return seeded_secret(seed, phase, season)
        if not (end := read.chain_end(self._database, season)):
            return secrets.token_bytes(SECRET_BYTES)
        if phase >= CHAIN_LENGTH:
            raise UsageError(
                f"{self._loaded.path}: a season with a public_draw has {CHAIN_LENGTH:,} phases at most; "
                f"begin a new one: arena run {self._loaded.path} --new-season 'why'"
            )
        return chained_secret(end, phase)

    def _owed(
        self, season: SeasonView, field: Sequence[Entry], plan: OpenPlan, cycles: int
    ) -> tuple[tuple[str, int], ...]:
        """Return which entries of a field catch up, each with its sessions, before so many cycles."""
        ids = {entry.number: entry.bot for entry in field}
        results = read.session_results(self._database, season.number)
        counted = sessions_of_each(eligible(results, with_house(season, ids.values())))
        known = {entry.number: counted[entry.bot] for entry in field if entry.role is Role.ENTRANT}
        due = catch_up_quota(plan, list(ids), cycles, known).block
        return tuple((ids[number], sessions) for number, sessions in due)

    def _house(self, season: SeasonView, field: Sequence[Entry]) -> list[Entry]:
        """Return the house bots for the seats that these entries leave empty. New ones are stored."""
        digest = take_snapshot(house_folder(), self._store).digest
        found = list(house_entries(season, field, digest, now_ms()))
        write.enter(self._database, season.number, [entry for entry in found if entry not in season.entries])
        return found

    def season(self) -> OpenSeason:
        """Return the season with the field of its newest phase."""
        season = self.view
        stored = {entry.bot: entry for entry in season.entries}
        commands = self.commands(stored[entry] for entry in playing(season))
        return OpenSeason(self._loaded, season, season_plan(season, ()), commands)

    def changes(self, rulings: Sequence[Ruling], free: int) -> tuple[int, str] | None:
        """Return from which cycle on the field is another one, and why; None if it stays.

        `free`: the first cycle of the season of which nothing can have been begun. Folders and a close change
        it only after a cycle of the newest phase: else phases would end of which nothing was played,
        wherever somebody saves a file every few seconds. Rulings change it from the cycle on that they name.
        It goes by the last look at the folders: this is asked often, and must not take long.
        """
        season, out = self.view, disqualified(rulings)
        begun = free > season.phases[-1].first_cycle
        if begun and (why := self.closed):
            return free, why
        ruled = [(entry, out.get(entry) or out.get(bot_of(entry))) for entry in playing(season)]
        left = [(ruling.from_cycle, f"{entry} is {ruling.word}") for entry, ruling in ruled if ruling]
        if left:
            return min(left)[0], "; ".join(said for _, said in left)
        if begun and self._has_news:
            self._has_news = False
            self._seen = self._changed(season, rulings)
        return (free, self._seen) if begun and self._seen else None

    def _changed(self, season: SeasonView, rulings: Sequence[Ruling]) -> str:
        """Return which versions come and go by the last look, in words. Only who is ready has come."""
        failures = self._failures(season)
        found = self._next(rulings)
        # Who plays was ready, whatever became of its copy since.
        found = found.without_unready(self._unready_of(found).difference(playing(season)))
        newcomers, left = found.changes(playing(season))
        # One that did not start is tried again with the next phase, but does not end this one.
        come = [entry for entry in newcomers if entry not in failures]
        replaced = {bot_of(entry) for entry in come}
        gone = [entry for entry in left if bot_of(entry) not in replaced]
        return "; ".join([f"{entry} has come" for entry in come] + [f"{entry} has left" for entry in gone])

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

    def rose(self, phase: PhaseView) -> None:
        """Tell who rose in a phase that has ended."""
        season = self.view
        names = {entry.bot: entry.name for entry in season.entries}
        if said := told(risen(scored(self._database, season), phase.first_cycle), names):
            self._note(f"phase {phase.number} is over; {said}")

    def _note(self, said: str, level: str = "info") -> None:
        write.log(self._database, LogLine(now_ms(), level, FIELD, said))
        self._say(said)


_GONE = (
    "its copy was damaged or removed, and no folder holds its files any more; it plays again when its folder "
    "is as it was"
)


def _copy_again(entries: Iterable[Entry], folders: Mapping[str, Path], store: Path) -> list[Waiting]:
    """Copy versions that are not copied or not as they were; return which cannot be copied, and why.

    `folders`: by digest, the folders that are there now.
    """
    waiting = []
    for entry in entries:
        if is_intact(Snapshot(entry.digest, store / entry.digest)):
            continue
        folder = folders.get(entry.digest)
        waiting += [Waiting(entry.bot, _GONE)] if folder is None else _copied(entry, folder, store)
    return waiting


def _copied(entry: Entry, folder: Path, store: Path) -> list[Waiting]:
    try:
        fits = take_snapshot(folder, store).digest == entry.digest
    except BotFolderError as error:
        return [Waiting(entry.bot, str(error))]
    return [] if fits else [Waiting(entry.bot, CHANGING)]
