"""Writes the pages of one season: reads the facts, builds and renders each page, puts it into its folder.

What is on a page is decided in `pages`, how it looks in the templates. A new kind of page is one more
method of `SeasonPages` that puts `Page`s. Which seasons are written, and where, is `reports.league`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, Protocol, TypeAlias

from arena.errors import StoreError, UsageError
from arena.match.faults import Fault
from arena.match.record import MatchRecord
from arena.papayoo import IllegalMove
from arena.store import read
from arena.store.database import Database
from arena.store.stored_season import matches_before
from arena.store.views import MatchView
from reports.export import standings_csv, standings_json
from reports.facts import LeagueFacts, read_facts
from reports.frame import Place, site_of
from reports.options import ReportOptions
from reports.pages.bot import BotPages
from reports.pages.health import health_page
from reports.pages.leaderboard import leaderboard
from reports.pages.listing import MatchLists
from reports.pages.match import (
    Beside,
    Chunk,
    chunk_script,
    chunks,
    match_data,
    match_json,
    match_page,
    messages_name,
    page_of_one,
    talking_seats,
)
from reports.pages.messages import messages_page
from reports.pages.rules import Table, rules_for_players, rules_page, rules_path
from reports.pages.seasons import PATH as SEASONS
from reports.pages.seasons import seasons_page
from reports.pages.words import bot_path
from reports.render import Page, Renderer, beginning
from reports.secrecy import Secrecy
from reports.state import PATH, Fingerprints, Making, SiteState
from reports.summary import PATH as SUMMARY
from reports.summary import SeasonSummary
from reports.translations import ENGLISH, LANGUAGES

FILES_UP_TO: Final = 2000
"""The largest number of matches of a league in which each has a file of its own.

