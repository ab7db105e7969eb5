"""Opens what is played: a season, its phases, the stage after it. Copies bots and stores; plays nothing.

What is to be opened `arena.season` says, from a league file, its bots' folders and what is stored. Here the
store is asked before that and told after it. An open season's phases begin in `arrivals`.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass

from arena.bot.launch import NICE, BotCommand
from arena.bot.snapshot import Snapshot, is_intact, naming, take_snapshot
from arena.deals import SECRET_BYTES, PhaseDeals, phase_key
from arena.errors import BotFolderError, SeasonChanged
from arena.league.cycles import cycles_of
from arena.league.house import field_of
from arena.league.model import BotSection
from arena.league.reader import LoadedLeague
from arena.schedule import Schedule
from arena.season.decide import is_settled, why_cut_short
from arena.season.opening import Opening, Way, now_ms, opening, who
from arena.season.phases import closed_phase
from arena.season.stages import LEAST_BOTS, Staged, decided, following, is_over, keep_after, staged, told
from arena.store import read, write
from arena.store.database import Database
from arena.store.history import LogLine
from arena.store.scoring import scored
from arena.store.stage import Decision, Stage, stage_of
from arena.store.stored_season import StoredSeason, season_plan
from arena.store.views import PhaseView, SeasonView, SessionState


@dataclass(frozen=True, slots=True)
class OpenSeason:
    """A season that can be played: what is fixed, and how its bots are started.

    `loaded`: the league of its stage. `plan`: by the rulings that were made before the run. `remark`: what
    was done besides opening it, for people; empty for nothing.
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


def season_now(database: Database) -> StoredSeason:
    """Return the newest season as it is stored now; there must be one."""
    stored = read.stored_season(database)
    assert stored is not None, "a season is open"
    return stored


# A season


def open_season(loaded: LoadedLeague, database: Database, why: str | None = None) -> OpenSeason:
    """Return the season that this league file means: the stored one, or a new one if there is none.

    `why`: why a new season is begun even if there is one. Raises SeasonChanged, naming each key, when the
    file does not fit the stored season; BotFolderError; UsageError.
    """
    stored = read.stored_season(database)
    stage = staged(loaded, None if stored is None or why is not None else stored.view)
    copies = _copies(stage)
    found = opening(stage, {bot: copy.digest for bot, copy in copies.items()}, stored, why)
    remark = _store(found, stored, database)
    now, league = season_now(database), found.stage.loaded
    commands = tuple(bot_command(league, bot, copies[bot.id]) for bot in _fixed(league))
    return OpenSeason(league, now.view, season_plan(now.view, now.rulings), commands, remark)


def _store(found: Opening, stored: StoredSeason | None, database: Database) -> str:
    """Store what opens a season. Return what was done, for people, unless it was asked for."""
    act, drawn, remark = (now_ms(), who()), secrets.token_hex(SECRET_BYTES), ""
    if stored is None or found.way is Way.BEGINS:
        write.open_season(database, found.season(act, drawn), found.free_keys)
        if stored is None or not found.changes:
            return ""
        number = stored.view.number
        return f"season {number + 1} begins, for season {number} is over: {found.why}"
    number = stored.view.number
    if found.way is Way.REFUSED:
        raise SeasonChanged(found.refusal(number))
    if found.way is Way.BEGINS_ANEW:
        write.begin_anew(database, number, found.season(act, drawn))
        changes = "; ".join(change.text for change in found.changes)
        remark = f"season {number} begins anew, for nothing of it was played: {changes}"
        write.log(database, LogLine(act[0], "info", "season", remark))
    else:
        write.describe(database, number, found.entries)
    for note in found.notes(stored, act):
        write.action(database, note)
    return remark


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


