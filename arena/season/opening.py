"""Opening a season: its bots' copies, its fixed keys, its schedule. Plays nothing.

A league file and a database meet here. The class of a key decides whether it may change from run to run: a
changed S key is refused by name unless a new season is asked for, as is a changed bot while the season is not
over; a G key may only grow, and a change of an F key is noted.
"""

from __future__ import annotations

import getpass
import json
import os
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from arena.bot.launch import BotCommand
from arena.bot.snapshot import Snapshot, is_intact, naming, take_snapshot
from arena.deals import SECRET_BYTES
from arena.errors import BotFolderError, SeasonChanged, UsageError
from arena.league.cycles import cycles_of
from arena.league.house import field_of, schedule_field
from arena.league.model import BotSection
from arena.league.reader import LoadedLeague
from arena.league.season import (
    Change,
    changed_keys,
    free_document,
    growing_document,
    season_document,
)
from arena.linux.leftovers import MARK, mark_of
from arena.schedule import Plan, Schedule, ScheduleError, canonical_json, season_digest
from arena.schedule.seating import seat_orders
from arena.season.changed import changes_since, may_begin_anew, refusal, why_another
from arena.season.staged import Staged, staged
from arena.store import read, write
from arena.store.acts import BEGUN_ANEW
from arena.store.database import Database
from arena.store.history import NOTED_KEYS, Action, LogLine
from arena.store.inputs import NewSeason
from arena.store.planned import season_plan
from arena.store.views import Entry, Role, SeasonView

__all__ = [
    "OpenSeason",
    "begin_stage",
    "bot_command",
    "cycles_begun",
    "now_ms",
    "open_season",
    "plan_of",
    "stored_season",
    "who",
    "with_cycles",
]

_NICE = 10
"""How far bots give way to the rest of the machine."""


@dataclass(frozen=True, slots=True)
class OpenSeason:
    """A season that can be played: what is fixed, and how its bots are started.

    `plan`: by the rulings that were made before the run. `remark`: what was done besides opening it, for
    people; empty for nothing.
    """

    loaded: LoadedLeague
    view: SeasonView
    plan: Schedule
    commands: tuple[BotCommand, ...]
    remark: str = ""

    @property
    def bots(self) -> tuple[str, ...]:
        """Return the bot ids, by their numbers in the schedule."""
        return tuple(entry.bot for entry in self.view.entries)

    @property
    def cycles(self) -> int:
        """Return the number of cycles of the season: the file's, or with "auto" the season's own."""
        return cycles_of(self.loaded.league)


def now_ms() -> int:
    """Return the time in milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


def who() -> str:
    """Return the name of the user, whose acts are stored under it."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"


def open_season(loaded: LoadedLeague, database: Database, new_season: str | None = None) -> OpenSeason:
    """Return the season that this league file means: the stored one, or a new one if there is none.

    `new_season`: why a new season is begun even if there is one. Unasked, one is begun when bots have changed
    since the last one was over. A season of which no match was finished begins anew under its number, so that
    a bot can still be mended after the roll call. Raises SeasonChanged, naming each key, when the file does
    not fit the stored season; BotFolderError; UsageError.
    """
    current, remark = read.current_season(database), ""
    stage = staged(loaded, None if new_season is not None else current)
    loaded, copies = stage.loaded, _copies(stage)
    document = _document(stage, copies)
    if current is None or new_season is not None:
        loaded = with_cycles(loaded)
        current = _new_season(loaded, document, database, new_season or "")
    else:
        kept = with_cycles(loaded, cycles_begun(current))
        if changes := changes_since(current, document, kept):
            loaded = with_cycles(loaded)
            if may_begin_anew(current, database):
                remark = _begin_anew(current, changes, loaded, document, database)
            elif why := why_another(current, changes, loaded):
                remark = f"season {current.number + 1} begins, for season {current.number} is over: {why}"
                _new_season(loaded, document, database, why)
            else:
                raise SeasonChanged(refusal(current, changes, loaded))
        else:
            loaded = kept
            write.describe(database, current.number, _entries(loaded, document))
            _note_changes(loaded, database)
        current = stored_season(database)
    commands = tuple(bot_command(loaded, bot, copies[bot.id]) for bot in _fixed(loaded))
    plan = season_plan(current, read.rulings(database, current.number))
    return OpenSeason(loaded, current, plan, commands, remark)


