"""Reads at once all that the pages need of one season. Apart from `website`, only it calls the database.

It reads and counts. What is shown of it, and how, is decided elsewhere.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from arena.conduct.exclusion import Ruling
from arena.errors import StoreError
from arena.match.faults import FaultKind
from arena.match.times import BotTimes
from arena.papayoo import pass_count
from arena.score.columns import Line
from arena.score.entry_ids import bot_of
from arena.score.table import Standings
from arena.score.verdicts import Look, NoLook
from arena.store import read
from arena.store.acts import Decision, FailedStart, closing, failed_starts, rulings_from
from arena.store.database import Database
from arena.store.history import FIELD, Action, HostView, LogLine
from arena.store.scoring import newcomers, noted_stop, scored
from arena.store.stage import StageView, season_title, stage_view
from arena.store.views import (
    Entry,
    FaultView,
    MatchState,
    MatchView,
    Progress,
    SeasonView,
    SessionView,
    is_over,
)
from reports.tally import BotTally, Tallies

EVERY_PAIR_UP_TO = 40
"""The number of bots up to which pages show every bot against every other, and every bot's course. A table of
40 by 40 can still be read; of 500 by 500 it cannot, and most of its cells are empty or chance."""

_MOMENTS = 8
"""The number of cycles after which the standing is shown: as many as fit on a page."""


@dataclass(frozen=True, slots=True)
class Penalties:
    """The cost of a fault, and the number of faults that ends a bot's match."""

    fault_points: int
    max_faults: int


