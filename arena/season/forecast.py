"""The forecast of a league: how much is left, how even it is, when verdicts are possible, how long it takes.

It is one for closed and open leagues, from the league's file, the folders of its bots and what is stored. It
stores nothing and starts no bot. How long a match takes it knows from the matches of the season; else
`arena.runner.trial` plays sessions.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from statistics import fmean

from arena.bot.snapshot import folder_digest, naming
from arena.conduct.balance import Balance, certificate
from arena.conduct.exclusion import disqualified, out_in
from arena.errors import StoreError
from arena.league.cycles import FirstVerdicts, cycles_of, first_verdicts
from arena.league.house import field_of, house_bot, house_folder, is_house
from arena.league.model import BotSection
from arena.league.reader import LoadedLeague
from arena.league.season import Change
from arena.league.versions import started_by
from arena.schedule import (
    LineUps,
    PhaseField,
    Plan,
    Schedule,
    Session,
    canonical_json,
    season_digest,
)
from arena.score.counting import ENOUGH_SESSIONS, LEAST_CYCLES, eligible, sessions_of_each
from arena.score.entry_ids import bot_of
from arena.score.results import SessionResult
from arena.season.agenda import OVER
from arena.season.decide import is_settled, too_few_from
from arena.season.open_field import LEAST_RANKED, Ahead, ahead, house_entries, look
from arena.season.opening import Opening, Way, now_ms, opening, plan_of
from arena.season.phases import owed
from arena.season.stages import Staged, staged
from arena.store import read
from arena.store.acts import closing
from arena.store.database import Database, is_there
from arena.store.scoring import scored
from arena.store.stored_season import StoredSeason, closed_plan, open_plan, with_house
from arena.store.views import Entry, Role, SeasonView

MOST_SESSIONS_COUNTED = 20_000
"""The sessions whose balance is counted. Of a longer plan only the first whole cycles are counted, at least
one."""


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a league or of a part of it."""

    cycles: int
    sessions: int
    matches: int


@dataclass(frozen=True, slots=True)
class Player:
    """A bot that is to play: how it is started, and the folder with its files."""

    section: BotSection
    folder: Path


