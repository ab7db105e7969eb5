"""The forecast of a league: how much is left, how even it is, when verdicts are possible, how long it takes.

It is one for closed and open leagues, and pure: what is to be played `arena.season.forecasting` finds out.
How long a match takes it knows from the matches of the season; else `arena.runner.trial` plays a session.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path

from arena.bot.launch import BotCommand
from arena.bot.missing import what_is_missing
from arena.conduct.balance import Balance, certificate
from arena.conduct.exclusion import Ruling
from arena.league.cycles import FirstVerdicts, cycles_of, first_verdicts
from arena.league.house import house_bot, schedule_field
from arena.league.model import BotSection, League, ProcessSection
from arena.league.reader import LoadedLeague
from arena.league.season import Change
from arena.league.stages import stage_league, stage_name
from arena.papayoo import hand_size
from arena.schedule import DecisionCycles, LineUps, Plan, Schedule, plan_decisions
from arena.season.ahead import Ahead
from arena.season.open_field import LEAST_RANKED
from arena.season.staged import Staged
from arena.standings.form import LEAST_CYCLES
from arena.standings.open_field import ENOUGH_SESSIONS
from arena.standings.results import SessionResult
from arena.standings.verdicts import MIN_SESSIONS, MIN_SESSIONS_A_BOT
from arena.store.history import Action
from arena.store.planned import decisions_of
from arena.store.views import SeasonView

__all__ = ["Forecast", "LaterStage", "Pace", "Player", "Size", "Stored", "referee_count", "sessions_left"]

MOST_SESSIONS_COUNTED = 20_000
"""The sessions whose balance is counted. Of a longer plan only the first whole cycles are counted, at least
one."""


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a league or of a part of it."""

    cycles: int
    sessions: int
    matches: int
    rounds: int
    decisions: int


@dataclass(frozen=True, slots=True)
class Pace:
    """How long matches take. `match_seconds`: a match of one referee, the mean; at several tables, its share.

    `start_seconds`: how long a referee takes beside that, once, mostly to start its bots.
    """

    match_seconds: float
    start_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Player:
    """A bot that is to play: how it is started, and the folder with its files."""

    section: BotSection
    folder: Path


@dataclass(frozen=True, slots=True)
class LaterStage:
    """A stage that is still to come. `may_end`: as in `Forecast`; None too where its field is not known."""

    name: str
    cycles: int
    may_end: int | None


@dataclass(frozen=True, slots=True)
class Stored:
    """The newest season as the database has it.

    `over`: how many sessions of each cycle are over. `match_ms`: how long each finished match took.
    `results`: of an open season only.
    """

    view: SeasonView
    rulings: tuple[Ruling, ...]
    actions: tuple[Action, ...]
    results: tuple[SessionResult, ...]
    over: Counter[int]
    match_ms: tuple[int, ...]
    settled: bool
    cycles: int
    is_empty: bool