@dataclass(frozen=True, slots=True)
class LeagueFacts:
    """A season of a league. `title`: what it is called. `matches`: the finished ones, by number.

    `stage`: which one of its league it is, None without stages. `ended`: another season has begun after it.
    `over`: nothing remains to be played, or it has ended. `closed`: why
    the organiser closed an open season, else empty. `margin`: points within which two bots count as level.
    `rulings`: who was excluded or reinstated, in that order; `out`: the bots that are out
    after all of them, each with its ruling; `ruled_at`: when each was ruled (milliseconds since 1970).
    `fault_counts` and `times` are by bot id and lack bots without any. `faults`: all in finished matches, in
    the order of the matches. `counts`: of every bot and every pair. `move_us`: the time for a pass
    or a play, in microseconds.
    `course`: the standings after some of the complete cycles, with their number, the first and the last
    among them. `troubles`: attempts at matches that were aborted or interrupted. `warnings`: those of the
    log since the season began, oldest first. `processes`: by bot id, how many finished the first match that
    they were started for. `news`: what happened to the
    field of an open season, oldest first. `newcomers`: who is still catching up there, with the sessions
    that count and those that are needed.
    `hosts`: where matches were finished, by id.
    `failed_starts`: in an open league, how versions failed to start, each time in a row.
    `stops_when_settled`: whether the season ends as soon as it is settled.
    """

    name: str
    season: SeasonView
    penalties: Penalties
    progress: Progress
    over: bool
    sessions: tuple[SessionView, ...]
    matches: tuple[MatchView, ...]
    standings: Standings
    lines: tuple[Line, ...]
    look: Look | NoLook
    margin: float
    rulings: tuple[Ruling, ...]
    out: Mapping[str, Ruling]
    fault_counts: Mapping[str, Mapping[FaultKind, int]]
    times: Mapping[str, BotTimes]
    faults: tuple[FaultView, ...]
    counts: Tallies
    move_us: int
    course: tuple[tuple[int, Standings], ...]
    troubles: tuple[MatchView, ...]
    warnings: tuple[LogLine, ...]
    processes: Mapping[str, int]
    news: tuple[LogLine, ...] = ()
    newcomers: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    title: str = ""
    ended: bool = False
    stage: StageView | None = None
    closed: str = ""
    hosts: tuple[HostView, ...] = ()
    ruled_at: Mapping[Ruling, int] = field(default_factory=dict)
    failed_starts: Mapping[str, Sequence[FailedStart]] = field(default_factory=dict)
    stops_when_settled: bool = False
    _entries: dict[str, Entry] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Note the entries by bot: pages ask for them very often."""
        object.__setattr__(self, "_entries", {entry.bot: entry for entry in self.season.entries})

    def entry(self, bot: str) -> Entry:
        """Return the entry of a bot by its id."""
        return self._entries[bot]

    def name_of(self, bot: str) -> str:
        """Return the name of an entry, or in an open season of a bot with all its versions."""
        versions = [entry for entry in self.season.entries if bot in (entry.bot, bot_of(entry.bot))]
        return versions[0].name if versions else bot

    def ruling_on(self, bot: str) -> Ruling | None:
        """Return what took an entry out: a ruling on itself, or in an open season on its bot as a whole."""
        return self.out.get(bot) or self.out.get(bot_of(bot))

    @property
    def tallies(self) -> Mapping[str, BotTally]:
        """Return the counts by bot id, without those that finished no match."""
        return self.counts.of_bots

    @property
    def gone(self) -> frozenset[str]:
        """Return who is not in the field any more; empty where a stand-in has the seats of who is out."""
        if self.season.open:
            return frozenset(row.bot for row in self.standings.retired)
        return frozenset(self.out) if self.season.plans_anew else frozenset()

    @property
    def many(self) -> bool:
        """Return whether the league has too many bots to show every bot against every other."""
        return len(self.standings.rows) > EVERY_PAIR_UP_TO

    @property
    def passed(self) -> int:
        """Return how many cards are passed at its tables."""
        return pass_count(self.season.seats)


def read_facts(database: Database, number: int | None = None) -> LeagueFacts:
    """Read the season of that number, by default the newest.

    StoreError if there is none yet, or if the database cannot be read; UsageError for another number.
    """
    newest = read.current_season(database)
    if newest is None:
        raise StoreError("The database holds no season yet: `arena run` opens the first")
    season = newest if number is None else read.season(database, number)
    ended = season.number != newest.number
    progress = read.progress(database, season.number)
    score = scored(database, season)
    logs = read.logs_of(database, season)
    acts = read.actions(database)
    closed = closing(acts, season.number)
    matches: list[MatchView] = []
    # Rounds are read piece by piece and never all held in memory.
    counts = Tallies(season.seats)
    for played in read.played(database, season.number):
        matches.append(played.match)
        counts.note(played)
    return LeagueFacts(
        name=_league_name(season),
        season=season,
        penalties=_penalties(season),
        progress=progress,
        over=ended or is_over(season, progress),
        sessions=tuple(read.sessions(database, season.number)),
        matches=tuple(matches),
        standings=score.standings,
        lines=score.lines(season),
        look=score.look,
        margin=score.scoring.margin,
        rulings=read.rulings(database, season.number),
        out=score.out,
        fault_counts=read.fault_counts(database, season.number),
        times={times.bot: times for times in read.bot_times(database, season.number)},
        faults=tuple(read.faults(database, season.number)),
        counts=counts,
        move_us=_move_us(season),
        course=tuple(score.scoring.lines(score.results, _MOMENTS)),
        troubles=tuple(_troubles(database, season)),
        warnings=tuple(line for line in logs if line.level != "info"),
        processes=read.processes(database, season.number),
        news=tuple(line for line in logs if line.subject == FIELD),
        newcomers=newcomers(season, score),
        title=season_title(season),
        ended=ended,
        stage=stage_view(season, read.seasons(database)) if season.section("stage") else None,
        closed="" if closed is None else closed.reason,
        hosts=tuple(read.hosts(database, season.number)),
        ruled_at=dict(_ruled_at(acts, read.decisions(database, season.number), season.number)),
        failed_starts=failed_starts(season, acts) if season.open else {},
        stops_when_settled=noted_stop(acts, season.number) == "settled",
    )


def _troubles(database: Database, season: SeasonView) -> Iterator[MatchView]:
    for state in (MatchState.ABORTED, MatchState.INTERRUPTED):
        yield from read.matches(database, season.number, state=state)


def _ruled_at(
    acts: Iterable[Action], decisions: Iterable[Decision], season: int
) -> Iterator[tuple[Ruling, int]]:
    for act in acts:
        yield from ((ruling, act.at) for ruling in rulings_from([act], [], season))
    for decision in decisions:
        yield from ((ruling, decision.at) for ruling in decision.rulings)


def _league_name(season: SeasonView) -> str:
    """Return the league's name in league.toml; "League" if the stored file is not readable."""
    try:
        league = tomllib.loads(season.league_text).get("league", {})
    except (tomllib.TOMLDecodeError, RecursionError):
        league = {}
    name = league.get("name") if isinstance(league, dict) else None
    return name if isinstance(name, str) else "League"


def _penalties(season: SeasonView) -> Penalties:
    faults = season.section("faults")
    try:
        return Penalties(int(faults["fault_points"]), int(faults["max_faults"]))
    except (KeyError, TypeError, ValueError) as error:
        raise StoreError(f"The document of season {season.number} lacks the section [faults]") from error


def _move_us(season: SeasonView) -> int:
    return round(float(season.section("time").get("move_seconds", 0)) * 1e6)
