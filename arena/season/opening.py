"""Opening a season: what a league file and its bots' folders make of the season that is stored. Pure.

The class of a key decides whether it may change from run to run: a changed S key is refused by name unless a
new season is asked for, as is a changed bot while the season is not over; a G key may only grow, and a change
of an F key is noted. What is decided here `arena.runner.seasons` does.
"""

from __future__ import annotations

import getpass
import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

from arena.bot.snapshot import changed_files
from arena.errors import UsageError
from arena.league.cycles import cycles_of
from arena.league.house import field_of, is_house, line_ups_of, schedule_field
from arena.league.model import League
from arena.league.reader import LoadedLeague
from arena.league.season import Change, changed_keys, free_document, growing_document, season_document
from arena.schedule import Plan, ScheduleError, canonical_json, season_digest
from arena.schedule.seating import seat_orders
from arena.season.stages import Staged
from arena.store.acts import BEGUN_ANEW
from arena.store.history import NOTED_KEYS, Action
from arena.store.stage import decision_of, stage_of
from arena.store.stored_season import StoredSeason
from arena.store.views import Entry, NewSeason, Role, SeasonView
from arena.wording import counted, listed

_MOST_NAMES = 3
"""The most bots, or files, that are named; of more only the number is given."""


def now_ms() -> int:
    """Return the time in milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


def who() -> str:
    """Return the name of the user, whose acts are stored under it."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"


class Way(Enum):
    """How a run opens its season."""

    GOES_ON = "the stored season goes on"
    BEGINS = "a season begins, the first one or another one"
    BEGINS_ANEW = "the stored season begins anew under its number, for nothing of it was played"
    REFUSED = "the file does not fit the stored season, and nobody asked for another one"


@dataclass(frozen=True, slots=True)
class Opening:
    """What a league file makes of the stored season, and what is stored for it.

    `stage`: what is played; its league has its `cycles` as a number. `document`: what its season is. `why`:
    the reason of a season that begins, empty for the first one. `changes`: what keeps the stored season from
    going on.
    """

    stage: Staged
    document: Mapping[str, Any]
    way: Way
    why: str = ""
    changes: tuple[Change, ...] = ()

    @property
    def league(self) -> League:
        """Return the league of the stage."""
        return self.stage.loaded.league

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Return the entries of the season as the file describes them: none yet in an open one."""
        if self.league.league.open:
            return ()
        return tuple(
            Entry(
                bot=bot.id,
                number=number,
                name=bot.name,
                digest=document["digest"],
                folder=bot.folder,
                command=bot.command,
                author=bot.author,
                role=Role(bot.role),
            )
            for number, (bot, document) in enumerate(
                zip(field_of(self.league), self.document["bots"], strict=True)
            )
        )

    @property
    def free_keys(self) -> str:
        """Return the league's id, and its F and G keys, as they are noted with a run."""
        free, growing = free_document(self.league), growing_document(self.league)
        return canonical_json({"id": self.stage.loaded.id, "free": free, "growing": growing})

    def season(self, act: tuple[int, str], drawn: str) -> NewSeason:
        """Return the season that begins by an act (when, who).

        `drawn`: the end of its chain of secrets, where it has one: an open one with a public draw. Raises
        UsageError for a field that cannot be scheduled.
        """
        league, seats, digest = self.league, self.league.league.seats, season_digest(self.document)
        if league.league.open:
            # The least that they can be: its field changes from phase to phase.
            field, sessions, matches = seats, seats, len(seat_orders(tuple(range(seats))))
        else:
            plan = plan_of(self.stage.loaded, digest)
            field, sessions, matches = (
                len(field_of(league)),
                plan.sessions_per_cycle,
                plan.matches_per_session,
            )
        schedule = league.schedule
        chained = league.league.open and schedule.public_draw is not None and schedule.seed is None
        return NewSeason(
            opened_at=act[0],
            document=canonical_json(self.document),
            digest=digest,
            league_text=self.stage.loaded.text,
            line_ups=line_ups_of(league),
            seats=seats,
            rounds=league.league.rounds,
            field_size=field,
            sessions_per_cycle=sessions,
            matches_per_session=matches,
            entries=self.entries,
            opened_by=act[1],
            reason=self.why,
            chain_end=drawn if chained else "",
        )

    def notes(self, stored: StoredSeason, act: tuple[int, str]) -> Iterator[Action]:
        """Yield what is noted of a season that goes on or begins anew by an act (when, who).

        So a season's history is complete: which F and G keys differ from the last run, and why it began anew.
        """
        new, number = self.free_keys, str(stored.view.number)
        if self.way is Way.BEGINS_ANEW:
            # How to undo a change is for those who cannot go on.
            changed = "\n".join(change.text for change in self.changes)
            yield Action(*act, BEGUN_ANEW, number, "nothing of it was played", changed)
            yield Action(*act, NOTED_KEYS, number, "", new)
            return
        last = next((one for one in reversed(stored.acts) if one.what == NOTED_KEYS), None)
        if last is None or last.detail == new:
            return
        before, after = json.loads(last.detail), json.loads(new)
        for kind in ("free", "growing"):
            for change in changed_keys(before[kind], after[kind]):
                yield Action(*act, "changed key", change.key, "", str(change))
        yield Action(*act, NOTED_KEYS, last.subject, "", new)

    def refusal(self, season: int) -> str:
        """Return what to tell where a season cannot go on: what has changed, files too, and the ways out."""
        loaded = self.stage.loaded
        listing = "\n".join(
            f"  {change}" for change in _with_files(self.changes, loaded.arena_folder / "bots")
        )
        return (
            f"Season {season} was begun with other rules or other bots:\n{listing}\n"
            f"Undo these changes, or begin a new season: arena run {loaded.path} --new-season 'why'"
        )


