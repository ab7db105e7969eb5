"""Writes the pages of a league: reads the facts, has each page built and rendered, puts it into its folder.

What is on a page is decided in `build`, how it looks in the templates. A new page is a `Page` in `_pages`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from arena.errors import StoreError
from arena.store.database import Database
from arena.store.reader import Reader
from reports.assets import Assets
from reports.build.leaderboard import leaderboard
from reports.build.listing import listing_page, ways_between
from reports.build.match import match_page
from reports.build.rounds import NotReplayable
from reports.build.secrecy import Secrecy
from reports.build.selection import with_page
from reports.export import standings_csv, standings_json
from reports.facts import LeagueFacts, read_facts
from reports.model.site import Notice, Site
from reports.options import ReportOptions, SiteResult
from reports.render import Page, Renderer
from reports.writing import SiteFolder

__all__ = ["write_site"]


def write_site(database: Database, folder: Path, options: ReportOptions | None = None) -> SiteResult:
    """Write the site of the newest season into `folder`, which is made if need be.

    Only files whose content has changed are written; the same database gives the same bytes.
    Raises StoreError when the database holds no season or cannot be read, or when a stored match
    breaks the rules of the game; OSError when the folder cannot be written.
    """
    reader = Reader(database)
    facts = read_facts(reader)
    assets = Assets()
    site = SiteFolder(folder)
    for path, content in assets.contents.items():
        site.put(path, content)
    renderer = Renderer(Site(facts.name, tuple(_notices(facts)), assets.paths["site.css"]))
    for page in _pages(reader, facts, options or ReportOptions()):
        site.put(page.path, renderer.render(page))
    site.put("data/standings.csv", standings_csv(facts))
    site.put("data/standings.json", standings_json(facts))
    removed = site.finish()
    return SiteResult(site.written, site.unchanged, removed, folder / "index.html")


def _pages(reader: Reader, facts: LeagueFacts, options: ReportOptions) -> Iterator[Page]:
    """Every page, one at a time: the leaderboard last, so that its links lead somewhere already."""
    paged = with_page(facts.matches, options.replays)
    yield from _match_pages(reader, facts, options, paged)
    listing = listing_page(facts.matches, paged, options.replays)
    yield Page("matches/index.html", "matches.html", "Matches", "matches", listing)
    yield Page("index.html", "leaderboard.html", "Leaderboard", "leaderboard", leaderboard(facts, paged))


def _match_pages(
    reader: Reader, facts: LeagueFacts, options: ReportOptions, paged: frozenset[int]
) -> Iterator[Page]:
    secrecy = Secrecy(options, facts.over)
    for match, ways in ways_between(facts.matches, paged):
        record = reader.record(facts.season.number, match.number)
        try:
            data = match_page(match, record, secrecy, ways)
        except NotReplayable as error:
            raise StoreError(f"Match {match.number} in the database is damaged: {error}") from error
        yield Page(f"matches/{match.number}.html", "match.html", f"Match {match.number}", "matches", data)


def _notices(facts: LeagueFacts) -> Iterator[Notice]:
    if any(stretch.predictable for stretch in facts.season.stretches):
        yield Notice(
            "Deals predictable",
            "This league was given a seed: whoever knows it can work out every deal beforehand.",
        )
    if any(match.sandbox == "off" for match in facts.matches):
        yield Notice(
            "No sandbox",
            "Bots ran unprotected: they could read and change files, and each other, on the organiser’s machine.",
        )