def cycles_begun(season: SeasonView) -> int:
    """Return for how many cycles a stored season was begun, 0 before its first phase; fewer may be played."""
    return season.phases[-1].cycles_at_most if season.phases else 0


def with_cycles(loaded: LoadedLeague, begun: int = 0) -> LoadedLeague:
    """Return the league with `cycles` as a number: the file's, or for "auto" that of the season that goes on.

    `begun`: the `cycles_begun` of that season, 0 for a new one. So a season that was begun with another
    number than "auto" stands for now is played as long as it was announced.
    """
    schedule = loaded.league.schedule
    begun = 0 if loaded.league.league.open else begun  # there they are the cycles of one phase
    cycles = begun if begun and schedule.cycles == "auto" else cycles_of(loaded.league)
    league = loaded.league.model_copy(update={"schedule": schedule.model_copy(update={"cycles": cycles})})
    return replace(loaded, league=league)


def begin_stage(stage: Staged, database: Database, acts: int) -> bool:
    """Store the season of a stage that follows another. Raises BotFolderError, UsageError.

    `acts`: the number of acts from which it follows. Return whether it was stored: it is not if there are
    others by now.
    """
    loaded = with_cycles(stage.loaded)
    new = _opening(loaded, _document(stage, _copies(stage)), f"{len(stage.digests)} bots went on to it")
    return bool(write.open_season(database, new, _free_keys(loaded), acts))


def _fixed(loaded: LoadedLeague) -> tuple[BotSection, ...]:
    """Return the bots of a field that does not change. Those of an open season are copied when they come."""
    return () if loaded.league.league.open else field_of(loaded.league)


def _copies(stage: Staged) -> dict[str, Snapshot]:
    """Return the copies from which the bots of a fixed field run.

    So changes in their folders cannot reach a season that is being played.
    """
    return {bot.id: _copied(stage, bot) for bot in _fixed(stage.loaded)}


def _copied(stage: Staged, bot: BotSection) -> Snapshot:
    store = stage.loaded.arena_folder / "bots"
    if (digest := stage.digests.get(bot.id)) is not None:
        kept = Snapshot(digest, stage.copy_of(digest))
        if is_intact(kept):
            return kept
    with naming(bot.id):
        copy = take_snapshot(stage.loaded.bot_folder(bot), store)
        if digest is not None and copy.digest != digest:
            raise BotFolderError(
                f"its copy {kept.path} is gone or damaged, and {bot.folder} holds other files; put back the "
                "files with which it went on to this stage"
            )
        return copy


def _document(stage: Staged, copies: Mapping[str, Snapshot]) -> dict[str, object]:
    """Return what the season of a stage is, with the decision by which it began."""
    document = season_document(stage.loaded.league, {bot: copy.digest for bot, copy in copies.items()})
    return {**document, "stage": dict(stage.told)} if stage.told else document


def bot_command(loaded: LoadedLeague, bot: BotSection, copy: Snapshot) -> BotCommand:
    """Return how a bot is started from a copy of its folder."""
    league = loaded.league
    return BotCommand(
        bot=bot.id,
        argv=bot.command,
        folder=str(copy.path.resolve()),
        env=((MARK, mark_of(loaded.arena_folder)),),
        start_ms=league.time.start_ms,
        nice=_NICE,
        memory_mib=league.sandbox.memory_mib,
        cpu_ms=league.match_cpu_ms(bot),
        threads=bot.threads,
        cores=tuple(sorted(os.sched_getaffinity(0))) if bot.threads > 1 else (),
        build=bot.build,
    )


def plan_of(loaded: LoadedLeague, digest: str) -> Plan:
    """Return the schedule of a league. Raises UsageError for a field that cannot be scheduled."""
    try:
        return Plan(schedule_field(loaded.league, digest))
    except ScheduleError as error:
        raise UsageError(f"{loaded.path}: {error}") from None


