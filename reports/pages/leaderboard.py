"""Builds the leaderboard: standings with intervals, conduct, progress of the league, deals.

Writes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from arena.conduct.exclusion import Ruling
from arena.match.times import BotTimes
from arena.score.columns import Column, Line, for_people
from arena.score.table import Standing
from arena.score.verdicts import Look
from arena.score.words import ABOUT_GROUPS, measured_against, not_counted
from arena.store.views import MatchView, Progress, SeasonView, SessionState
from arena.wording import counted
from reports.facts import LeagueFacts, Penalties
from reports.pages.bars import PlaceShare, percent, place_shares
from reports.pages.chart import Axis, Interval, Scale
from reports.pages.course import Course, course
from reports.pages.field import Field
from reports.pages.health_words import played_on
from reports.pages.heat_map import HeatMap, heat_map
from reports.pages.listing import STATE_WORDS, closest, most_recent
from reports.pages.match import fault_kinds
from reports.pages.stage import StagePart, stage_part
from reports.pages.verdict import Certainty, Verdict, certainty, verdict
from reports.pages.words import note_on, sessions_a_cycle, stands_for
from reports.tally import CHEAP, BotTally
from reports.text import minute, number

_MATCHES_SHOWN = 5
_NEWS_SHOWN = 12
_COURSES = 20  # bots whose course is shown where there are many; that of each other bot is on its page
_LINE_UPS = {
    "all": "every line-up once a cycle",
    "balanced": "balanced line-ups",
    "gauntlet": "a gauntlet: the ranked bots take turns against the same opponents",
}


@dataclass(frozen=True, slots=True)
class Reason:
    """The leader's name and page, and what is said of it after the name."""

    name: str
    path: str
    said: str


@dataclass(frozen=True, slots=True)
class BotRow:
    """A line of the standings: a bot and its standing.

    `interval`: drawn, None without intervals. `about`: author and language; `note`:
    "excluded", "house bot"; `aside`: for whom the stand-in plays, how far a newcomer has caught up, or that
    not all sessions of a bot count; `reason`: why it is excluded, as the database has it.
    """

    name: str
    line: Line
    interval: Interval | None
    about: str
    note: str
    aside: str
    reason: str


@dataclass(frozen=True, slots=True)
class RankedGroup:
    """Ranked bots under a heading, best first; without many bots one group of all, which needs no heading.

    `anchor`: the name of its place on the page; `places`: from which to which, "13–40".
    """

    anchor: str
    places: str
    heading: str
    rows: tuple[BotRow, ...]


@dataclass(frozen=True, slots=True)
class ConductRow:
    """Where a bot's points come from, and how it behaved.

    `kinds`: its faults by kind, in words, most frequent first; `times`: charged to it,
    all 0 before the first match; `p95_us`: the time that 95 % of its decisions did not exceed. `places`:
    empty before the first match.
    """

    name: str
    line: Line
    times: BotTimes
    faults: int
    kinds: str
    p95_us: int | None
    places: tuple[PlaceShare, ...]


@dataclass(frozen=True, slots=True)
class ProgressPart:
    """How much of the plan is played. `share`: of the sessions, as a width; `text`: the same in words."""

    of_season: Progress
    share: str
    text: str


@dataclass(frozen=True, slots=True)
class Excluded:
    """A session that does not count: "void" or "left out", and why."""

    session: str
    state: str
    reason: str


@dataclass(frozen=True, slots=True)
class RulingRow:
    """A bot that was "excluded" or "reinstated", from which session on, and why.

    `what`: that word; `by_limits`: whether it was excluded by the rule, and not by the organiser.
    """

    name: str
    what: str
    by_limits: bool
    begins: str
    reason: str


