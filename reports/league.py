"""Writes and compares the pages of a league: those of the newest season, and of each earlier one.

The newest season is in the site's own folder, each earlier one in `season-N` below it. All share the static
files and the page of all seasons. What is on the pages of a season is decided by `reports.website`.

A season that has ended does not change, so its pages need not be made again while the next one is played. The
last file of its folder says what its pages were made from. A writing that keeps what is there compares that
with the mark of the season and with how pages are made now, and reads nothing else of it. So a kill in the
middle does no harm: without that file, or with another one, the next writing makes the whole folder.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from arena.errors import StoreError
from arena.store import read
from arena.store.database import Database
from arena.store.history import SeasonMark
from arena.store.stage import season_folder
from reports.checking import SiteCheck, SiteComparison
from reports.frame import Place
from reports.options import ReportOptions, SiteResult
from reports.state import PATH, Making, SiteState
from reports.summary import PATH as SUMMARY
from reports.summary import SeasonSummary
from reports.website import Files, SeasonPages
from reports.writing import SiteFolder


def write_site(
    database: Database,
    folder: Path,
    options: ReportOptions | None = None,
    *,
    season: int | None = None,
    incremental: bool = False,
) -> SiteResult:
    """Write the site of a league into `folder`, which is made if need be.

    Only files whose content has changed are written; the same database gives the same bytes. `season`: whose
    first page is to be opened, by default the newest; pages for the author of a bot are of this season alone.
    `incremental`: keep match pages and earlier seasons that were made from the same data by the same code,
    without making them again; for a league that is running.

    Raises StoreError if the database holds no season or cannot be read, or if a stored match breaks the rules
    of the game; UsageError if there is no such season; OSError if the folder cannot be written.
    """
    site = _LeagueSite(database, options or ReportOptions(), season)
    folders: list[SiteFolder] = []

    def within(name: str) -> SiteFolder:
        folders.append(SiteFolder(folder / name))
        return folders[-1]

    removed = site.put_all(within, incremental)
    written, unchanged = sum(one.written for one in folders), sum(one.unchanged for one in folders)
    return SiteResult(written, unchanged, removed, folder / site.first / "index.html")


def check_site(
    database: Database, folder: Path, options: ReportOptions | None = None, season: int | None = None
) -> SiteCheck:
    """Compare the pages in `folder` with those that `write_site` would write there. Writes nothing.

    Raises StoreError and UsageError as `write_site` does; OSError if a file of the folder cannot be read.
    """
    found = SiteComparison(folder)
    if found.content("index.html") is None and found.content(PATH) is None:
        return SiteCheck(folder, found=False)
    site = _LeagueSite(database, options or ReportOptions(), season)
    site.put_all(found.within, incremental=False)
    first = next(iter(found.differences), None)
    older = "" if first is None else site.differs(found)
    return SiteCheck(folder, True, found.same, len(found.differences), first, older)


class _LeagueSite:
    """The seasons of one site. `first`: the folder of the page to open first, from the site's folder."""

    def __init__(self, database: Database, options: ReportOptions, season: int | None) -> None:
        marks = read.season_marks(database)
        if not marks:
            raise StoreError("The database holds no season yet: `arena run` opens the first")
        newest = marks[-1].number
        chosen = newest if season is None else read.season(database, season).number
        self._database = database
        self._making = Making.now(options)
        # A bot of one season need not be in another, so what is private is of one season.
        private = bool(options.author)
        self._number = chosen if private else newest
        self._earlier = [] if private else marks[:-1]
        self._states: list[tuple[str, SiteState]] = []
        self.first = "" if chosen == self._number else season_folder(chosen)

    def put_all(self, within: Callable[[str], Files], incremental: bool) -> int:
        """Put every file. Return how many files no longer belong there.

        `within`: takes the name of a folder of the site, with a slash, empty for its own. Static files come
        first, so that no page is ever without its style sheet, and earlier seasons before the pages that link
        to them.
        """
        own, summaries, removed = within(""), [], 0
        for path, content in self._making.assets.contents.items():
            own.put(path, content)
        for mark in self._earlier:
            files = within(f"{season_folder(mark.number)}/")
            summary = _kept(self._making, files, mark) if incremental else None
            if summary is None:
                pages = self._pages(mark.number, Place.EARLIER, files)
                removed += pages.put_all(incremental)
                summary = pages.summary
            summaries.append(summary)
        pages = self._pages(self._number, Place.NEWEST if summaries else Place.ALONE, own)
        if summaries:
            pages.put_seasons(summaries)
        return removed + pages.put_all(incremental)

    def differs(self, found: SiteComparison) -> str:
        """Return why the folder need not agree with the database, in words; empty if it must."""
        # The newest season is the last that was put. Its pages are written after all others.
        said = (state.differs(found.content(f"{where}{PATH}") or b"") for where, state in self._states[::-1])
        return next(filter(None, said), "")

    def _pages(self, number: int, place: Place, files: Files) -> SeasonPages:
        pages = SeasonPages(self._database, number, self._making, place, files)
        self._states.append((f"{season_folder(number)}/" if place is Place.EARLIER else "", pages.state))
        return pages


def _kept(making: Making, files: Files, mark: SeasonMark) -> SeasonSummary | None:
    """Return the summary of a season whose pages are there and need not be made; else None."""
    stamp, summary = files.content(PATH), files.content(SUMMARY)
    if stamp is None or summary is None or not making.made(stamp, mark):
        return None
    return SeasonSummary.read(summary, mark)
