"""Runs `arena.verify` with a progress bar on stderr, and words what came of it. Checks nothing itself."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click

from arena.cli.layout import plain
from arena.cli.league_files import OpenLeague
from arena.verify import Checked, Verification, verify

__all__ = ["check", "check_json", "check_text"]


def check(league: OpenLeague) -> Verification:
    """Verify every season of the database."""
    seasons = league.reader.seasons()
    matches = sum(league.reader.progress(season.number).matches_finished for season in seasons)
    with click.progressbar(length=matches, label="Playing matches again", file=sys.stderr) as bar:
        return verify(league.reader, seasons, lambda: bar.update(1))


def check_text(result: Verification) -> str:
    """What agrees, what could not be checked, and the first difference. Ends without a newline."""
    lines: list[str] = []
    for checked in result.seasons:
        lines += _season_lines(checked)
    if result.difference is not None:
        lines.append(f"DIFFERENCE  {plain(str(result.difference))}")
    else:
        lines.append("Everything that could be checked agrees.")
    return "\n".join(lines)


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


def check_json(result: Verification) -> dict[str, object]:
    """All of it as plain data."""
    difference = result.difference
    return {
        "agrees": difference is None,
        "difference": None if difference is None else {**asdict(difference), "place": difference.place},
        "seasons": [_season_json(checked) for checked in result.seasons],
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