def plan_of(loaded: LoadedLeague, digest: str) -> Plan:
    """Return the schedule of a league. Raises UsageError for a field that cannot be scheduled."""
    try:
        return Plan(schedule_field(loaded.league, digest))
    except ScheduleError as error:
        raise UsageError(f"{loaded.path}: {error}") from None


def opening(
    stage: Staged, digests: Mapping[str, str], stored: StoredSeason | None, why: str | None = None
) -> Opening:
    """Return what is to be done so that the season is open which a league file means.

    `stage`: the stage that is stored, or the first one. `digests`: of the bots of a field that does not
    change. `stored`: the newest season. `why`: why a new season begins even if there is one. A season of
    which no match was finished begins anew, so that a bot can still be mended after the roll call; unasked,
    another one begins when bots have changed since the last one was over.
    """
    document = season_document(stage.loaded.league, digests)
    if stage.told:
        document = {**document, "stage": dict(stage.told)}
    fresh = replace(stage, loaded=with_cycles(stage.loaded))
    if stored is None or why is not None:
        return Opening(fresh, document, Way.BEGINS, why or "")
    view = stored.view
    kept = replace(stage, loaded=with_cycles(stage.loaded, cycles_begun(view)))
    changes = _changes_since(view, document, kept.loaded.league)
    if not changes:
        return Opening(kept, document, Way.GOES_ON)
    # A stage that follows another never begins anew: it was announced, and its bots play by their copies.
    if not stored.is_played and decision_of(view) is None:
        return Opening(fresh, document, Way.BEGINS_ANEW, view.reason, changes)
    if entered := _who_entered(view, changes, stage.loaded.league):
        return Opening(fresh, document, Way.BEGINS, entered, changes)
    return Opening(fresh, document, Way.REFUSED, "", changes)


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


# What has changed


def _changes_since(view: SeasonView, document: Mapping[str, object], league: League) -> tuple[Change, ...]:
    """Return what keeps a league file from continuing a season; `document`: the one that it describes."""
    changes = changed_keys(view.keys, document)
    if view.open:  # its cycles are those of one phase
        return tuple(changes)
    planned = view.phases[-1].cycles_planned if view.phases else 0
    asked = cycles_of(league)
    if asked < planned:
        why = f"the number of cycles may only grow, and season {view.number} was committed to {planned}"
        changes.append(Change("schedule.cycles", planned, asked, why))
    return tuple(changes)


def _who_entered(view: SeasonView, changes: Iterable[Change], league: League) -> str:
    """Return the reason of the season that follows one which is over: who entered, changed and left.

    Empty where more than bots has changed, or the season is not over: then the organiser has to give it.
    """
    keys = [change.key.split(".") for change in changes]
    stage = stage_of(view)
    is_last = stage is None or stage.number == stage.of
    is_over = is_last and bool(view.phases) and view.unfinished is None
    if not is_over or not all(key[0] == "bots" and key[1:] for key in keys):
        return ""
    before = {entry.bot: entry.name for entry in view.entries}
    now = {bot.id: bot.name for bot in league.bots}
    # House bots come and go with the others.
    bots = list(dict.fromkeys(key[1] for key in keys if not is_house(key[1])))
    return ", ".join(
        f"{listed(names) if len(names) <= _MOST_NAMES else counted(len(names), 'bot')} {done}"
        for done, names in (
            ("entered", [now[bot] for bot in bots if bot not in before]),
            ("changed", [now[bot] for bot in bots if bot in before and bot in now]),
            ("left", [before[bot] for bot in bots if bot not in now]),
        )
        if names
    )


def _with_files(changes: Iterable[Change], copies: Path) -> Iterator[Change]:
    """Yield the changes; where a bot's digest differs, with the files that do, if both copies are there."""
    for change in changes:
        if change.key.startswith("bots.") and change.key.endswith(".digest"):
            files = changed_files(copies / str(change.old), copies / str(change.new))
            more = f" and {len(files) - _MOST_NAMES} more" if len(files) > _MOST_NAMES else ""
            yield replace(change, remark=", ".join(files[:_MOST_NAMES]) + more)
        else:
            yield change
