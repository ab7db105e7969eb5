"""Builds the page of one bot: who it is, where its points come from, its time, its faults.

It reads and writes nothing; `secrecy` decides what is shown.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from arena.score.entry_ids import bot_of
from arena.score.table import Standing
from arena.score.verdicts import Look
from arena.score.words import place_text
from arena.store.acts import FailedStart
from arena.store.views import Entry, FaultView, MatchView
from arena.wording import counted, ordinal
from reports.facts import LeagueFacts
from reports.pages.course import Course, course
from reports.pages.fault_groups import FaultGroups, Grouper
from reports.pages.field import Field
from reports.pages.figures import Compared, compared
from reports.pages.listing import most_recent
from reports.pages.match import fault_kinds, seat_marks
from reports.pages.opponents import OpponentRow, Opponents
from reports.pages.trouble import Trouble, Troubles
from reports.pages.words import note_on, stands_for
from reports.secrecy import Secrecy
from reports.tally import BotTally
from reports.text import minute, number, points

_MATCHES_SHOWN = 5
_MARKS_SHOWN = 20
_COURSES = 3  # neighbours on each side whose course is shown beside the bot's own


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version of a bot. `came`: when it entered the season; `path`: its page, empty for this one.

    `matches`: all that it finished; `sessions`: those that count now; `points`: its mean card points a round
    in all that it played, against whomever; `score`, `half_width`: None where there is none.
    """

    name: str
    path: str
    came: str
    note: str
    matches: int
    sessions: int
    points: float | None
    faults: int
    score: float | None
    half_width: float | None


@dataclass(frozen=True, slots=True)
class BotPage:
    """Everything on the page of one bot.

    `about`: for whom a stand-in plays, else empty. `trouble`: None for a bot that plays on without any.
    `identity`: terms with a text each; `marks`: what else others should know, with the matches. `versions`:
    all of the bot in an open league, if there are several. `opponents`: all others, or among many bots the
    neighbours; `others` and `course` are there only then: what is sure of all others, and how the scores of
    the nearest neighbours moved. `compared`: its points and times beside the field. `faults`: grouped;
    `faults_total`: how many. `failed_start`: why it has not started, in an open league; `last_words`: what it
    wrote then, where that may be shown. `about_rounds`: how many it has played.
    """

    bot: str
    name: str
    note: str
    about: str
    sentence: str
    trouble: Trouble | None
    identity: tuple[tuple[str, str], ...]
    versions: tuple[VersionRow, ...]
    command: str
    matches: int
    rounds: int
    par: float
    about_rounds: str
    compared: Compared
    opponents: tuple[OpponentRow, ...]
    others: str
    course: Course | None
    faults: FaultGroups
    faults_total: int
    failed_start: str
    last_words: str
    kinds: str
    best: Sequence[MatchView]
    worst: Sequence[MatchView]
    last: Sequence[MatchView]
    marks: Sequence[tuple[MatchView, str]]


class BotPages:
    """Builds the pages of all bots. What they have in common is found once.

    `files`: the matches that have a file of their own.
    """

    def __init__(self, facts: LeagueFacts, files: Collection[int], secrecy: Secrecy) -> None:
        self._facts = facts
        self._secrecy = secrecy
        self._opponents = Opponents(facts)
        self._troubles = Troubles(facts, files, secrecy)
        self._grouper = Grouper(facts, secrecy)
        self._field = Field(facts)
        self._played: dict[str, list[MatchView]] = {}
        for match in facts.matches:
            for bot in {seat.bot for seat in match.seats}:
                self._played.setdefault(bot, []).append(match)
        self._faults: dict[str, list[FaultView]] = {}
        for fault in facts.faults:
            self._faults.setdefault(fault.bot, []).append(fault)

    def page(self, bot: str) -> BotPage:
        """Build the whole page of a bot."""
        facts, secrecy = self._facts, self._secrecy
        entry, row = facts.entry(bot), self._opponents.standing(bot)
        left = next((retired for retired in facts.standings.retired if retired.bot == bot), None)
        failed = facts.failed_starts.get(bot, ())
        own = facts.tallies.get(bot) or BotTally(facts.season.seats)
        played, faults = self._played.get(bot, []), self._faults.get(bot, [])
        scored = sorted((m for m in played if m.counts), key=lambda match: (_total(match, bot), match.number))
        return BotPage(
            bot=bot,
            name=entry.name,
            note=note_on(facts, row, entry),
            about=_about(facts, entry),
            sentence=_sentence(facts, entry, row, left, own),
            trouble=self._troubles.of(bot, played, faults),
            identity=tuple(_identity(entry)),
            versions=versions_of(facts, bot),
            command=shlex.join(entry.command) if secrecy.shows_command(bot) else "",
            matches=own.matches,
            rounds=own.rounds,
            par=facts.standings.par,
            about_rounds=_about_rounds(
                own, in_score=left is None and row is not None and row.score is not None
            ),
            compared=compared(facts, self._field, bot, row),
            opponents=tuple(self._opponents.of(bot, own)),
            others=self._opponents.summary(bot, own),
            course=course(facts, self._opponents.near(bot, _COURSES), bot) if facts.many else None,
            faults=self._grouper.groups(faults),
            faults_total=len(faults),
            failed_start=_failed_start(failed, secrecy.shows_failed_start(bot)),
            last_words="\n".join(failed[-1].last_words)
            if failed and secrecy.shows_stderr_of_start(bot)
            else "",
            kinds=fault_kinds(facts.fault_counts.get(bot, {})),
            best=scored[:_MATCHES_SHOWN],
            worst=scored[: -_MATCHES_SHOWN - 1 : -1],
            last=most_recent(played, _MATCHES_SHOWN),
            marks=[(match, mark) for match in played for mark in _marks(match, bot)][-_MARKS_SHOWN:],
        )


