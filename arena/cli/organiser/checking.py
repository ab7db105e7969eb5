"""Runs `arena.verify` with a progress bar on stderr, compares pages, and words the result.

Must not check anything itself.
"""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from arena.cli.layout import plain
from arena.cli.league_files import opened
from arena.cli.organiser.pages import check_pages
from arena.errors import RowsUnreadable, SchemaChanged
from arena.store import read
from arena.store.database import Database
from arena.store.lock import holder_of
from arena.verify.verify import Checked, Difference, Verification, verify
from reports import SiteCheck

_AGREES = "Everything that could be checked agrees."


@dataclass(frozen=True, slots=True)
class Checks:
    """The result for a whole league. `pages`: None when the database itself differs, for then they do too.

    `running`: the league is being played, so pages may be older than the database.
    """

    database: Verification
    pages: SiteCheck | None
    running: bool

    @property
    def agrees(self) -> bool:
        """Return whether everything agrees that must.

        Older pages need not while the league is being played.
        """
        if self.database.difference is not None or self.pages is None:
            return False
        return self.pages.difference is None or bool(self.pages.older and self.running)


def check_path(path: Path | str, pages: Path | None = None) -> Checks:
    """Verify every season of the database, and its pages in a folder, by default the league's own."""
    try:
        with opened(path) as league:
            result = played_again(league.database)
            compared = None if result.difference is not None else check_pages(league, pages)
            return Checks(result, compared, holder_of(league.files.running) is not None)
    # A database that cannot even be opened because of what is in it differs, like any other.
    except (RowsUnreadable, SchemaChanged) as error:
        return Checks(Verification((), Difference(error.why)), None, running=False)


def played_again(database: Database) -> Verification:
    """Verify every season of a database, with a progress bar on stderr."""
    seasons = read.seasons(database)
    matches = sum(read.progress(database, season.number).matches_finished for season in seasons)
    with click.progressbar(length=matches, label="Playing matches again", file=sys.stderr) as bar:
        return verify(database, seasons, lambda: bar.update(1))


def check_text(checks: Checks) -> str:
    """Return what agrees, what could not be checked, and the first difference; no newline at the end."""
    lines: list[str] = []
    for checked in checks.database.seasons:
        lines += _season_lines(checked)
    if checks.database.difference is not None:
        lines.append(f"DIFFERENCE  {plain(str(checks.database.difference))}")
    elif checks.pages is not None:
        lines += _pages_lines(checks.pages)
    if checks.agrees:
        lines.append(_AGREES)
    return "\n".join(lines)


def _pages_lines(pages: SiteCheck) -> list[str]:
    """Return the lines about the pages."""
    place = str(pages.folder)
    if not pages.found:
        return [f"pages: none in {place}"]
    first = pages.difference
    if first is None:
        return [f"pages: {pages.files:,} files in {place} agree with the database"]
    if pages.older:
        told = f"those in {place} are older than the database or made otherwise: {pages.older}"
        return [f"pages: {plain(told)}", "  they could not be checked; to write them again: arena report"]
    return [f"DIFFERENCE  pages, {plain(str(first))}{_others(pages.differing - 1)}"]


def _others(count: int) -> str:
    """Return how many other files differ, in brackets, or nothing."""
    return f" (and {count:,} more {'file' if count == 1 else 'files'})" if count else ""


def _season_lines(checked: Checked) -> list[str]:
    lines = [
        f"season {checked.season}: {checked.sessions:,} sessions, {checked.matches:,} matches, "
        f"{checked.rounds:,} rounds played again; deals and stand-in derived again in "
        f"{checked.dealt:,} matches"
    ]
    if checked.standings is not None:
        lines.append(f"  standings recomputed from {checked.standings.fit.session_count:,} sessions")
    if checked.went_on is not None:
        lines.append(f"  who went on to it decided again: {checked.went_on} bots")
    lines += [
        f"  phase {number} has not ended, so its secret is not shown: its commitment, deals, dice, "
        "suits, seeds and the stand-in's choices cannot be checked yet"
        for number in checked.open_phases
    ]
    lines += [
        f"  phase {number}: deals predictable, because the league file gave a seed"
        for number in checked.predictable
    ]
    return lines


def check_json(checks: Checks) -> dict[str, object]:
    """Return all of it as plain data."""
    difference = checks.database.difference
    return {
        "agrees": checks.agrees,
        "difference": None if difference is None else {**asdict(difference), "place": difference.place},
        "seasons": [_season_json(checked) for checked in checks.database.seasons],
        "pages": None if checks.pages is None else _pages_json(checks.pages),
    }


def _pages_json(pages: SiteCheck) -> dict[str, object]:
    first = pages.difference
    return {
        "folder": str(pages.folder),
        "found": pages.found,
        "files": pages.files,
        "differing": pages.differing,
        "older": pages.older or None,
        "difference": None if first is None else asdict(first),
    }


def _season_json(checked: Checked) -> dict[str, object]:
    board = checked.standings
    return {
        "season": checked.season,
        "sessions": checked.sessions,
        "matches": checked.matches,
        "rounds": checked.rounds,
        "matches_dealt_again": checked.dealt,
        "phases_not_ended": checked.open_phases,
        "phases_predictable": checked.predictable,
        "went_on": checked.went_on,
        "standings": None if board is None else [asdict(line) for line in (*board.rows, *board.house)],
    }
