"""What a review of a bot reads: its finished matches whose cards may show, from a league or from a file.

It finds nothing out. Whoever reviews must show no card of another match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from itertools import groupby
from random import Random
from typing import Final

from arena.deals import MatchKey
from arena.errors import StoreError, UsageError
from arena.match.record import MatchRecord
from arena.match.stand_in import STAND_IN
from arena.review.course import Course, courses_of
from arena.store import read
from arena.store.database import Database
from arena.store.scoring import scored
from arena.store.views import MatchView, SeasonView

__all__ = ["MOST_MATCHES", "Material", "of_league", "of_match", "of_record"]

Shows = Callable[[MatchView], bool]
MOST_MATCHES: Final = 2_000
"""The most matches that a review reads."""


@dataclass(frozen=True)
class Material:
    """The matches of one bot.

    `numbers`: the match numbers of the pages. `names`: of the bots by id. `played`: how many matches the bot
    has finished in all. `strengths`: the scores of the field in points a round, fault points left out.
    """

    bot: str
    records: Mapping[MatchKey, MatchRecord]
    numbers: Mapping[MatchKey, int]
    names: Mapping[str, str]
    played: int
    strengths: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def courses(self) -> tuple[Course, ...]:
        """Return their rounds in order. StoreError for cards that do not fit the rules."""
        return tuple(course for record in self.records.values() for course in self._courses(record))

    @property
    def fault_points(self) -> int:
        """Return the charge of a fault."""
        return next(iter(self.records.values())).setup.terms.fault_points

    def _courses(self, record: MatchRecord) -> list[Course]:
        try:
            return list(courses_of(record))
        except ValueError as error:
            raise StoreError(
                f"Match {self.numbers[record.key]} cannot be reviewed: {error}. Was the database changed by "
                "another program? `arena verify` says where"
            ) from error


def of_league(database: Database, season: SeasonView, shows: Shows, bot: str, seed: str) -> Material:
    """Return the matches of a bot of a season: at most `MOST_MATCHES`, in whole sessions drawn by the seed.

    `shows`: says whether the cards of a match may be seen. UsageError if there is no such match.
    """
    if bot == STAND_IN:
        raise UsageError("The stand-in plays at random: there is nothing to review")
    finished = read.matches(database, season.number, bot=bot)
    shown = [match for match in finished if shows(match)]
    if not shown:
        raise UsageError(_why_none(database, season, bot, len(finished)))
    return _read(database, season, bot, _drawn(shown, seed), len(finished))


def of_match(database: Database, season: SeasonView, shows: Shows, bot: str, number: int) -> Material:
    """Return one match of a bot. UsageError if it is not there, not over, not to be shown, or without it."""
    match = next((each for each in read.matches(database, season.number) if each.number == number), None)
    if match is None:
        raise UsageError(_why_no_match(database, season, number))
    seated = [seat.bot for seat in match.seats]
    if bot not in seated:
        raise UsageError(f"Match {number} was played by {', '.join(dict.fromkeys(seated))}, not by {bot}")
    if not shows(match):
        raise UsageError(f"The cards of match {number} may not be looked at yet: {_why_hidden(match)}")
    return _read(database, season, bot, [match], len(read.matches(database, season.number, bot=bot)))


def of_record(number: int, names: Sequence[str], record: MatchRecord, given: str) -> Material:
    """Return one match without its league. `given`: name or id of the bot. UsageError if it is not in it."""
    bots = [seat.bot for seat in record.seats]
    ids = {name.casefold(): bot for name, bot in zip(names, bots, strict=True)}
    ids |= {bot: bot for bot in bots}
    bot = ids.get(given.casefold())
    if bot is None:
        near = get_close_matches(given.casefold(), ids, n=1)
        hint = f"did you mean {near[0]}?" if near else f"it was played by {', '.join(dict.fromkeys(bots))}"
        raise UsageError(f"{given} is not in match {number}; {hint}")
    return Material(bot, {record.key: record}, {record.key: number}, dict(zip(bots, names, strict=True)), 1)


def _read(
    database: Database, season: SeasonView, bot: str, matches: Sequence[MatchView], played: int
) -> Material:
    records = [read.record(database, season.number, match.number) for match in matches]
    standings = scored(database, season).standings
    rows = (*standings.rows, *standings.house, *standings.retired)
    return Material(
        bot,
        {record.key: record for record in records},
        {record.key: match.number for record, match in zip(records, matches, strict=True)},
        {entry.bot: entry.name for entry in season.entries},
        played,
        {row.bot: row.fap for row in rows if row.fap is not None},
    )


def _drawn(matches: Iterable[MatchView], seed: str) -> list[MatchView]:
    """Return all matches, or those of so many sessions drawn at random that there are not too many.

    Of whole sessions the luck of the deal cancels. Of a single one that is too large, some matches are drawn.
    """
    sessions = [list(of_one) for _, of_one in groupby(matches, lambda match: match.slot[:2])]
    chance = Random(f"{seed}/matches")  # noqa: S311 - the same matches each time
    chance.shuffle(sessions)
    if len(sessions[0]) > MOST_MATCHES:
        return sorted(chance.sample(sessions[0], MOST_MATCHES), key=lambda match: match.number)
    return sorted(_up_to(sessions, MOST_MATCHES), key=lambda match: match.number)


def _up_to(sessions: Iterable[list[MatchView]], most: int) -> Iterator[MatchView]:
    for session in sessions:
        most -= len(session)
        if most < 0:
            return
        yield from session


def _why_none(database: Database, season: SeasonView, bot: str, finished: int) -> str:
    if finished:
        last = read.matches(database, season.number, bot=bot)[0]
        said = f"{finished} match{'es' if finished > 1 else ''}"
        return f"{bot} has finished {said}, but the cards may not be looked at yet: {_why_hidden(last)}"
    if not read.matches(database, season.number):
        return f"No match of season {season.number} has been finished yet"
    return f"{bot} has not finished any match of season {season.number}"


def _why_hidden(match: MatchView) -> str:
    if not match.cards_may_show:
        return "its session is not over, and the same deals are still being played"
    return 'the league file says reveal = "finished", and the league is not over'


def _why_no_match(database: Database, season: SeasonView, number: int) -> str:
    last = max((match.number for match in read.matches(database, season.number)), default=None)
    if last is None:
        return f"No match of season {season.number} has been finished yet"
    begun = any(match.number == number for match in read.matches(database, season.number, state=None))
    if begun:
        return f"Match {number} is not over yet"
    return f"There is no finished match {number}: the highest number is {last}"