def versions_of(facts: LeagueFacts, bot: str) -> tuple[VersionRow, ...]:
    """Return all versions of the bot of an entry, oldest first; empty if there is only one."""
    entries = [entry for entry in facts.season.entries if bot_of(entry.bot) == bot_of(bot)]
    if len(entries) < 2:
        return ()
    table = facts.standings
    rows = {row.bot: row for row in (*table.rows, *table.house, *table.retired)}
    made = []
    for entry in entries:
        row, own = rows.get(entry.bot), facts.tallies.get(entry.bot)
        made.append(
            VersionRow(
                name=entry.name,
                path="" if entry.bot == bot else f"{entry.bot}.html",
                came=minute(entry.entered_at),
                note=note_on(facts, row, entry),
                matches=own.matches if own else 0,
                sessions=row.sessions if row else 0,
                points=own.card_points if own else None,
                faults=sum(facts.fault_counts.get(entry.bot, {}).values()),
                score=row.score if row else None,
                half_width=row.half_width if row else None,
            )
        )
    return tuple(made)


def _total(match: MatchView, bot: str) -> float:
    """Return the points of a seat: a bot of a duel holds several."""
    totals = [seat.total for seat in match.seats if seat.bot == bot]
    return sum(totals) / len(totals)


def _about(facts: LeagueFacts, entry: Entry) -> str:
    """Return what a stand-in is and for whom it plays; empty for a bot."""
    said = stands_for(facts, entry)
    if not said:
        return ""
    return f"It is no bot of the league: the arena plays random legal cards. It {said}."


def _failed_start(failed: Sequence[FailedStart], shows_reason: bool) -> str:
    """Return that it has not started, in one sentence; empty if it has."""
    if not failed:
        return ""
    times = "It did not start" if len(failed) == 1 else f"It did not start {len(failed)} times in a row"
    return f"{times}: {failed[-1].reason}." if shows_reason else f"{times}."


def _about_rounds(own: BotTally, *, in_score: bool) -> str:
    """Return how much it has played, and whether that counts in a score."""
    played = f"{counted(own.rounds, 'round')} in {counted(own.matches, 'match', 'matches')}"
    return f"{played} count in the score." if in_score else f"It has played {played}."


def _sentence(
    facts: LeagueFacts, entry: Entry, row: Standing | None, left: Standing | None, own: BotTally
) -> str:
    """Return its standing, in one sentence. `left`: the line of a version that has left an open league."""
    if left is not None and left.score is not None:
        return (
            f"{entry.name} has left the field. By what it played with those who are present it has "
            f"{_score(facts, left, left.score)}; it is not ranked."
        )
    if left is not None and own.rounds:
        return (
            f"{entry.name} has left the field and has no score: too few of its sessions were with bots that "
            "are still there."
        )
    if facts.failed_starts.get(entry.bot) and not own.rounds:
        return f"{entry.name} has not played: it did not start."
    if left is not None:
        return f"{entry.name} has left the field; none of its sessions is complete."
    if row is None or row.score is None:
        if own.rounds:
            return f"{entry.name} has no score yet: too few of its sessions count so far."
        return f"{entry.name} has no points yet: none of its sessions is complete."
    said, ranked = (
        _score(facts, row, row.score),
        sum(other.rank is not None for other in facts.standings.rows),
    )
    if row.rank is None:
        return f"{entry.name} has {said}; it is not ranked."
    seen = facts.look
    if isinstance(seen, Look) and entry.bot in seen.ranks:
        place = place_text(seen.ranks[entry.bot], ranked)
        return f"{entry.name} has {said}; it is {place}."
    return (
        f"{entry.name} has {said}; it is {ordinal(row.rank)} of {number(ranked)} by score, which "
        "does not claim that neighbours differ."
    )


def _score(facts: LeagueFacts, row: Standing, score: float) -> str:
    """Return a score, and how far it is from par: "61.50 ± 1.20 points a round, 1.00 below par"."""
    away, margin = score - facts.standings.par, row.half_width
    side = "exactly par"
    if round(away, 2):
        size = points(abs(away))
        side = f"{size} below par" if away < 0 else f"{size} above par"
    amount = points(score) if margin is None else f"{points(score)} ± {points(margin)}"
    if facts.season.is_duel:
        return f"{amount} points a seat and round, {side}"
    return f"{amount} points a round, {side}"


def _identity(entry: Entry) -> Iterator[tuple[str, str]]:
    said = entry.reported
    if author := entry.known_author:
        yield "Author", author
    if language := entry.known_language:
        yield "Language", language
    if said is not None:
        name = " ".join(filter(str.strip, (said.name, said.version)))
        yield "Calls itself", name or "nothing"
    yield "Id", entry.bot


def _marks(match: MatchView, bot: str) -> Iterator[str]:
    for seat in match.seats:
        if seat.bot == bot:
            yield from seat_marks(seat)
