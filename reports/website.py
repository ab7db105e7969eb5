"""Writes the pages of one season: reads the facts, builds and renders each page, puts it into its folder.

What is on a page is decided in `pages`, how it looks in the templates. A new kind of page is one more
method of `SeasonPages` that puts `Page`s. Which seasons are written, and where, is `reports.league`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Protocol, TypeAlias

from arena.errors import StoreError, UsageError
from arena.match.record import MatchRecord
from arena.store import read
from arena.store.database import Database
from arena.store.matches import StoredRecord
from arena.store.stored_season import matches_before
from arena.store.views import MatchView
from reports.cores import shared
from reports.export import standings_csv, standings_json
from reports.facts import LeagueFacts, read_facts
from reports.frame import Place, site_of
from reports.options import ReportOptions
from reports.pages.bot import BotPages
from reports.pages.health import health_page
from reports.pages.leaderboard import leaderboard
from reports.pages.listing import MatchLists, ways_between
from reports.pages.match import (
    MatchPage,
    Sibling,
    Ways,
    match_json,
    match_page,
    messages_name,
)  # fmt: skip
from reports.pages.messages import messages_page
from reports.pages.replay import chunk_script, chunks, replay_page
from reports.pages.rounds import NotReplayableError
from reports.pages.rules import Table, rules_for_players, rules_page, rules_path
from reports.pages.seasons import PATH as SEASONS
from reports.pages.seasons import seasons_page
from reports.pages.words import bot_path
from reports.render import Page, Renderer, beginning
from reports.secrecy import Secrecy
from reports.selection import match_pages
from reports.state import PATH, Fingerprints, Making, SiteState
from reports.summary import PATH as SUMMARY
from reports.summary import SeasonSummary
from reports.translations import ENGLISH, LANGUAGES
from reports.writing import SiteFolder


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


@dataclass(frozen=True, slots=True)
class _MatchWanted:
    """The page of a match that is to be made. `fingerprint`: of everything that it is made from."""

    match: MatchView
    ways: Ways
    fingerprint: str

    @property
    def path(self) -> str:
        """Return where the page is, from the folder of the season."""
        return f"matches/{self.match.number}.html"


_ToPut: TypeAlias = tuple[_MatchWanted, StoredRecord]
"""The page of a match that is to be made, with all that is read for it."""

_File: TypeAlias = tuple[str, bytes]
"""The path of a file of the site, and its content."""

_AT_A_TIME: Final = 512
"""The records that are held at a time, so that a large league needs no more memory than this."""


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
        self._matches = {match.number: match for match in facts.matches}
        planned = facts.progress.matches_planned
        self._secrecy = _secrecy(facts, options)
        self._pages = match_pages(facts.matches, planned, options.author)

    def put_all(self, incremental: bool) -> int:
        """Put every file but the static ones. Return how many files no longer belong there.

        Pages come before the pages that link to them. So no link is broken, but for those to the rules in the
        first moment of a first writing: all pages have these.
        """
        later: list[_File] = []

        def meanwhile() -> None:
            self.put_rules(incremental)
            later.extend(self._fronts())

        self.put_match_pages(incremental, meanwhile)
        if self._pages.shared:
            self.put_shared_page(incremental)
        for path, content in later:
            self._site.put(path, content)
        self.put_data()
        return self._site.finish()

    def _fronts(self) -> Iterator[_File]:
        """Make the pages that link to those of matches."""
        yield from self._bot_pages()
        yield from self._lists()

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

    def put_match_pages(self, incremental: bool, meanwhile: Callable[[], None]) -> None:
        """Put the match pages: before the lists, whose links lead to them.

        `meanwhile` is done while other processes, if there are any, begin with that.
        """
        changed = {wanted.match.number: wanted for wanted in self._changed_matches(incremental)}
        # Only of a page that has changed is the record read and played again.
        stored = read.records(self._database, self._facts.season.number, list(changed))
        parts = ((changed[one.number], one) for one in stored)
        self._share_matches(list(islice(parts, _AT_A_TIME)), meanwhile)
        while some := list(islice(parts, _AT_A_TIME)):
            self._share_matches(some)

    def _share_matches(self, some: Sequence[_ToPut], meanwhile: Callable[[], None] = lambda: None) -> None:
        """Put these pages; into a folder on all cores, for other processes can write files there, too."""
        if isinstance(self._site, SiteFolder):
            self._renderer.prepare("match.html", "base.html", "cards.html")
            shared(some, self._put_matches, self._site, meanwhile)
        else:
            meanwhile()
            self._put_matches(some)

    def _put_matches(self, some: Sequence[_ToPut]) -> None:
        for wanted, stored in some:
            self._put_match(wanted, stored.record())

    def _changed_matches(self, incremental: bool) -> Iterator[_MatchWanted]:
        """Yield the match pages that must be made; keep all others."""
        secrecy = self._secrecy
        fingerprints = Fingerprints(self._common, self._facts.season.number)
        for match, ways in ways_between(self._facts.matches, self._pages):
            wanted = _MatchWanted(match, ways, fingerprints.of(match, ways, secrecy.of(match)))
            if not (incremental and self._site.keep(wanted.path, beginning(wanted.fingerprint))):
                yield wanted
                continue
            for name in (f"{match.number}.json", messages_name(match)):
                self._site.keep(f"matches/{name}", b"")  # there only where the cards are shown

    def match_alone(self, number: int) -> Page:
        """Return the page of one match with its cards, without what is only in files beside it.

        Raises UsageError if it is not finished, or if the pages do not show its cards.
        """
        match = self._matches.get(number)
        if match is None:
            raise UsageError(f"match {number} {self._not_there(number)}")
        if hidden := self._secrecy.cards_hidden(match):
            raise UsageError(f"match {number} has no cards to show yet. {hidden}")
        own = replace(self._pages, own=self._pages.own | {number})
        (ways,) = (ways for found, ways in ways_between(self._facts.matches, own) if found is match)
        record = read.record(self._database, self._facts.season.number, number)
        with self._damage_named(match):
            data = self._match_page(match, ways, record)
        alone = replace(data, file="", messages="")
        return Page(f"matches/{number}.html", "match.html", f"Match {number}", "matches", alone)

    def render(self, page: Page) -> bytes:
        """Return the bytes of a page of this season."""
        return self._renderer.render(page)

    def _not_there(self, number: int) -> str:
        planned = self._facts.progress.matches_planned
        if number > planned:
            return f"does not exist: the matches of season {self._facts.season.number} are 1 to {planned}"
        return "is not finished yet"

    def put_shared_page(self, incremental: bool) -> None:
        """Put the page that shows any match, and the matches as its data."""
        facts, secrecy = self._facts, self._secrecy
        fingerprints = Fingerprints([(entry.bot, entry.name) for entry in facts.season.entries])
        for chunk in chunks(facts):
            parts = ((match, match.number in self._pages.own, secrecy.of(match)) for match in chunk.matches)
            # The script of the newest matches changes all the time; the others are kept by this line.
            first = f"// made from {fingerprints.of(*parts)}\n".encode()
            if not (incremental and self._site.keep(chunk.path, first)):
                played = read.played(self._database, facts.season.number, chunk.numbers)
                self._site.put(chunk.path, first + chunk_script(facts, self._pages, secrecy, played))
        page = Page("matches/replay.html", "replay.html", "A match", "matches", replay_page(facts))
        self._put(page)

    def _bot_pages(self) -> Iterator[_File]:
        """Make a page for each entry of the season, house bots and excluded ones too."""
        pages = BotPages(self._facts, self._pages, self._secrecy)
        for entry in self._facts.season.entries:
            data = pages.page(entry.bot)
            yield self._made(Page(bot_path(entry.bot), "bot.html", entry.name, "leaderboard", data))

    def _lists(self) -> Iterator[_File]:
        """Make the lists of matches with their data, the health and the leaderboard."""
        facts = self._facts
        lists = MatchLists(facts, self._pages)
        yield from lists.scripts()
        for shown in lists.pages():
            yield self._made(Page(shown.path, "matches.html", shown.page.title, "matches", shown.page))
        health = health_page(facts, self._pages)
        yield self._made(Page("health.html", "health.html", "Health", "health", health))
        board = leaderboard(facts, self._pages)
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

    def _siblings(self, ways: Ways) -> Iterator[Sibling]:
        for link in ways.siblings:
            seats = self._matches[link.number].seats
            yield Sibling(link, tuple(seat.name for seat in seats), self._facts.round_points[link.number])

    def _put_match(self, wanted: _MatchWanted, record: MatchRecord) -> None:
        match, secrecy = wanted.match, self._secrecy
        with self._damage_named(match):
            page = self._match_page(match, wanted.ways, record)
            messages = messages_page(match, record, secrecy) if page.messages else None
        if page.file:
            self._site.put(f"matches/{page.file}", match_json(match, record, secrecy))
        if messages is not None:
            title = f"Messages of match {match.number}"
            self._put(Page(f"matches/{page.messages}", "messages.html", title, "matches", messages))
        self._put(
            Page(wanted.path, "match.html", f"Match {match.number}", "matches", page, wanted.fingerprint)
        )

    def _match_page(self, match: MatchView, ways: Ways, record: MatchRecord) -> MatchPage:
        return match_page(match, record, self._secrecy, ways, tuple(self._siblings(ways)))

    @contextmanager
    def _damage_named(self, match: MatchView) -> Iterator[None]:
        """Say which match of the database breaks the rules of the game."""
        try:
            yield
        except NotReplayableError as error:
            where = f" of season {self._facts.season.number}" if self._facts.ended else ""
            raise StoreError(f"Match {match.number}{where} in the database is damaged: {error}") from error


def _secrecy(facts: LeagueFacts, options: ReportOptions) -> Secrecy:
    """Return what must not be shown now of a season."""
    before = matches_before(facts.season) if facts.season.open else None
    return Secrecy(options, facts.over, before, closed=facts.ended)
