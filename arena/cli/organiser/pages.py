"""Writes and compares the pages of a league as [report] asks. `reports` decides what they show."""

from __future__ import annotations

from pathlib import Path

from arena.cli.league_files import OpenLeague
from arena.errors import UsageError
from arena.league.model import ReportSection
from reports import (
    Publish,
    ReportOptions,
    Reveal,
    SiteCheck,
    SiteResult,
    check_site,
    write_site,
)


def report_options(section: ReportSection, author: str = "") -> ReportOptions:
    """Return what the section [report] of a league file asks for; `author` as in `ReportOptions`."""
    return ReportOptions(
        frozenset(Publish(word) for word in section.publish),
        Reveal(section.reveal),
        author,
    )


def write_pages(
    league: OpenLeague, folder: Path | None = None, author: str = "", *, refresh: bool = False
) -> SiteResult:
    """Write the pages of all seasons into `folder`, by default the league's own; name those of its season.

    `author`: the bot whose author gets private pages, of this season alone; empty for the public pages.
    `refresh`: keep pages that were made from the same data, without making them again.

    Raises UsageError when the folder cannot be written, StoreError when the database cannot be read.
    """
    target = league.files.pages if folder is None else folder
    try:
        options = report_options(league.files.report, author)
        number = league.season.number
        return write_site(league.database, target, options, season=number, incremental=refresh)
    except OSError as error:
        place = error.filename or target
        raise UsageError(f"The pages cannot be written: {place}: {error.strerror or error}") from error


def check_pages(league: OpenLeague, folder: Path | None = None) -> SiteCheck:
    """Compare the pages in `folder`, by default the league's own, with what the database gives.

    Raises UsageError when a file cannot be read, StoreError when the database cannot be read.
    """
    target = league.files.pages if folder is None else folder
    try:
        return check_site(league.database, target, report_options(league.files.report))
    except OSError as error:
        place = error.filename or target
        raise UsageError(f"The pages cannot be read: {place}: {error.strerror or error}") from error