In larger leagues those with a fault have one, and those of the bot for whose author the pages are made: the
newest of them.
"""


class Files(Protocol):
    """Where the files of a site go; see `SiteFolder`."""

    def put(self, name: str, content: bytes) -> None:
        """Take a file of the site."""

    def keep(self, name: str, beginning: bytes) -> bool:
        """Return whether a file that begins like this is there and need not be made."""

    def content(self, name: str) -> bytes | None:
        """Return the content that a file has there now; None if it is not there."""

    def finish(self) -> int:
        """Take note that all files were given. Return how many others are there."""


_File: TypeAlias = tuple[str, bytes]
"""The path of a file of the site, and its content."""


class SeasonPages:
    """Writes the pages of one season, from facts that are read once. `state`: what they are made from."""

    def __init__(self, database: Database, number: int, making: Making, place: Place, site: Files) -> None:
        self._database = database
        self._site = site
        self._making = making
        self._options = options = making.options
        self._facts = facts = read_facts(database, number)
        self._place = place
        self.state = SiteState.of(facts, making)
        self.summary = SeasonSummary.of(facts)
        self._common = site_of(facts, making, place)
        self._renderer = Renderer(self._common)
        self._secrecy = _secrecy(facts, options)
        self._files = _with_files(facts, options.author)

    def put_all(self, incremental: bool) -> int:
        """Put every file but the static ones. Return how many files no longer belong there.

        Pages come before the pages that link to them. So no link is broken, but for those to the rules in the
        first moment of a first writing: all pages have these.
        """
        self.put_rules(incremental)
        self.put_matches(incremental)
        for path, content in (*self._bot_pages(), *self._lists()):
            self._site.put(path, content)
        self.put_data()
        return self._site.finish()

    def put_seasons(self, earlier: Sequence[SeasonSummary]) -> None:
        """Put the page of all seasons, of which this is the newest."""
        data = seasons_page((*earlier, self.summary))
        self._put(Page(SEASONS, "seasons.html", "Seasons", "seasons", data))

    def put_rules(self, incremental: bool) -> None:
        """Put the page of the rules in each language.

        While a season goes on, nothing of them changes.
        """
        table = Table(self._facts.season.seats, self._facts.season.rounds)
        fingerprints = Fingerprints(self._common)
        for language in LANGUAGES:
            league = rules_for_players(self._facts) if language is ENGLISH else ()
            path, fingerprint = rules_path(language), fingerprints.of(table, language, league)
            if not (incremental and self._site.keep(path, beginning(fingerprint))):
                data = rules_page(table, language, league)
                tag = "" if language is ENGLISH else language.tag
                self._put(Page(path, "rules.html", data.title, "rules", data, fingerprint, lang=tag))

    def put_matches(self, incremental: bool) -> None:
        """Put the page that shows any match, and the matches as its data, with the files beside them."""
        season, secrecy = self._facts.season, self._secrecy
        entries = [(entry.bot, entry.name) for entry in season.entries]
        fingerprints, faults = Fingerprints(self._common, season.number, entries), _faults(self._facts)
        for chunk in chunks(self._facts):
            parts = ((match, match.number in self._files, secrecy.of(match)) for match in chunk.matches)
            # The script of the newest matches changes all the time; the others are kept by this line. It is
            # put after the files beside it: where it is, they are.
            first = f"// made from {fingerprints.of(*parts)}\n".encode()
            if incremental and self._site.keep(chunk.path, first):
                for match in (one for one in chunk.matches if one.number in self._files):
                    for name in (f"{match.number}.json", messages_name(match)):
                        self._site.keep(f"matches/{name}", b"")
                continue
            beside = self._put_beside(chunk)
            played = read.played(self._database, season.number, chunk.numbers)
            self._site.put(chunk.path, first + chunk_script(self._facts, secrecy, played, faults, beside))
        page = match_page(self._facts)
        self._put(Page("matches/replay.html", "match.html", page.title, "matches", page))

    def _put_beside(self, chunk: Chunk) -> Mapping[int, Beside]:
        """Put the files of these matches, and return what there is of each."""
        secrecy = self._secrecy
        wanted, found = {}, {}
        for match in chunk.matches:
            own = match.number in self._files
            quoted = _quoted(match, secrecy)
            cards, talks = own and not secrecy.cards_hidden(match), own and any(talking_seats(match, secrecy))
            if quoted or cards or talks:
                wanted[match.number] = match, quoted, cards, talks
        for stored in read.records(self._database, self._facts.season.number, list(wanted)):
            match, quoted, cards, talks = wanted[stored.number]
            with self._damage_named(match):
                record = stored.record()
                if cards:
                    self._site.put(f"matches/{match.number}.json", match_json(match, record, secrecy))
                if talks:
                    self._put_messages(match, record)
            stderr = tuple((seat, record.seats[seat]) for seat in quoted)
            found[match.number] = Beside(stderr, file=cards, messages=talks)
        return found

    @contextmanager
    def _damage_named(self, match: MatchView) -> Iterator[None]:
        """Say which match of the database breaks the rules of the game."""
        try:
            yield
        except (ValueError, LookupError, IllegalMove) as error:
            where = f" of season {self._facts.season.number}" if self._facts.ended else ""
            raise StoreError(f"Match {match.number}{where} in the database is damaged: {error}") from error

    def _put_messages(self, match: MatchView, record: MatchRecord) -> None:
        messages = messages_page(match, record, self._secrecy)
        title = f"Messages of match {match.number}"
        self._put(Page(f"matches/{messages_name(match)}", "messages.html", title, "matches", messages))

    def _bot_pages(self) -> Iterator[_File]:
        """Make a page for each entry of the season, house bots and excluded ones too."""
        pages = BotPages(self._facts, self._files, self._secrecy)
        for entry in self._facts.season.entries:
            data = pages.page(entry.bot)
            yield self._made(Page(bot_path(entry.bot), "bot.html", entry.name, "leaderboard", data))

    def _lists(self) -> Iterator[_File]:
        """Make the lists of matches with their data, the health and the leaderboard."""
        facts = self._facts
        lists = MatchLists(facts)
        yield from lists.scripts()
        for path, shown in lists.pages():
            yield self._made(Page(path, "matches.html", shown.title, "matches", shown))
        yield self._made(Page("health.html", "health.html", "Health", "health", health_page(facts)))
        board = leaderboard(facts)
        yield self._made(Page("index.html", "leaderboard.html", "Leaderboard", "leaderboard", board))

    def put_data(self) -> None:
        """Put the standings for programs, and last what all of it was made from.

        Until that is there, a folder of an earlier season counts as not written.
        """
        self._site.put("data/standings.csv", standings_csv(self._facts))
        self._site.put("data/standings.json", standings_json(self._facts))
        if self._place is Place.EARLIER:
            self._site.put(SUMMARY, self.summary.to_json())
        self._site.put(PATH, self.state.to_json())

    def _made(self, page: Page) -> _File:
        return page.path, self._renderer.render(page)

    def _put(self, page: Page) -> None:
        self._site.put(*self._made(page))


def match_file(database: Database, season: int, number: int, options: ReportOptions) -> bytes:
    """Return a match of a season as one HTML file that loads nothing, card table included.

    It shows what the page of all matches shows of it, without links and results of others. The same database
    gives the same bytes. Raises UsageError if the match is not finished or its cards may not be shown,
    StoreError if the database cannot be read.
    """
    facts = read_facts(database, season)
    secrecy = _secrecy(facts, options)
    played = next(read.played(database, season, range(number, number + 1)), None)
    if played is None and number > facts.progress.matches_planned:
        last = facts.progress.matches_planned
        raise UsageError(f"match {number} does not exist: the matches of season {season} are 1 to {last}")
    if played is None:
        raise UsageError(f"match {number} is not finished yet")
    if hidden := secrecy.cards_hidden(played.match):
        raise UsageError(f"match {number} has no cards to show yet. {hidden}")
    beside = Beside()
    if quoted := _quoted(played.match, secrecy):
        record = read.record(database, season, number)
        beside = Beside(tuple((seat, record.seats[seat]) for seat in quoted))
    data = match_data(played, secrecy, _faults(facts).get(number, ()), beside)
    page = page_of_one(played.match, data, f"Match {number}")
    site = site_of(facts, Making.now(options), Place.ALONE)
    shown = Page(f"matches/{number}.html", "match.html", page.title, "matches", page)
    return Renderer(replace(site, inside=True)).render(shown)


def _secrecy(facts: LeagueFacts, options: ReportOptions) -> Secrecy:
    """Return what must not be shown now of a season."""
    before = matches_before(facts.season) if facts.season.open else None
    return Secrecy(options, facts.over, before, closed=facts.ended)


def _faults(facts: LeagueFacts) -> Mapping[int, Sequence[Fault]]:
    """Return the faults by the numbers of their matches."""
    found: dict[int, list[Fault]] = defaultdict(list)
    for seen in facts.faults:
        found[seen.match].append(seen.fault)
    return found


def _quoted(match: MatchView, secrecy: Secrecy) -> list[int]:
    """Return the seats that wrote to standard error what may be shown."""
    return [one.seat for one in match.seats if one.stderr_bytes and secrecy.shows_stderr(match, one.bot)]


def _with_files(facts: LeagueFacts, author: str) -> frozenset[int]:
    """Return the matches that have files of their own, whose cards may be shown."""
    matches: Sequence[MatchView] = facts.matches
    if max(facts.progress.matches_planned, len(matches)) > FILES_UP_TO:
        matches = [one for one in matches if one.faults or any(s.bot == author for s in one.seats)]
    return frozenset(match.number for match in matches[-FILES_UP_TO:])
