"""Writes the pages of a league: reads the facts, builds and renders each page, puts it into its folder.

What is on a page is decided in `pages`, how it looks in the templates. A new kind of page is one more
method of `_SiteWriter` that puts `Page`s.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from arena.errors import StoreError
from arena.store.database import Database
from arena.store.planned import matches_before
from arena.store.reader import Reader
from arena.store.views import MatchView
from reports.assets import Assets
from reports.checking import SiteCheck, SiteComparison
from reports.export import standings_csv, standings_json
from reports.facts import LeagueFacts, read_facts
from reports.options import ReportOptions, SiteResult
from reports.pages.bot import BotPages
from reports.pages.health import health_page
from reports.pages.leaderboard import leaderboard
from reports.pages.listing import MatchLists, ways_between
from reports.pages.match import MatchPage, Sibling, Ways, match_json, match_page, messages_name
from reports.pages.messages import messages_page
from reports.pages.method import method_page
from reports.pages.replay import chunk_script, chunks, replay_page
from reports.pages.rounds import NotReplayableError
from reports.pages.words import bot_path
from reports.render import Notice, Page, Renderer, Site, beginning
from reports.secrecy import Secrecy
from reports.selection import match_pages
from reports.state import PATH, Fingerprints, SiteState
from reports.writing import SiteFolder

__all__ = ["check_site", "write_site"]


def write_site(
    database: Database,
    folder: Path,
    options: ReportOptions | None = None,
    *,
    incremental: bool = False,
) -> SiteResult:
    """Write the site of the newest season into `folder`, which is made if need be.

    Only files whose content has changed are written; the same database gives the same bytes. `incremental`:
    keep existing match pages that were made from the same data by the same code, without making them again;
    for a league that is running. Raises StoreError if the database holds no season or cannot be read, or if
    a stored match breaks the rules of the game; OSError if the folder cannot be written.
    """
    site = SiteFolder(folder)
    removed = _SiteWriter(Reader(database), site, options or ReportOptions()).put_all(incremental)
    return SiteResult(site.written, site.unchanged, removed, folder / "index.html")


def check_site(database: Database, folder: Path, options: ReportOptions | None = None) -> SiteCheck:
    """Compare the pages in `folder` with those that `write_site` would write there. Writes nothing.

    Raises StoreError as `write_site` does; OSError if a file of the folder cannot be read.
    """
    site = SiteComparison(folder)
    if site.content("index.html") is None and site.content(PATH) is None:
        return SiteCheck(folder, found=False)
    writer = _SiteWriter(Reader(database), site, options or ReportOptions())
    writer.put_all(incremental=False)
    first = next(iter(site.differences), None)
    older = "" if first is None else writer.state.differs(site.content(PATH) or b"")
    return SiteCheck(folder, True, site.same, len(site.differences), first, older)


class _Files(Protocol):
    """Where the files of a site go; see `SiteFolder`."""

    def put(self, name: str, content: bytes) -> None:
        """Take a file of the site."""

    def keep(self, name: str, beginning: bytes) -> bool:
        """Return whether a file that begins like this is there and need not be made."""

    def finish(self) -> int:
        """Take note that all files were given. Return how many others are there."""


class _SiteWriter:
    """Writes one site, from facts that are read once. `state`: what it is made from."""

    def __init__(self, reader: Reader, site: _Files, options: ReportOptions) -> None:
        self._reader = reader
        self._site = site
        self._options = options
        self._facts = facts = read_facts(reader)
        self._assets = Assets()
        self.state = SiteState.of(facts, options, self._assets)
        static = self._assets.paths
        notices = tuple(_notices(facts, options))
        self._common = Site(facts.name, notices, static["site.css"], static["icon.svg"], static)
        self._renderer = Renderer(self._common)
        self._front = Renderer(replace(self._common, notices=(*self._common.notices, *_state(facts))))
        self._matches = {match.number: match for match in facts.matches}
        planned = facts.progress.matches_planned
        self._pages = match_pages(facts.matches, options.replays, planned, options.author)

    def put_all(self, incremental: bool) -> int:
        """Put every file. Return how many files no longer belong there.

        Pages come before the pages that link to them, so that no link is ever broken.
        """
        self.put_static_files()
        self.put_match_pages(incremental)
        if self._pages.shared:
            self.put_shared_page(incremental)
        self.put_bot_pages()
        self.put_lists()
        self.put_data()
        return self._site.finish()

    @property
    def _secrecy(self) -> Secrecy:
        season = self._facts.season
        return Secrecy(self._options, self._facts.over, matches_before(season) if season.open else None)

    def put_static_files(self) -> None:
        """Put the static files: first, so that no page is ever without its style sheet."""
        for path, content in self._assets.contents.items():
            self._site.put(path, content)

    def put_match_pages(self, incremental: bool) -> None:
        """Put the match pages: before the lists, whose links lead to them."""
        secrecy = self._secrecy
        fingerprints = Fingerprints(self._common, self._facts.season.number)
        for match, ways in ways_between(self._facts.matches, self._pages):
            path = f"matches/{match.number}.html"
            fingerprint = fingerprints.of(match, ways, secrecy.of(match))
            # Only for a page that has changed is the record read and played again.
            if incremental and self._site.keep(path, beginning(fingerprint)):
                for name in (f"{match.number}.json", messages_name(match)):
                    self._site.keep(f"matches/{name}", b"")  # there only where the cards are shown
                continue
            data = self._match_page(match, secrecy, ways)
            self._put(Page(path, "match.html", f"Match {match.number}", "matches", data, fingerprint))

    def put_shared_page(self, incremental: bool) -> None:
        """Put the page that shows any match, and the matches as its data."""
        facts, secrecy = self._facts, self._secrecy
        fingerprints = Fingerprints([(entry.bot, entry.name) for entry in facts.season.entries])
        for chunk in chunks(facts):
            parts = ((match, match.number in self._pages.own, secrecy.of(match)) for match in chunk.matches)
            # The script of the newest matches changes all the time; the others are kept by this line.
            first = f"// made from {fingerprints.of(*parts)}\n".encode()
            if not (incremental and self._site.keep(chunk.path, first)):
                played = self._reader.played(facts.season.number, chunk.numbers)
                self._site.put(chunk.path, first + chunk_script(facts, self._pages, secrecy, played))
        page = Page("matches/replay.html", "replay.html", "A match", "matches", replay_page(facts))
        self._put(page)

    def put_bot_pages(self) -> None:
        """Put a page for each entry of the season, house bots and the disqualified included."""
        pages = BotPages(self._facts, self._pages, self._secrecy)
        for entry in self._facts.season.entries:
            data = pages.page(entry.bot)
            self._put(Page(bot_path(entry.bot), "bot.html", entry.name, "leaderboard", data))

    def put_lists(self) -> None:
        """Put the lists of matches with their data, the health, the method and the leaderboard."""
        facts = self._facts
        lists = MatchLists(facts, self._pages, self._options.replays)
        for path, script in lists.scripts():
            self._site.put(path, script)
        for shown in lists.pages():
            self._put(Page(shown.path, "matches.html", shown.page.title, "matches", shown.page))
        health = health_page(facts, self._pages)
        self._put(Page("health.html", "health.html", "Health", "health", health), self._front)
        self._put(Page("method.html", "method.html", "Method", "method", method_page(facts)), self._front)
        board = leaderboard(facts, self._pages)
        if board.many:
            page = Page("points.html", "points.html", "Where the points come from", "leaderboard", board)
            self._put(page)
        page = Page("index.html", "leaderboard.html", "Leaderboard", "leaderboard", board)
        self._put(page, self._front)

    def put_data(self) -> None:
        """Put the standings for programs, and last what all of it was made from."""
        self._site.put("data/standings.csv", standings_csv(self._facts))
        self._site.put("data/standings.json", standings_json(self._facts))
        self._site.put(PATH, self.state.to_json())

    def _put(self, page: Page, renderer: Renderer | None = None) -> None:
        self._site.put(page.path, (renderer or self._renderer).render(page))

    def _siblings(self, ways: Ways) -> Iterator[Sibling]:
        for link in ways.siblings:
            seats = self._matches[link.number].seats
            yield Sibling(link, tuple(seat.name for seat in seats), self._facts.round_points[link.number])

    def _match_page(self, match: MatchView, secrecy: Secrecy, ways: Ways) -> MatchPage:
        record = self._reader.record(self._facts.season.number, match.number)
        try:
            page = match_page(match, record, secrecy, ways, tuple(self._siblings(ways)))
            messages = messages_page(match, record, secrecy) if page.messages else None
        except NotReplayableError as error:
            raise StoreError(f"Match {match.number} in the database is damaged: {error}") from error
        if page.file:
            self._site.put(f"matches/{page.file}", match_json(match, record, secrecy))
        if messages is not None:
            title = f"Messages of match {match.number}"
            self._put(Page(f"matches/{page.messages}", "messages.html", title, "matches", messages))
        return page


def _state(facts: LeagueFacts) -> Iterator[Notice]:
    """Yield notices that change too often for the page of every match."""
    if facts.paused and not facts.over:
        yield Notice("Paused", f"{facts.paused[:1].upper()}{facts.paused[1:]}.")


def _notices(facts: LeagueFacts, options: ReportOptions) -> Iterator[Notice]:
    if options.author:
        name = facts.entry(options.author).name
        yield Notice("Private", f"These pages show what only the author of {name} may see.")
    if any(stretch.predictable for stretch in facts.season.stretches):
        yield Notice(
            "Deals predictable",
            "This league was given a seed: whoever knows it can compute every deal in advance.",
        )
    if any(match.sandbox == "off" for match in facts.matches):
        yield Notice(
            "No sandbox",
            "Bots ran unprotected: they could change files of the organiser and disturb each other.",
        )