@dataclass(frozen=True, kw_only=True)
class Forecast:
    """The forecast of a league, or of its stage that is played now; of an open one, of one phase.

    That is the phase that was begun, else the next one if nobody changes.

    `season`: the season that is played; None where the file does not fit the stored one. `goes_on`: whether
    it is stored. `changes`: what keeps the file from continuing the stored one. `begins`: the reason with
    which a run begins another season because of them; empty where it does not unasked. `ended`: why nothing
    more is played, else empty. `begun`: the number of the phase that was begun and is not over, if any.

    `cycles`: those that are planned. `over`: how many sessions of each cycle are over. `left`: how many are
    left of each that is not. `bots`: ids by their numbers. `ranked`: who is compared. `players`: who plays
    what is left, by id. `verdicts`: when they become possible, which may be after the last cycle; None if
    never. `match_seconds`: how long the season's matches took one referee so far, the mean; of several tables
    at once a match has its share. None where none was finished.

    `ahead`: who comes to an open league, leaves and waits.
    """

    stage: Staged
    plan: Schedule
    cycles: range
    over: Counter[int]
    left: Mapping[int, int]
    bots: Mapping[int, str]
    ranked: frozenset[str]
    players: Mapping[str, Player]
    verdicts: FirstVerdicts | None
    ended: str
    season: int | None = None
    goes_on: bool = False
    changes: tuple[Change, ...] = ()
    begins: str = ""
    begun: int | None = None
    match_seconds: float | None = None
    ahead: Ahead | None = None

    @property
    def loaded(self) -> LoadedLeague:
        """Return the league of the stage."""
        return self.stage.loaded

    @property
    def kind(self) -> str:
        """Return which line-ups there are: "all", "balanced", "gauntlet" or "duel"."""
        if not isinstance(self.plan, Plan):
            return LineUps.BALANCED.value
        return "duel" if self.plan.field.is_duel else self.plan.resolved.value

    @property
    def cycles_over(self) -> int:
        """Return how many of the cycles are over."""
        return sum(self.plan.sessions_in(cycle) <= self.over[cycle] for cycle in range(self.cycles.stop))

    @property
    def size_left(self) -> Size:
        """Return the size of what is not over."""
        return self._size(len(self.left), sum(self.left.values()))

    @property
    def size(self) -> Size:
        """Return the size of all planned cycles."""
        return self._size(len(self.cycles), sum(map(self.plan.sessions_in, self.cycles)))

    @property
    def size_of_cycle(self) -> Size:
        """Return the size of the last planned cycle."""
        return self._size(1, self.plan.sessions_in(max(0, self.cycles.stop - 1)))

    def _size(self, cycles: int, sessions: int) -> Size:
        return Size(cycles, sessions, sessions * self.plan.matches_per_session)

    @property
    def next_sessions(self) -> tuple[Session, ...]:
        """Return the sessions of the first cycle of which any is left."""
        return self.plan.cycle(min(self.left)) if self.left else ()

    @property
    def reaches_verdicts(self) -> bool:
        """Return whether the planned cycles are enough for verdicts."""
        return self.verdicts is not None and self.verdicts.cycles <= self.cycles.stop

    @cached_property
    def balance(self) -> tuple[int, Balance]:
        """Return how even the first so many planned cycles are."""
        whole, first = self.size, self.cycles.start
        cycles = min(whole.cycles, max(1, MOST_SESSIONS_COUNTED * whole.cycles // max(1, whole.sessions)))
        rows = (
            (tuple(self.bots[bot] for bot in row), self.loaded.league.league.rounds)
            for cycle in range(first, first + cycles)
            for session in self.plan.cycle(cycle)
            for row in session.rows
        )
        present = {self.bots[bot] for bot in self.plan.present(max(0, self.cycles.stop - 1))}
        everybody = present if self.ahead else set(self.bots.values())
        candidates = self.ranked if self.kind == LineUps.GAUNTLET else ()
        return cycles, certificate(rows, everybody, candidates, everybody - present)

    def seconds(self, match_seconds: float, jobs: int | None) -> float:
        """Return how long what is left takes at this pace; `jobs` as in `referees`."""
        return self.size_left.matches * match_seconds / self.referees(jobs)

    def referees(self, jobs: int | None) -> int:
        """Return how many referees play what is left; `jobs` as on the command line of a run."""
        return referee_count(jobs, self.size_left.sessions)


def referee_count(jobs: int | None, sessions: int) -> int:
    """Return how many referees play so many sessions; `jobs` as on the command line of a run."""
    # A referee without a session would start for nothing.
    return max(1, min(jobs or len(os.sched_getaffinity(0)), sessions))


def forecast(loaded: LoadedLeague, new_season: bool = False) -> Forecast:
    """Return the forecast for a league file; `new_season`: of another season than the stored one.

    Raises UsageError when there is no schedule for its field, BotFolderError when a bot's folder cannot be
    read, StoreError when its database cannot be read.
    """
    if not is_there(loaded.database):
        return _of_new(_opening(loaded, None), 1)
    with Database.open(loaded.database, read_only=True) as database:
        newest = read.stored_season(database)
        if newest is None or new_season:
            return _of_new(_opening(loaded, None), 1 if newest is None else newest.view.number + 1)
        return _of_stored(_opening(loaded, newest), newest, database)


@dataclass(frozen=True, slots=True)
class _Stored:
    """What is stored of a season that goes on, or that its document would be: then nothing is played yet."""

    season: StoredSeason
    results: Sequence[SessionResult] = ()
    over: Counter[int] = field(default_factory=Counter)
    settled: bool = False


def _opening(loaded: LoadedLeague, stored: StoredSeason | None) -> Opening:
    """Return what a run would make of the stored season."""
    stage = staged(loaded, None if stored is None else stored.view)
    league, digests = stage.loaded.league, dict(stage.digests)
    for bot in () if league.league.open else field_of(league):
        with naming(bot.id):
            digests[bot.id] = digests.get(bot.id) or folder_digest(stage.loaded.bot_folder(bot))
    return opening(stage, digests, stored)


def _of_new(found: Opening, number: int | None, gone: Collection[str] = ()) -> Forecast:
    """Return the forecast of a season that begins.

    `number`: its own, None where it does not begin. `gone`: the bots that are out from its beginning.
    """
    stage, document = found.stage, found.document
    if found.league.league.open:
        seen = _open(stage, _Stored(StoredSeason(_nothing_stored(stage.loaded, document), ())))
    else:
        seen = _closed(stage, plan_of(stage.loaded, season_digest(document)), None, gone)
    return replace(seen, season=number, changes=found.changes)


def _of_stored(found: Opening, season: StoredSeason, database: Database) -> Forecast:
    """Return the forecast of the newest season, or of what a run would play instead of it."""
    view, league = season.view, found.league
    if found.way is Way.BEGINS_ANEW:
        # What was ruled holds also in a season that begins anew.
        return _of_new(found, view.number, disqualified(season.rulings))
    if found.way is not Way.GOES_ON:
        return replace(_of_new(found, None), begins=found.why)
    states = read.session_states(database, view.number)
    stored = _Stored(
        season,
        tuple(read.session_results(database, view.number)),
        Counter(cycle for (cycle, _), state in states.items() if state in OVER),
        is_settled(season, league.schedule.stop, lambda: scored(database, view)),
    )
    matches = read.matches(database, view.number)
    spent = [one.finished_at - one.started_at for one in matches if one.finished_at is not None]
    stage = found.stage
    seen = _open(stage, stored) if view.open else _closed(stage, closed_plan(view, season.rulings), stored)
    return replace(
        seen,
        season=view.number,
        goes_on=True,
        begun=view.unfinished.number if view.unfinished else None,
        match_seconds=fmean(spent) / 1000 / league.process.tables if spent else None,
    )


def _closed(stage: Staged, plan: Plan, stored: _Stored | None, gone: Collection[str] = ()) -> Forecast:
    """Return the forecast of a closed season; `stored` where it goes on, `gone` as in `_of_new`."""
    league = stage.loaded.league
    bots, end = field_of(league), cycles_of(league)
    rulings = stored.season.rulings if stored else ()
    over = stored.over if stored else Counter[int]()
    ended, last = "", end
    if stored and stored.settled:
        ended, last = "it is settled", 0
    elif stored and (few := too_few_from(stored.season.view, rulings)) is not None:
        ended, last = f"{few[1]}; arena reinstate lets a bot play again", min(end, few[0])
    left = _left(plan, range(last), over)
    present = plan.present(max(0, last - 1))
    sits = {
        bots[number].id
        for cycle in left
        for number in plan.present(cycle)
        if bots[number].id not in out_in(rulings, cycle)
    }.difference(gone)
    ids = {number: bot.id for number, bot in enumerate(bots)}
    ranked = frozenset(bots[number].id for number in present if bots[number].role == "entrant")
    staying = [bot for number, bot in enumerate(bots) if number in present]
    return Forecast(
        stage=stage,
        plan=plan,
        cycles=range(end),
        over=over,
        left=left,
        bots=ids,
        ranked=ranked,
        players={bot.id: Player(bot, stage.folder_of(bot)) for bot in bots if bot.id in sits},
        verdicts=first_verdicts(league.model_copy(update={"bots": tuple(staying)})),
        ended=ended,
    )


def _open(stage: Staged, stored: _Stored) -> Forecast:
    """Return the forecast of an open season, if nobody comes, changes or leaves."""
    view, league = stored.season.view, stage.loaded.league
    seen = ahead(
        stored.season, look(stage.loaded, stored.season.view), (now_ms(), league.schedule.version_hours)
    )
    act, plan, cycles = closing(stored.season.acts, view.number), open_plan(view), cycles_of(league)
    ranked = frozenset(entry.bot for entry in seen.field.entries if entry.role is Role.ENTRANT)
    entries: tuple[Entry, ...] = ()
    if act is None and len(ranked) >= LEAST_RANKED:
        house = house_entries(view, seen.field.entries, folder_digest(house_folder()), 0)
        entries = (*seen.field.entries, *house)
    numbers = {entry.bot: entry.number for entry in entries}
    whole = plan
    if entries and view.unfinished is None:
        behind = owed(view, plan, sorted(entries, key=lambda entry: entry.number), cycles, stored.results)
        block = tuple((numbers[bot], sessions) for bot, sessions in behind)
        following = PhaseField(plan.cycles, cycles + bool(block), tuple(sorted(numbers.values())), block)
        whole = plan.going_on([*plan.phases, following])
    first = view.phases[-1].first_cycle if view.unfinished else plan.cycles
    planned = range(first, whole.cycles)
    known = {entry.number: entry for entry in (*view.entries, *entries)}
    ids = {number: entry.bot for number, entry in known.items()}
    left = _left(whole, planned, stored.over)
    ranked = ranked if entries else frozenset()
    sits = sorted({number for cycle in planned for number in whole.present(cycle)})
    return Forecast(
        stage=stage,
        plan=whole,
        cycles=planned,
        over=stored.over,
        left=left,
        bots=ids,
        ranked=ranked,
        players={ids[number]: _entered(stage, known[number]) for number in sits},
        verdicts=_further(view, ranked, min(left, default=whole.cycles), stored.results),
        ended="" if act is None else f"{act.reason}; no further phase is played",
        ahead=seen,
    )


def _left(plan: Schedule, cycles: range, over: Counter[int]) -> dict[int, int]:
    """Return how many sessions are left to play of each of these cycles that is not over."""
    left = {cycle: plan.sessions_in(cycle) - over[cycle] for cycle in cycles}
    return {cycle: sessions for cycle, sessions in left.items() if sessions > 0}


def _further(
    view: SeasonView, ranked: Collection[str], cycles: int, results: Sequence[SessionResult]
) -> FirstVerdicts | None:
    """Return when the verdicts of an open season become possible, if everybody plays on in whole cycles.

    None where too few are `ranked`. `cycles`: those that are over.
    """
    if len(ranked) < LEAST_RANKED:
        return None
    counting = eligible(results, with_house(view, ranked))
    counts = sessions_of_each(counting)
    second = sorted(counts[bot] for bot in ranked)[-LEAST_RANKED]
    further = max(0, LEAST_CYCLES - cycles, -(-(ENOUGH_SESSIONS - second) // view.seats))
    sessions = len(counting) + further * max(len(ranked), view.seats)
    return FirstVerdicts(cycles + further, sessions, second + further * view.seats)


def _nothing_stored(loaded: LoadedLeague, document: Mapping[str, object]) -> SeasonView:
    """Return an open season of which nothing is stored."""
    seats, rounds = loaded.league.league.seats, loaded.league.league.rounds
    digest, kind = season_digest(document), LineUps.BALANCED.value
    text = canonical_json(document)
    return SeasonView(0, text, digest, "", kind, seats, rounds, seats, seats, seats, "", "", (), 1, ())


def _entered(stage: Staged, entry: Entry) -> Player:
    """Return how an entry of an open league is started: from its copy, or from its folder as it is now."""
    if is_house(bot_of(entry.bot)):
        number = int(entry.name.removeprefix("House ").partition(" ")[0])
        return Player(house_bot(number), house_folder())
    known = {"id": bot_of(entry.bot), "name": entry.name, "folder": entry.folder}
    try:
        section = started_by(known, entry.version)
    except ValueError as error:
        raise StoreError(f"The version of {entry.bot} cannot be read: {error}") from error
    copy = stage.copy_of(entry.digest)
    return Player(section, copy if copy.is_dir() else stage.loaded.root / entry.folder)