@dataclass(frozen=True, slots=True)
class News:
    """One thing that happened to the field of an open season: "2026-11-22 18:03 UTC", and what."""

    date: str
    text: str


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Everything on the leaderboard page.

    `columns`: of the standings and of where the points come from. `about_scores`: how many complete sessions
    count and why others do not, and how scores moved when the field changed; empty if all do and none did.
    `ranked`: in groups where there are many ranked bots, and `about_groups` says what these mean, else empty.
    `many`: too many bots to show all beside one another. `unranked`: excluded and house bots, and the
    stand-in. `retired`: who has left an open season, with versions that others have replaced. `news`: what
    happened to its field, newest first. `schedule`: in words. `played_on`: terms with sentences on times,
    versions and the machine. `check`: the command that checks the league.
    """

    season: SeasonView
    penalties: Penalties
    par: float
    comparable: bool
    stage: StagePart | None
    verdict: Verdict
    certainty: Certainty
    progress: ProgressPart
    axis: Axis | None
    columns: tuple[Column, ...]
    about_scores: str
    ranked: tuple[RankedGroup, ...]
    about_groups: str
    unranked: tuple[BotRow, ...]
    retired: tuple[BotRow, ...]
    news: tuple[News, ...]
    reason: Reason | None
    conduct: tuple[ConductRow, ...]
    heat: HeatMap | None
    course: Course | None
    recent: Sequence[MatchView]
    closest: Sequence[MatchView]
    excluded: tuple[Excluded, ...]
    rulings: tuple[RulingRow, ...]
    many: bool
    schedule: str
    sandbox: str
    played_on: tuple[tuple[str, str], ...]
    check: str


def leaderboard(facts: LeagueFacts) -> Leaderboard:
    """Build the whole page."""
    table = facts.standings
    rows = (*table.rows, *table.house)
    scale = _scale(facts) if table.comparable else None
    bots = {line.standing.bot: _bot_row(facts, line, scale) for line in facts.lines}
    shown = [(row, bots[row.bot]) for row in rows]
    return Leaderboard(
        season=facts.season,
        penalties=facts.penalties,
        par=table.par,
        comparable=table.comparable,
        stage=stage_part(facts),
        verdict=verdict(facts),
        certainty=certainty(facts),
        progress=_progress(facts),
        axis=scale.axis() if scale else None,
        columns=for_people(facts.lines),
        about_scores=_about_scores(facts),
        ranked=tuple(_ranked(facts, shown)),
        about_groups=ABOUT_GROUPS if isinstance(facts.look, Look) and facts.look.in_groups else "",
        unranked=tuple(bot for row, bot in shown if row.house or row.disqualified),
        retired=tuple(bots[row.bot] for row in table.retired),
        news=tuple(News(minute(line.at), line.headline) for line in facts.news[: -_NEWS_SHOWN - 1 : -1]),
        reason=reason(facts),
        conduct=tuple(_conduct(facts, line) for line in facts.lines[: len(rows)]),
        recent=most_recent(facts.matches, _MATCHES_SHOWN),
        closest=closest(facts.matches, _MATCHES_SHOWN),
        heat=heat_map(facts, rows),
        course=course(facts, facts.standings.rows[: _COURSES if facts.many else None]),
        excluded=tuple(_excluded(facts)),
        rulings=tuple(_ruling(facts, ruling) for ruling in facts.rulings),
        many=facts.many,
        schedule=_schedule(facts),
        sandbox=_sandbox(facts.matches),
        played_on=tuple(played_on(facts)),
        check=f"arena verify {facts.season.section('league').get('id', 'league')}.db",
    )


def _ranked(facts: LeagueFacts, shown: Sequence[tuple[Standing, BotRow]]) -> Iterator[RankedGroup]:
    """Yield the ranked bots, in groups where there are many."""
    rows = {row.bot: bot for row, bot in shown if not (row.house or row.disqualified)}
    if not (isinstance(facts.look, Look) and facts.look.in_groups):
        yield RankedGroup("", "", "", tuple(rows.values()))
        return
    first = 1
    for place, members in enumerate(facts.look.groups, 1):
        last = first + len(members) - 1
        places = str(first) if first == last else f"{first}–{last}"
        bots = counted(len(members), "bot")
        heading = (
            f"Group {place}: {bots}, place {places}"
            if len(members) == 1
            else f"Group {place}: {bots}, places {places}"
        )
        yield RankedGroup(f"group-{place}", places, heading, tuple(rows.pop(bot) for bot in members))
        first = last + 1
    if rows:  # newcomers to an open season, which are not compared yet
        heading = f"Not compared yet: {counted(len(rows), 'bot')}"
        yield RankedGroup("group-new", "new", heading, tuple(rows.values()))


def _about_scores(facts: LeagueFacts) -> str:
    result, names = facts.standings.fit, {entry.bot: entry.name for entry in facts.season.entries}
    said = (
        not_counted(result.session_count, facts.progress.sessions_complete),
        measured_against(result, names),
    )
    return " ".join(filter(None, said))


def _scale(facts: LeagueFacts) -> Scale:
    rows = (*facts.standings.rows, *facts.standings.house)
    ends = [
        end
        for row in rows
        if row.score is not None and row.half_width is not None
        for end in (row.score - row.half_width, row.score + row.half_width)
    ]
    return Scale(ends, facts.standings.par)


def _bot_row(facts: LeagueFacts, line: Line, scale: Scale | None) -> BotRow:
    row = line.standing
    entry = facts.entry(row.bot)
    ruling, plays_for = facts.ruling_on(row.bot), stands_for(facts, entry)
    return BotRow(
        name=entry.name,
        line=line,
        interval=_interval(row, scale),
        about=" · ".join(part for part in (entry.known_author, entry.known_language) if part),
        note=note_on(facts, row, entry),
        aside=plays_for or ("" if ruling else _caught_up(facts, row.bot)) or _counting(row),
        reason=ruling.brief if ruling and not plays_for else "",
    )


def _caught_up(facts: LeagueFacts, bot: str) -> str:
    """Return how far a newcomer has caught up; empty for all others."""
    if bot not in facts.newcomers:
        return ""
    counted, needed = facts.newcomers[bot]
    return _sessions(counted, needed)


def _counting(row: Standing) -> str:
    """Return how many sessions of a bot count where some do not."""
    if row.sessions == row.played:
        return ""
    return f"{_sessions(row.sessions, row.played)} count"


def _sessions(some: int, all_: int) -> str:
    return f"{number(some)} of {counted(all_, 'session')}"


def _interval(row: Standing, scale: Scale | None) -> Interval | None:
    if scale is None or row.score is None or row.half_width is None:
        return None
    return scale.interval(row.score, row.half_width)


def _conduct(facts: LeagueFacts, line: Line) -> ConductRow:
    bot = line.standing.bot
    counts = facts.fault_counts.get(bot, {})
    own = facts.tallies.get(bot) or BotTally(facts.season.seats)
    return ConductRow(
        name=line.name,
        line=line,
        times=facts.times.get(bot) or BotTimes(bot, 0, 0, 0, 0),
        faults=sum(counts.values()),
        kinds=fault_kinds(counts),
        p95_us=own.times.quantiles(0.95)[0] if own.times.us else None,
        places=place_shares(own),
    )


def _progress(facts: LeagueFacts) -> ProgressPart:
    progress = facts.progress
    planned = progress.sessions_planned
    share = 100 * progress.sessions_complete / planned if planned else 0.0
    parts = [
        _sessions(progress.sessions_complete, planned),
        counted(progress.matches_finished, "match", "matches"),
        counted(progress.rounds_finished, "round"),
    ]
    if progress.matches_aborted:
        parts.append(f"{counted(progress.matches_aborted, 'attempt')} aborted by an error of the arena")
    return ProgressPart(progress, f"{min(share, 100.0):.1f}%", ", ".join(parts))


def _excluded(facts: LeagueFacts) -> Iterator[Excluded]:
    for session in facts.sessions:
        if session.state in (SessionState.VOIDED, SessionState.LEFT_OUT):
            state = STATE_WORDS[session.state]
            yield Excluded(f"{session.cycle}.{session.index}", state, session.reason)


def _ruling(facts: LeagueFacts, ruling: Ruling) -> RulingRow:
    name, begins = facts.name_of(ruling.bot), f"{ruling.from_cycle}.0"
    return RulingRow(name, ruling.word, ruling.by_limits, begins, ruling.reason)


def _schedule(facts: LeagueFacts) -> str:
    season = facts.season
    line_ups, sessions = _LINE_UPS[season.line_ups], sessions_a_cycle(facts)
    return f"{line_ups}, {counted(len(facts.progress.cycles), 'cycle')} of {sessions}"


def _sandbox(matches: Collection[MatchView]) -> str:
    """Return the levels in force, with numbers of matches if there was more than one."""
    counts: dict[str, int] = {}
    for match in matches:
        counts[match.sandbox] = counts.get(match.sandbox, 0) + 1
    if len(counts) < 2:
        return next(map(_level, counts), "not known before the first match")
    return ", ".join(
        f"{_level(level)} in {counted(count, 'match', 'matches')}" for level, count in sorted(counts.items())
    )


def _level(level: str) -> str:
    """Return what a level of the sandbox is called. With one, it is a name."""
    return "off" if level == "off" else level


def reason(facts: LeagueFacts) -> Reason | None:
    """Return how often the leader takes the Papayoo and has a cheap round, beside the field.

    It claims nothing about cause. None where several lead, or nobody else is ranked.
    """
    first = [row.bot for row in facts.standings.rows if row.rank == 1]
    field = Field(facts)
    own = facts.tallies.get(first[0]) if len(first) == 1 else None
    if own is None or not own.rounds or field.size < 2 or field.papayoos is None or field.cheap is None:
        return None
    said = (
        f"took the Papayoo, the card of 40 points, in {percent(own.papayoos, own.rounds)} of its "
        f"rounds and fewer than {CHEAP} points in {percent(own.cheap, own.rounds)}; on average "
        f"the ranked bots took it in {percent(field.papayoos, 1)} and fewer than {CHEAP} points in "
        f"{percent(field.cheap, 1)}."
    )
    return Reason(facts.entry(first[0]).name, f"bots/{first[0]}.html", said)
