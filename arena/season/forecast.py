"""The forecast of a league: the size of its schedule, how even it is, and how long it takes to play.

Stores nothing and starts none of the league's bots. Where no match was played yet, the time is estimated from
a few matches that one of the arena's own sample bots plays for the forecast, and from the clocks.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import count

from arena.bench.driven import Driven, Seated
from arena.bench.programs import Language
from arena.bot.launch import BotCommand
from arena.bot.missing import what_is_missing
from arena.bot.snapshot import folder_digest, naming
from arena.conduct.balance import Balance, certificate
from arena.conduct.disqualify import Ruling, disqualified, out_in
from arena.league.cycles import FirstVerdicts, cycles_of, first_verdicts
from arena.league.house import field_of, house_folder
from arena.league.model import BotSection, ProcessSection
from arena.league.reader import LoadedLeague
from arena.league.season import Change, season_document
from arena.papayoo import hand_size
from arena.schedule import Plan, season_digest
from arena.season.agenda import OVER
from arena.season.changed import changes_since, may_begin_anew, why_another
from arena.season.kept_cycles import kept_cycles, with_cycles
from arena.season.opening import plan_of
from arena.season.staged import Staged, stage_now
from arena.season.stretches import is_settled
from arena.season.too_few import too_few_from
from arena.standings.form import LEAST_CYCLES
from arena.standings.verdicts import MIN_SESSIONS, MIN_SESSIONS_A_BOT
from arena.store import read
from arena.store.database import Database, is_there
from arena.store.planned import closed_plan
from arena.store.views import SeasonView

__all__ = ["Basis", "Duration", "Forecast", "Size", "forecast", "referee_count"]

MOST_SESSIONS_COUNTED = 20_000
"""The sessions whose balance is counted. Of a longer plan only the first whole cycles are counted, at least
one."""
_SAMPLE = "sharp"
"""The sample bot of the estimate: the slowest one in Python, apart from the one that looks ahead."""


class Basis(Enum):
    """The source of an estimate of time."""

    MEASURED = "the matches of this league so far"
    SAMPLE = "measured in one session on this machine"


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a league or of a part of it."""

    cycles: int
    sessions: int
    matches: int
    rounds: int
    decisions: int


@dataclass(frozen=True, slots=True)
class Duration:
    """An estimate of the play that is left with `jobs` referees.

    `seconds`: the estimate. `most_seconds`: the most that the clocks allow. Starting the bots is included
    where no match of the league was measured yet; writing the pages is not included.
    """

    basis: Basis
    seconds: float
    most_seconds: float
    jobs: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """The forecast of a league, or of its stage that is played now.

    `season`: the stored season that the file continues, or that begins anew because nothing of it was played,
    or None where it begins a season. `changes`: what keeps the file from continuing the stored season.
    `begins`: the reason with which a new season begins because of them; empty where none does unasked.
    `kind`: "all", "balanced", "gauntlet" or "duel".
    `house`: the names of the bots that are added to fill the table. `settled`: whether the league has ended
    because it is settled; nothing is left to play then. `broken_off`: why too few bots are left to play all
    of it, else empty. `departed`: the names of the bots that are not in the field of the cycles to come.
    `unready`: the bots that could not be started, by id, with what they miss, as far as that is seen without
    starting them. `a_cycle`, `whole`, `left`: the sizes of the next cycle, of all, and of what is not over.
    `verdicts`: when verdicts become possible, which may be after the last cycle; None if nobody is compared.
    `balance`: that of the first `balance_cycles` planned cycles.
    """

    loaded: LoadedLeague
    stage: Staged
    season: int | None
    changes: tuple[Change, ...]
    begins: str
    kind: str
    house: tuple[str, ...]
    settled: bool
    broken_off: str
    departed: tuple[str, ...]
    unready: Mapping[str, str]
    a_cycle: Size
    whole: Size
    left: Size
    verdicts: FirstVerdicts | None
    duration: Duration
    balance: Balance[str]
    balance_cycles: int

    @property
    def reaches_verdicts(self) -> bool:
        """Return whether the planned cycles are enough for verdicts."""
        return self.verdicts is not None and self.verdicts.cycles <= self.whole.cycles