def bot_command(loaded: LoadedLeague, bot: BotSection, copy: Snapshot) -> BotCommand:
    """Return how a bot is started from a copy of its folder."""
    league = loaded.league
    return BotCommand(
        bot=bot.id,
        argv=bot.command,
        folder=str(copy.path.resolve()),
        start_ms=league.time.start_ms,
        nice=NICE,
        memory_mib=league.sandbox.memory_mib,
        cpu_ms=league.match_cpu_ms(bot),
        threads=bot.threads,
        cores=tuple(sorted(os.sched_getaffinity(0))) if bot.threads > 1 else (),
        build=bot.build,
    )


# A phase


def open_phase(season: OpenSeason, database: Database) -> tuple[PhaseView, PhaseDeals] | None:
    """Return the phase of a closed season to play and its deals, or None when nothing is left to play.

    If the last phase has ended, a new one is opened. Its deals are committed to here, before its first
    match.
    """
    if (unfinished := unfinished_phase(database)) is not None:
        return unfinished
    stored = season_now(database)
    if _is_settled(season, stored, database):
        return None
    new = closed_phase(stored, season.loaded, secrets.token_bytes(SECRET_BYTES), now_ms())
    if new is None:
        return None
    write.open_phase(database, new)
    # Read again, so that a phase is played as it was stored, whether it is new or resumed.
    return unfinished_phase(database)


def why_nothing_is_left(season: OpenSeason, database: Database) -> str:
    """Return what to tell when `open_phase` finds nothing to play although more was asked for.

    Empty if everything was played, or the league is settled.
    """
    stored = season_now(database)
    if _is_settled(season, stored, database):
        return ""
    return why_cut_short(stored.view, stored.rulings, season.cycles)


def _is_settled(season: OpenSeason, stored: StoredSeason, database: Database) -> bool:
    stop = season.loaded.league.schedule.stop
    return bool(stored.view.phases) and is_settled(stored, stop, lambda: scored(database, stored.view))


def unfinished_phase(database: Database) -> tuple[PhaseView, PhaseDeals] | None:
    """Return the phase that was begun and has not ended, and its deals; None if there is none."""
    phase = season_now(database).view.unfinished
    if phase is None:
        return None
    secret = read.phase_secret(database, phase.season, phase.number)
    return phase, PhaseDeals(phase_key(secret, phase.public_draw))


# The stage that follows


def begin_next_stage(loaded: LoadedLeague, database: Database, say: Callable[[str], None]) -> bool:
    """Begin the stage after the newest season's, if that is over; return whether there is one to play.

    `loaded`: the whole league. `say` is told who goes on. Raises what opening a season raises.
    """
    stored = season_now(database)
    season, stage = stored.view, stage_of(stored.view)
    if stage is None or stage.number == stage.of or not is_over(stored):
        return False
    decision = _decision(loaded, season, stage, database)
    while len(decision.going_on) >= LEAST_BOTS:
        if _begin_stage(following(loaded, season, decision), database, decision.acts):
            break
        # Somebody ruled, or made a session void, meanwhile.
        decision = _decision(loaded, season, stage, database)
    for line in told(stage, decision, {entry.bot: entry.name for entry in season.entries}):
        say(line)
    if len(decision.going_on) < LEAST_BOTS:
        say("a stage takes two bots, so the league is over")
        return False
    return True


def _begin_stage(stage: Staged, database: Database, acts: int) -> bool:
    """Store the season of a stage that follows from so many acts, unless there are others by now."""
    digests = {bot: copy.digest for bot, copy in _copies(stage).items()}
    found = opening(stage, digests, None, f"{len(stage.digests)} bots went on to it")
    new = found.season((now_ms(), who()), secrets.token_hex(SECRET_BYTES))
    return bool(write.open_season(database, new, found.free_keys, acts))


def _decision(loaded: LoadedLeague, season: SeasonView, stage: Stage, database: Database) -> Decision:
    """Decide who goes on, by what counts now."""
    acts = len(read.actions(database))  # first, so that no act is counted that came while it was decided
    score = scored(database, season)
    states = read.session_states(database, season.number)
    void = [key for key, state in sorted(states.items()) if state is SessionState.VOIDED]
    keep = keep_after(loaded.league, stage.number)
    return decided(season, keep, (score.scoring, score.results), (void, acts))