def _new_season(
    loaded: LoadedLeague, document: dict[str, object], database: Database, reason: str
) -> SeasonView:
    write.open_season(database, _opening(loaded, document, reason), _free_keys(loaded))
    return stored_season(database)


def _begin_anew(
    current: SeasonView,
    changes: Sequence[Change],
    loaded: LoadedLeague,
    document: dict[str, object],
    database: Database,
) -> str:
    """Replace a season of which nothing was played, and note why. Its reason stays. Return what was done."""
    # How to undo a change is for those who cannot go on.
    listed = [change.text for change in changes]
    number = str(current.number)
    write.begin_anew(database, current.number, _opening(loaded, document, current.reason))
    write.action(
        database, Action(now_ms(), who(), BEGUN_ANEW, number, "nothing of it was played", "\n".join(listed))
    )
    write.action(database, Action(now_ms(), who(), NOTED_KEYS, number, "", _free_keys(loaded)))
    said = f"season {number} begins anew, for nothing of it was played: {'; '.join(listed)}"
    write.log(database, LogLine(now_ms(), "info", "season", said))
    return said


def _opening(loaded: LoadedLeague, document: dict[str, object], reason: str) -> NewSeason:
    digest = season_digest(document)
    sessions, matches = _sizes(loaded, digest)
    return NewSeason(
        opened_at=now_ms(),
        document=canonical_json(document),
        digest=digest,
        league_text=loaded.text,
        line_ups=loaded.league.line_ups,
        seats=loaded.league.league.seats,
        rounds=loaded.league.league.rounds,
        field_size=loaded.league.league.seats if loaded.league.league.open else len(field_of(loaded.league)),
        sessions_per_cycle=sessions,
        matches_per_session=matches,
        entries=_entries(loaded, document),
        opened_by=who(),
        reason=reason,
        chain_end=_chain_end(loaded),
    )


def _chain_end(loaded: LoadedLeague) -> str:
    """Return a drawn end for the chain of secrets of an open season with a public draw, else nothing."""
    schedule = loaded.league.schedule
    chained = loaded.league.league.open and schedule.public_draw is not None and schedule.seed is None
    return secrets.token_hex(SECRET_BYTES) if chained else ""


def _sizes(loaded: LoadedLeague, digest: str) -> tuple[int, int]:
    """Return the sessions of a season's cycles and the matches of its sessions, of an open one at least."""
    seats = loaded.league.league.seats
    if loaded.league.league.open:
        return seats, len(seat_orders(tuple(range(seats))))
    plan = plan_of(loaded, digest)
    return plan.sessions_per_cycle, plan.matches_per_session


def stored_season(database: Database) -> SeasonView:
    """Return the newest season; there must be one."""
    view = read.current_season(database)
    assert view is not None, "it was stored before"
    return view


def _entries(loaded: LoadedLeague, document: dict[str, object]) -> tuple[Entry, ...]:
    if loaded.league.league.open:
        return ()
    documents = document["bots"]
    assert isinstance(documents, list)
    return tuple(
        Entry(
            bot=bot.id,
            number=number,
            name=bot.name,
            digest=documents[number]["digest"],
            folder=bot.folder,
            command=bot.command,
            author=bot.author,
            role=Role(bot.role),
        )
        for number, bot in enumerate(field_of(loaded.league))
    )


def _free_keys(loaded: LoadedLeague) -> str:
    free, growing = free_document(loaded.league), growing_document(loaded.league)
    return canonical_json({"id": loaded.id, "free": free, "growing": growing})


def _note_changes(loaded: LoadedLeague, database: Database) -> None:
    """Store which F and G keys differ from the last run, so that the season's history is complete."""
    new = _free_keys(loaded)
    last = [act for act in read.actions(database) if act.what == NOTED_KEYS]
    if not last or last[-1].detail == new:
        return
    before, after = json.loads(last[-1].detail), json.loads(new)
    for kind in ("free", "growing"):
        for change in changed_keys(before[kind], after[kind]):
            write.action(database, Action(now_ms(), who(), "changed key", change.key, "", str(change)))
    write.action(database, Action(now_ms(), who(), NOTED_KEYS, last[-1].subject, "", new))