def forecast(loaded: LoadedLeague, jobs: int | None = None) -> Forecast:
    """Return the forecast for a league file; `jobs` as on the command line of a run.

    Raises UsageError when there is no schedule for its field, BotFolderError when a bot's folder cannot be
    read, StoreError when its database cannot be read.
    """
    stage = stage_now(loaded)
    loaded, league = stage.loaded, stage.loaded.league
    field = field_of(league)
    stored = _stored(loaded)
    document = season_document(league, {bot.id: _digest(stage, bot) for bot in field})
    kept = with_cycles(loaded, stored.cycles if stored else 0)
    changes = changes_since(stored.view, document, kept) if stored else ()
    goes_on = stored if not changes else None
    plan = goes_on.plan if goes_on else plan_of(loaded, season_digest(document))
    loaded = kept if goes_on else with_cycles(loaded)
    planned = cycles_of(loaded.league)
    open_cycles = _open_cycles(plan, planned, goes_on)
    left = _size(plan, loaded, len(open_cycles), sum(open_cycles.values()))
    cycles = max(1, min(planned, MOST_SESSIONS_COUNTED // plan.sessions_per_cycle))
    return Forecast(
        loaded=loaded,
        stage=stage,
        season=stored.view.number if stored and (goes_on or stored.is_empty) else None,
        changes=changes,
        begins=why_another(stored.view, changes, loaded) if stored and not stored.is_empty else "",
        kind="duel" if plan.field.is_duel else plan.resolved.value,
        house=tuple(bot.name for bot in field[len(league.bots) :]),
        settled=goes_on is not None and goes_on.settled,
        broken_off=goes_on.too_few[1] if goes_on and goes_on.too_few else "",
        departed=_departed(plan, [bot.name for bot in field], open_cycles),
        unready=_unready(stage, _starters([bot.id for bot in field], plan, stored, goes_on, open_cycles)),
        a_cycle=_size(plan, loaded, 1, plan.sessions_in(min(open_cycles, default=0))),
        whole=_size(plan, loaded, planned, plan.sessions_before(planned)),
        left=left,
        verdicts=_verdicts(loaded, plan),
        duration=_duration(loaded, plan, left, goes_on, jobs),
        balance=_balance(plan, [bot.id for bot in field], league.league.rounds, cycles),
        balance_cycles=cycles,
    )


def _digest(stage: Staged, bot: BotSection) -> str:
    with naming(bot.id):
        return stage.digests.get(bot.id) or folder_digest(stage.loaded.bot_folder(bot))


@dataclass(frozen=True, slots=True)
class _Stored:
    """The newest season as the database has it. `match_ms`: how long each finished match took."""

    view: SeasonView
    over: frozenset[tuple[int, int]]
    match_ms: tuple[int, ...]
    settled: bool
    too_few: tuple[int, str] | None
    cycles: int
    is_empty: bool
    rulings: tuple[Ruling, ...]
    plan: Plan


def _stored(loaded: LoadedLeague) -> _Stored | None:
    if not is_there(loaded.database):
        return None
    with Database.open(loaded.database, read_only=True) as database:
        view = read.current_season(database)
        if view is None:
            return None
        states = read.session_states(database, view.number)
        over = frozenset(key for key, state in states.items() if state in OVER)
        ended = [(match.started_at, match.finished_at) for match in read.matches(database, view.number)]
        settled = is_settled(loaded, view, database)
        rulings = read.rulings(database, view.number)
        return _Stored(
            view=view,
            over=over,
            match_ms=tuple(finished_at - at for at, finished_at in ended if finished_at is not None),
            settled=settled,
            too_few=too_few_from(view, rulings),
            cycles=kept_cycles(view, database),
            is_empty=may_begin_anew(view, database),
            rulings=rulings,
            plan=closed_plan(view, rulings),
        )


def _starters(
    bots: Sequence[str],
    plan: Plan,
    stored: _Stored | None,
    goes_on: _Stored | None,
    open_cycles: Iterable[int],
) -> frozenset[str]:
    """Return the bots that a run starts: those that sit in a cycle that is left to play."""
    if goes_on is None:
        # What was ruled holds also in a season that begins anew.
        return frozenset(bots).difference(disqualified(stored.rulings) if stored and stored.is_empty else ())
    return frozenset(
        bots[number]
        for cycle in open_cycles
        for number in plan.present(cycle)
        if bots[number] not in out_in(goes_on.rulings, cycle)
    )


def _unready(stage: Staged, starters: Collection[str]) -> dict[str, str]:
    """Return what each of these bots misses that misses something."""
    missing = {
        bot.id: what_is_missing(BotCommand(bot.id, bot.command, str(stage.folder_of(bot)), build=bot.build))
        for bot in field_of(stage.loaded.league)
        if bot.id in starters
    }
    return {bot: why for bot, why in missing.items() if why is not None}


def _open_cycles(plan: Plan, cycles: int, stored: _Stored | None) -> dict[int, int]:
    """Return how many sessions are left to play of each cycle that is not over."""
    if stored is not None and stored.settled:
        return {}
    if stored is not None and stored.too_few is not None:
        cycles = min(cycles, stored.too_few[0])
    over = Counter(cycle for cycle, _ in stored.over) if stored else Counter[int]()
    left = {cycle: plan.sessions_in(cycle) - over[cycle] for cycle in range(cycles)}
    return {cycle: sessions for cycle, sessions in left.items() if sessions > 0}


def _departed(plan: Plan, names: Sequence[str], open_cycles: Mapping[int, int]) -> tuple[str, ...]:
    """Return the names of the bots that do not play in the last cycle that is left to play."""
    present = plan.present(max(open_cycles, default=0))
    return tuple(name for number, name in enumerate(names) if number not in present)


def _verdicts(loaded: LoadedLeague, plan: Plan) -> FirstVerdicts | None:
    """Return when verdicts become possible, also for a field that bots have left."""
    planned = first_verdicts(loaded.league)
    if planned is None or not plan.departed:
        return planned
    bots = field_of(loaded.league)
    sessions, of_each = 0, Counter[int]()
    for cycle in count():
        present, size = plan.present(cycle), plan.sessions_in(cycle)
        if not size:
            return None
        sessions += size
        of_each.update(dict.fromkeys(present, size * plan.field.seats // len(present)))
        ranked = [bot for bot in present if bots[bot].role == "entrant"]
        fewest = min((of_each[bot] for bot in ranked), default=0)
        enough = sessions >= MIN_SESSIONS and fewest >= MIN_SESSIONS_A_BOT and cycle + 1 >= LEAST_CYCLES
        if enough and cycle >= max(plan.departed, default=0):
            return FirstVerdicts(cycle + 1, sessions, min(of_each[bot] for bot in present))
    raise AssertionError("cycles have no end")


def _size(plan: Plan, loaded: LoadedLeague, cycles: int, sessions: int) -> Size:
    seats = loaded.league.league.seats
    matches = sessions * plan.matches_per_session
    rounds = matches * loaded.league.league.rounds
    decisions = rounds * seats * (1 + hand_size(seats))
    return Size(cycles, sessions, matches, rounds, decisions)


def _duration(
    loaded: LoadedLeague, plan: Plan, left: Size, stored: _Stored | None, jobs: int | None
) -> Duration:
    league = loaded.league
    at_once = referee_count(league.process, jobs, left.sessions)
    clocks = left.decisions * league.time.move_seconds
    clocks += left.matches * league.league.seats * league.time.bank_seconds
    spent = stored.match_ms if stored else ()
    if spent:
        basis, seconds = Basis.MEASURED, left.matches * sum(spent) / len(spent) / 1000 / at_once
    else:
        decision, start = _sample(league.league.seats)
        starts = _starts(loaded, plan, -(-left.matches // at_once))
        basis, seconds = Basis.SAMPLE, left.decisions * decision / at_once + starts * start
    return Duration(basis, seconds, clocks / at_once, at_once)


def referee_count(process: ProcessSection, jobs: int | None, sessions: int) -> int:
    """Return how many referees play so many sessions; `jobs` as on the command line of a run."""
    asked = len(os.sched_getaffinity(0)) if process.jobs == "auto" else process.jobs
    # A referee without a session would start for nothing.
    return max(1, min(jobs or asked, sessions))


def _starts(loaded: LoadedLeague, plan: Plan, matches: int) -> int:
    """Return how many processes start one after another: the roll call, a referee, its bots for `matches`."""
    seats, bots = plan.field.seats, plan.field.bots
    played = matches * seats
    # Replica g of a bot serves match g of every session, so a bot has as many processes as a session matches.
    kept = min(max(bots, seats) * plan.matches_per_session, played)
    return bots + 1 + (played if loaded.league.process.fresh_process else kept)


def _sample(seats: int) -> tuple[float, float]:
    """Return the seconds that the sample bot takes for a decision, and for its start, on one core."""
    folder = house_folder().with_name(_SAMPLE)
    bot = BotCommand(_SAMPLE, ("{python}", "bot.py"), str(folder), nice=10)
    begun = time.perf_counter()
    seated = Seated(Language("python", bot, ()), seats, min(os.sched_getaffinity(0)), one_process=True)
    with Driven(seated) as table:
        ready = time.perf_counter() - begun
        played = table.play(1)
    session = played.wall_us / 1e6
    return session / played.decisions, max(0.0, ready - session) / (1 + seats)


def _balance(plan: Plan, bots: Sequence[str], rounds: int, cycles: int) -> Balance[str]:
    rows = (
        (tuple(bots[number] for number in row), rounds)
        for cycle in range(cycles)
        for session in plan.cycle(cycle)
        for row in session.rows
    )
    present = plan.present(cycles - 1)
    departed = [bot for number, bot in enumerate(bots) if number not in present]
    return certificate(rows, bots, [bots[number] for number in plan.field.candidates], departed)
