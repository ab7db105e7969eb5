"""Runs `arena.verify` with a progress bar on stderr, unpacks archives, compares pages, and words the result.

Must not check anything itself.
"""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click

from arena.cli.layout import plain
from arena.cli.league_files import opened
from arena.cli.organiser.archiving import unpacked
from arena.cli.organiser.pages import check_pages
from arena.errors import RowsUnreadable, SchemaChanged
from arena.season.bundle import is_bundle
from arena.store.lock import holder_of
from arena.store.reader import Reader
from arena.verify.verify import Checked, Difference, Verification, verify
from reports import SiteCheck

__all__ = ["Checks", "check_json", "check_path", "check_text", "played_again"]

_AGREES = "Everything that could be checked agrees."


@dataclass(frozen=True, slots=True)
class Checks:
    """The result for a whole league. `pages`: None when the database itself differs, for then they do too.

    `running`: the league is being played, so pages may be older than the database. `archived`: how many
    bots' copies were in the archive, None for a league that is not in an archive.
    """

    database: Verification
    pages: SiteCheck | None
    running: bool
    archived: int | None = None

    @property
    def agrees(self) -> bool:
        """Return whether everything agrees that must.

        Older pages need not while the league is being played.
        """
        if self.database.difference is not None or self.pages is None:
            return False
        return self.pages.difference is None or bool(self.pages.older and self.running)


@dataclass(frozen=True, slots=True)
class Spoilt:
    """An archive that was changed: the first changed file, what is wrong with it, and how many others are."""

    file: str
    text: str
    others: int


def check_path(path: Path | str, pages: Path | None = None) -> Checks | Spoilt:
    """Verify a league, given by its league file, its database or an archive of it."""
    if isinstance(path, str) or not is_bundle(path):
        return _check(path, pages)
    with unpacked(path) as archive:
        if archive.wrong:
            return Spoilt(*archive.wrong[0], len(archive.wrong) - 1)
        return replace(_check(archive.database, pages or archive.pages), archived=archive.bots)


def _check(path: Path | str, pages: Path | None) -> Checks:
    """Verify every season of the database, and its pages in a folder, by default the league's own."""
    try:
        with opened(path) as league:
            result = played_again(league.reader)
            compared = None if result.difference is not None else check_pages(league, pages)
            return Checks(result, compared, holder_of(league.files.running) is not None)
    # A database that cannot even be opened because of what is in it differs, like any other.
    except (RowsUnreadable, SchemaChanged) as error:
        return Checks(Verification((), Difference(error.why)), None, running=False)


def played_again(reader: Reader) -> Verification:
    """Verify every season of a database, with a progress bar on stderr."""
    seasons = reader.seasons()
    matches = sum(reader.progress(season.number).matches_finished for season in seasons)
    with click.progressbar(length=matches, label="Playing matches again", file=sys.stderr) as bar:
        return verify(reader, seasons, lambda: bar.update(1))


def check_text(checks: Checks | Spoilt) -> str:
    """Return what agrees, what could not be checked, and the first difference; no newline at the end."""
    if isinstance(checks, Spoilt):
        return f"DIFFERENCE  archive, {plain(checks.file)}: {plain(checks.text)}{_others(checks.others)}"
    lines: list[str] = []
    if checks.archived is not None:
        lines.append(f"archive: all files match their sums, {checks.archived:,} copies of bots their digests")
    for checked in checks.database.seasons:
        lines += _season_lines(checked)
    if checks.database.difference is not None:
        lines.append(f"DIFFERENCE  {plain(str(checks.database.difference))}")
    elif checks.pages is not None:
        lines += _pages_lines(checks.pages, checks.archived is not None)
    if checks.agrees:
        lines.append(_AGREES)
    return "\n".join(lines)


def _pages_lines(pages: SiteCheck, archived: bool) -> list[str]:
    """Return the lines about the pages."""
    place = "the archive" if archived else str(pages.folder)
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
        f"  stretch {number} has not ended, so its secret is not shown: its commitment, deals, dice, "
        "suits, seeds and the stand-in's choices cannot be checked yet"
        for number in checked.open_stretches
    ]
    lines += [
        f"  stretch {number}: deals predictable, because the league file gave a seed"
        for number in checked.predictable
    ]
    return lines


def check_json(checks: Checks | Spoilt) -> dict[str, object]:
    """Return all of it as plain data."""
    if isinstance(checks, Spoilt):
        return {"agrees": False, "archive": asdict(checks)}
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
        "stretches_not_ended": checked.open_stretches,
        "stretches_predictable": checked.predictable,
        "went_on": checked.went_on,
        "standings": None if board is None else [asdict(line) for line in (*board.rows, *board.house)],
    }