@dataclass(frozen=True)
class Forecast:
    """The forecast of a league, or of its stage that is played now; of an open one, of one phase.

    That is the phase that was begun, else the next one if nobody changes. `season`: the season that is
    played; None where the file does not fit the stored one. `changes`: what keeps the file from continuing
    that; `begins`: the reason with which a run begins another season because of them, or empty where it does
    not unasked. `stored`: the season that goes on, if any. `ended`: why nothing more is played, else empty.

    `plan`: its cycles from `first` to before `end` are planned, those before `last` are played. `further`:
    the plan if the same field played on for ever. `bots`: ids by their numbers. `ranked`: who is compared.
    `players`: who plays what is left, by id. `departed`: the names of those who left the field. `ahead`: who
    comes to an open league, leaves and waits; `catch_up`: the sessions of its newcomers' block.
    """

    stage: Staged
    season: int | None
    changes: tuple[Change, ...]
    stored: Stored | None
    ended: str
    plan: Schedule
    further: Schedule
    first: int
    end: int
    last: int
    bots: Mapping[int, str]
    ranked: frozenset[str]
    players: Mapping[str, Player]
    departed: tuple[str, ...] = ()
    ahead: Ahead | None = None
    catch_up: Mapping[str, int] = field(default_factory=dict)
    begins: str = ""

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
    def begun(self) -> int | None:
        """Return the number of the phase that was begun and is not over; None if there is none."""
        phase = self.stored.view.unfinished if self.stored else None
        return None if phase is None else phase.number

    @property
    def cycles_over(self) -> int:
        """Return how many of the cycles are over."""
        over = self.stored.over if self.stored else {}
        return sum(self.plan.sessions_in(cycle) <= over.get(cycle, 0) for cycle in range(self.end))

    @property
    def measured(self) -> Pace | None:
        """Return the pace of the season's matches so far, if any was finished."""
        spent = self.stored.match_ms if self.stored else ()
        tables = self.loaded.league.process.tables
        return Pace(sum(spent) / len(spent) / 1000 / tables) if spent else None

    @cached_property
    def left(self) -> Size:
        """Return the size of what is not over."""
        left = sessions_left(self.plan, range(self.first, self.last), self.stored)
        return self._size(len(left), sum(left.values()))

    @cached_property
    def whole(self) -> Size:
        """Return the size of all planned cycles."""
        return self._size(self.end - self.first, sum(map(self.plan.sessions_in, range(self.first, self.end))))

    @property
    def a_cycle(self) -> Size:
        """Return the size of the last planned cycle."""
        return self._size(1, self.plan.sessions_in(max(0, self.end - 1)))

    def _size(self, cycles: int, sessions: int) -> Size:
        league = self.loaded.league.league
        matches = sessions * self.plan.matches_per_session
        rounds = matches * league.rounds
        return Size(cycles, sessions, matches, rounds, rounds * league.seats * (1 + hand_size(league.seats)))

    @property
    def line_up(self) -> tuple[str, ...]:
        """Return who sits in the first session that is left."""
        left = sessions_left(self.plan, range(self.first, self.last), self.stored)
        seated = self.plan.cycle(min(left))[0].line_up if left else ()
        return tuple(self.bots[bot] for bot in seated if self.bots[bot] in self.players)

    @cached_property
    def unready(self) -> dict[str, str]:
        """Return what each bot misses that cannot be started, as far as that is seen without starting it."""
        commands = [
            BotCommand(bot, player.section.command, str(player.folder), build=player.section.build)
            for bot, player in self.players.items()
        ]
        missing = {command.bot: what_is_missing(command) for command in commands}
        return {bot: why for bot, why in missing.items() if why is not None}

    @cached_property
    def verdicts(self) -> FirstVerdicts | None:
        """Return when verdicts become possible, which may be after the last cycle; None if never.

        Of the cycles of an open league that are over those sessions count that count in the score.
        """
        is_gauntlet = self.kind == LineUps.GAUNTLET
        if len(self.ranked) < (1 if is_gauntlet else LEAST_RANKED):
            return None
        sessions, of_each = 0, Counter[str]()
        # Each further cycle has a session of everybody, unless too few are left to play one.
        for cycle in range(self.end + MIN_SESSIONS):
            seated = self._seated(cycle)
            sessions += len(seated)
            of_each.update(chain.from_iterable(seated))
            of_ranked = sorted(of_each[bot] for bot in self.ranked)
            # An open league compares two as soon as both have enough; a closed one waits for all.
            fewest = of_ranked[-LEAST_RANKED if self.ahead else 0]
            enough = fewest >= (ENOUGH_SESSIONS if self.ahead else MIN_SESSIONS_A_BOT)
            enough = enough and bool(self.ahead or sessions >= MIN_SESSIONS)
            # A gauntlet compares its candidates within each session, and not from cycle to cycle.
            if enough and (is_gauntlet or cycle + 1 >= LEAST_CYCLES):
                return FirstVerdicts(cycle + 1, sessions, fewest)
        return None

    def _seated(self, cycle: int) -> list[Collection[str]]:
        """Return who sits in each session of a cycle that counts, or will."""
        # In a closed league all of them count, but for a few.
        if self.ahead and self.stored and self.stored.over[cycle] >= self.further.sessions_in(cycle):
            return [one.card_points.keys() for one in self.stored.results if one.cycle == cycle]
        return [[self.bots[bot] for bot in one.line_up] for one in self.further.cycle(cycle)]

    @property
    def reaches_verdicts(self) -> bool:
        """Return whether the planned cycles are enough for verdicts."""
        return self.verdicts is not None and self.verdicts.cycles <= self.end

    @property
    def may_end(self) -> int | None:
        """Return after which cycle it can end at the earliest because it is settled; None if it plays on."""
        view = self.stored.view if self.stored else None
        if view is not None and view.phases:
            decisions = decisions_of(view, view.phases[-1])
        else:
            decisions = plan_decisions(0, self.end or 1, max(1, self.plan.sessions_in(0)))
        return _may_end(self.loaded.league, self.verdicts, decisions)

    @cached_property
    def balance(self) -> tuple[int, Balance[str]]:
        """Return how even the first so many planned cycles are."""
        whole = self.whole
        cycles = min(whole.cycles, max(1, MOST_SESSIONS_COUNTED * whole.cycles // max(1, whole.sessions)))
        rows = (
            (tuple(self.bots[bot] for bot in row), self.loaded.league.league.rounds)
            for cycle in range(self.first, self.first + cycles)
            for session in self.plan.cycle(cycle)
            for row in session.rows
        )
        present = {self.bots[bot] for bot in self.plan.present(max(0, self.end - 1))}
        everybody = present if self.ahead else set(self.bots.values())
        candidates = self.ranked if self.kind == LineUps.GAUNTLET else ()
        return cycles, certificate(rows, everybody, candidates, everybody - present)

    def seconds(self, pace: Pace, jobs: int | None) -> float:
        """Return how long what is left takes at this pace; `jobs` as in `referees`."""
        return pace.start_seconds + self.left.matches * pace.match_seconds / self.referees(jobs)

    def most_seconds(self, jobs: int | None) -> float:
        """Return the most that the clocks allow for what is left."""
        league = self.loaded.league
        clocks = self.left.decisions * league.time.move_seconds
        clocks += self.left.matches * league.league.seats * league.time.bank_seconds
        return clocks / self.referees(jobs)

    def referees(self, jobs: int | None) -> int:
        """Return how many referees play what is left; `jobs` as on the command line of a run."""
        return referee_count(self.loaded.league.process, jobs, self.left.sessions)

    @property
    def later(self) -> tuple[LaterStage, ...]:
        """Return the stages that follow this one."""
        number, stages = self.stage.told.get("number"), self.loaded.league.stages
        following = range(number + 1, len(stages) + 1) if isinstance(number, int) else ()
        return tuple(_later(self.loaded.league, number) for number in following)


def referee_count(process: ProcessSection, jobs: int | None, sessions: int) -> int:
    """Return how many referees play so many sessions; `jobs` as on the command line of a run."""
    asked = len(os.sched_getaffinity(0)) if process.jobs == "auto" else process.jobs
    # A referee without a session would start for nothing.
    return max(1, min(jobs or asked, sessions))


def sessions_left(plan: Schedule, cycles: range, stored: Stored | None) -> dict[int, int]:
    """Return how many sessions are left to play of each of these cycles that is not over."""
    left = {cycle: plan.sessions_in(cycle) - (stored.over[cycle] if stored else 0) for cycle in cycles}
    return {cycle: sessions for cycle, sessions in left.items() if sessions > 0}


def _may_end(league: League, verdicts: FirstVerdicts | None, decisions: DecisionCycles) -> int | None:
    """Return after how many cycles verdicts can end a league at the earliest; None if they end none."""
    if league.schedule.stop != "settled" or verdicts is None:
        return None
    return max(verdicts.cycles, decisions.effect(decisions.end_after(verdicts.cycles - 1)))


def _later(league: League, number: int) -> LaterStage:
    keep, name = league.stages[number - 2].keep, stage_name(league, number)
    if not isinstance(keep, int):  # who goes on decides how many
        part = stage_league(league, number, ())
        return LaterStage(name, 0 if part.schedule.cycles == "auto" else part.schedule.cycles, None)
    bots = [house_bot(bot + 1).model_copy(update={"role": "entrant"}) for bot in range(keep)]
    part = stage_league(league, number, bots)
    cycles = cycles_of(part)
    sessions = max(1, schedule_field(part, "").sessions_per_cycle)
    decisions = plan_decisions(0, cycles, sessions)
    return LaterStage(name, cycles, _may_end(part, first_verdicts(part), decisions))
