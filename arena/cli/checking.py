"""Runs `arena.verify` with a progress bar on stderr, compares the pages, and words what came of it.

Checks nothing itself.
"""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from arena.cli.layout import plain
from arena.cli.league_files import OpenLeague
from arena.cli.pages import check_pages
from arena.store.lock import holder_of
from arena.verify import Checked, Verification, verify
from reports import SiteCheck

__all__ = ["Checks", "check", "check_json", "check_text"]

_AGREES = "Everything that could be checked agrees."


@dataclass(frozen=True, slots=True)
class Checks:
    """What came of a whole league. `pages`: None when the database itself differs, then they must too.

    `running`: the league is being played, so that pages may be behind the database.
    """

    database: Verification
    pages: SiteCheck | None
    running: bool

    @property
    def agrees(self) -> bool:
        """Whether all that must agree does. Old pages do not, unless the league is being played."""
        if self.database.difference is not None or self.pages is None:
            return False
        return self.pages.difference is None or bool(self.pages.older and self.running)


def check(league: OpenLeague, pages: Path | None = None) -> Checks:
    """Verify every season of the database, and its pages in a folder, by default the league's own."""
    seasons = league.reader.seasons()
    matches = sum(league.reader.progress(season.number).matches_finished for season in seasons)
    with click.progressbar(length=matches, label="Playing matches again", file=sys.stderr) as bar:
        result = verify(league.reader, seasons, lambda: bar.update(1))
    compared = None if result.difference is not None else check_pages(league, pages)
    return Checks(result, compared, holder_of(league.files.lock) is not None)


def check_text(checks: Checks) -> str:
    """What agrees, what could not be checked, and the first difference. Ends without a newline."""
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
    """What came of the pages."""
    if not pages.found:
        return [f"pages: there are none in {pages.folder}"]
    first = pages.difference
    if first is None:
        return [f"pages: {pages.files:,} files in {pages.folder} are as the database gives them"]
    if pages.older:
        told = f"those in {pages.folder} are older than the database or made otherwise: {pages.older}"
        return [f"pages: {plain(told)}", "  they could not be checked; to write them again: arena report"]
    others = f" (and {pages.differing - 1:,} more files)" if pages.differing > 1 else ""
    return [f"DIFFERENCE  pages, {plain(str(first))}{others}"]


def _season_lines(checked: Checked) -> list[str]:
    lines = [
        f"season {checked.season}: {checked.sessions:,} sessions, {checked.matches:,} matches, "
        f"{checked.rounds:,} rounds played again; deals and stand-in derived again in "
        f"{checked.dealt:,} matches"
    ]
    if checked.standings is not None:
        lines.append(f"  standings recomputed from {checked.standings.fit.session_count:,} sessions")
    lines += [
        f"  stretch {number} has not ended, so its secret is not shown: its commitment, deals, dice, "
        "suits, seeds and the stand-in's choices cannot be checked yet"
        for number in checked.open_stretches
    ]
    lines += [
        f"  stretch {number}: deals predictable, for the league file gave a seed"
        for number in checked.predictable
    ]
    return lines


def check_json(checks: Checks) -> dict[str, object]:
    """All of it as plain data."""
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
        "standings": None if board is None else [asdict(line) for line in (*board.rows, *board.house)],
    }
