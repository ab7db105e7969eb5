"""Reviews a bot: reads its matches, and tries its decisions in several processes until it is told to stop.

Only matches whose cards may show are read. It stores nothing, and nothing outlives it: the kernel ends its
processes with it, whatever ended it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import groupby, islice
from random import Random
from typing import Final

from arena.deals import MatchKey
from arena.errors import ArenaError, InternalError, StoreError, UsageError
from arena.linux.reaper import die_with_parent
from arena.linux.scheduling import give_way
from arena.match.record import MatchRecord
from arena.match.stand_in import STAND_IN
from arena.reviews.costs import Reviewed, review_decision
from arena.reviews.decisions import Place
from arena.reviews.review import BotReview, Survey, in_fair_order, review_of
from arena.store import read
from arena.store.database import Database
from arena.store.views import MatchView, SeasonView
from arena.verify.match_file import MatchFile

Shows = Callable[[MatchView], bool]
"""Says whether the cards of a match may be seen."""
MOST_MATCHES: Final = 2_000
"""The most matches that a review reads."""
_AHEAD: Final = 4
"""So many decisions are begun for each process, so that none has to wait."""
_HELD_BACK: Final = (signal.SIGINT, signal.SIGHUP, signal.SIGTERM)
"""What a terminal sends to all processes of a command. The main one alone answers, and ends the others."""


@dataclass(frozen=True, slots=True)
class Material:
    """The matches of one bot that are read.

    `numbers`: the match numbers of the pages. `names`: of the bots by id. `played`: how many matches the bot
    has finished in all.
    """

    bot: str
    records: Mapping[MatchKey, MatchRecord]
    numbers: Mapping[MatchKey, int]
    names: Mapping[str, str]
    played: int


@dataclass(frozen=True, slots=True)
class Crew:
    """How decisions are tried: by how many processes, in how many worlds, drawn from what seed."""

    jobs: int
    worlds: int
    seed: str


def of_league(database: Database, season: SeasonView, shows: Shows, bot: str, seed: str) -> Material:
    """Return the matches of a bot of a season: at most `MOST_MATCHES`, in whole sessions drawn by the seed.

    UsageError if there is no match whose cards show.
    """
    if bot == STAND_IN:
        raise UsageError("The stand-in plays at random: there is nothing to review")
    finished = read.matches(database, season.number, bot=bot)
    shown = [match for match in finished if shows(match)]
    if not shown:
        raise UsageError(_why_none(database, season, bot, finished))
    return _read(database, season, bot, _drawn(shown, seed), len(finished))


def of_match(database: Database, season: SeasonView, shows: Shows, bot: str, number: int) -> Material:
    """Return one match of a bot. UsageError if it is not there, not over, not to be shown, or without it."""
    finished = read.matches(database, season.number)
    match = next((each for each in finished if each.number == number), None)
    if match is None:
        highest = max((each.number for each in finished), default=0)
        raise UsageError(f"There is no finished match {number}: the highest number is {highest}")
    seated = [seat.bot for seat in match.seats]
    if bot not in seated:
        raise UsageError(f"Match {number} was played by {', '.join(dict.fromkeys(seated))}, not by {bot}")
    if not shows(match):
        raise UsageError(f"The cards of match {number} may not be looked at yet: {_why_hidden(match)}")
    return _read(database, season, bot, [match], len(read.matches(database, season.number, bot=bot)))


def of_file(match: MatchFile, given: str) -> Material:
    """Return one match without its league. `given`: name or id of the bot. UsageError if it is not in it."""
    record = match.record
    bots = [seat.bot for seat in record.seats]
    ids = {name.casefold(): bot for name, bot in zip(match.names, bots, strict=True)}
    ids |= {bot: bot for bot in bots}
    bot = ids.get(given.casefold())
    if bot is None:
        near = get_close_matches(given.casefold(), ids, n=1)
        hint = f"did you mean {near[0]}?" if near else f"it was played by {', '.join(dict.fromkeys(bots))}"
        raise UsageError(f"{given} is not in match {match.number}; {hint}")
    names = dict(zip(bots, match.names, strict=True))
    return Material(bot, {record.key: record}, {record.key: match.number}, names, 1)


def _read(
    database: Database, season: SeasonView, bot: str, matches: Sequence[MatchView], played: int
) -> Material:
    records = [read.record(database, season.number, match.number) for match in matches]
    return Material(
        bot,
        {record.key: record for record in records},
        {record.key: match.number for record, match in zip(records, matches, strict=True)},
        {entry.bot: entry.name for entry in season.entries},
        played,
    )


def _drawn(matches: Iterable[MatchView], seed: str) -> list[MatchView]:
    """Return all matches, or those of so many sessions drawn at random that there are not too many.

    Of whole sessions the luck of the deal cancels. Of a single one that is too large, some matches are drawn.
    """
    sessions = [list(of_one) for _, of_one in groupby(matches, lambda match: match.slot[:2])]
    chance = Random(f"{seed}/matches")  # noqa: S311 - the same matches each time
    chance.shuffle(sessions)
    found = sessions[0]
    if len(found) > MOST_MATCHES:
        found = chance.sample(found, MOST_MATCHES)
    for session in sessions[1:]:
        if len(found) + len(session) > MOST_MATCHES:
            break
        found = found + session
    return sorted(found, key=lambda match: match.number)


def _why_none(database: Database, season: SeasonView, bot: str, finished: Sequence[MatchView]) -> str:
    if finished:
        said = f"{len(finished)} match{'es' if len(finished) > 1 else ''}"
        why = _why_hidden(finished[0])
        return f"{bot} has finished {said}, but the cards may not be looked at yet: {why}"
    if not read.matches(database, season.number):
        return f"No match of season {season.number} has been finished yet"
    return f"{bot} has not finished any match of season {season.number}"


def _why_hidden(match: MatchView) -> str:
    if not match.cards_may_show:
        return "its session is not over, and the same deals are still being played"
    return 'the league file says reveal = "finished", and the league is not over'


def review_bot(
    material: Material, crew: Crew, enough: Callable[[], bool], tried: Callable[[int, int], None]
) -> tuple[BotReview, bool]:
    """Review a bot until all its decisions were tried, `enough` says so, or Ctrl-C comes.

    `tried` is told how many decisions were tried, of how many. Return the review, and whether it was
    interrupted. Raises UsageError where the bot never had a choice, and as `try_all` does.
    """
    survey = Survey(material.bot)
    for record in material.records.values():
        try:
            survey.add(record)
        except ValueError as error:
            raise StoreError(
                f"Match {material.numbers[record.key]} cannot be reviewed: {error}. Was the database changed "
                "by another program? `arena verify` says where"
            ) from error
    choices = [place for places in survey.choices.values() for place in places]
    if not choices:
        raise UsageError(f"{material.bot} never had a choice in these matches: the stand-in played for it")
    found: list[Reviewed] = []
    interrupted = False
    ordered = in_fair_order(choices, crew.seed)
    try:
        tried(0, len(choices))  # whoever reads what it says may press Ctrl-C at once
        with closing(try_all(((material.records[each[0]], each) for each in ordered), crew, enough)) as all_:
            for one in all_:
                found.append(one)
                tried(len(found), len(choices))
    except KeyboardInterrupt:
        interrupted = True
    return review_of(survey, found), interrupted


def try_all(
    works: Iterable[tuple[MatchRecord, Place]], crew: Crew, enough: Callable[[], bool]
) -> Generator[Reviewed]:
    """Yield what decisions cost, in their order: so whatever ends it, what was found is its beginning.

    Nothing more is begun as soon as `enough` says so; what is begun then is waited for. Must be called in the
    main thread. Raises ArenaError when a process is lost.
    """
    left = iter(works)
    with _pool(crew.jobs) as pool:
        running: deque[Future[Reviewed]] = deque()
        while True:
            if not enough():
                for record, place in islice(left, _AHEAD * crew.jobs - len(running)):
                    with _held_back():  # a process may start with any task, and inherits what is held back
                        running.append(pool.submit(review_decision, record, place, crew.seed, crew.worlds))
            if not running:
                return
            yield _result(running.popleft())


def _result(future: Future[Reviewed]) -> Reviewed:
    try:
        return future.result()
    except BrokenProcessPool as error:
        raise ArenaError(
            "A process of the review ended before its time: it was killed, or the memory was not enough"
        ) from error
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        raise InternalError(f"A decision could not be reviewed ({said[:200]})") from error


@contextmanager
def _pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Give processes, and end them with the block at once, whatever they are doing."""
    before = {process.pid for process in multiprocessing.active_children()}
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, _begin, (os.getpid(),))
    try:
        yield pool
    finally:
        for process in multiprocessing.active_children():
            if process.pid not in before:
                process.kill()
        # Waited for, and after the kill: the pool's own thread would else close a pipe while Python, at its
        # end, writes to it, and a traceback would be the last that a reader sees.
        pool.shutdown(cancel_futures=True)


@contextmanager
def _held_back() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _HELD_BACK)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(parent: int) -> None:
    """Prepare a process of the crew: it ends with its parent and gives way to others."""
    die_with_parent(signal.SIGKILL)
    if os.getppid() != parent:  # it has ended already
        os._exit(1)
    give_way()
