"""Writes the standings as data: CSV for a spreadsheet, JSON for a program. Numbers only, no words."""

from __future__ import annotations

import json
from collections.abc import Mapping

from arena.export import Cell, Format, encoded, rounded, standing_cells
from arena.match.faults import FaultKind
from arena.score.columns import COLUMNS, Line
from arena.score.verdicts import Look
from reports.facts import LeagueFacts


def standings_json(facts: LeagueFacts) -> bytes:
    """Return the standings with what is needed to read them; points of a round, times in microseconds."""
    table = facts.standings
    document = {
        "league": facts.name,
        "season": facts.season.number,
        "season_digest": facts.season.digest,
        "seats": facts.season.seats,
        "par": rounded(table.par),
        "finished": facts.over,
        "provisional": table.provisional,
        "comparable": table.comparable,
        "settled": facts.look.settled if isinstance(facts.look, Look) else None,
        "sessions": facts.progress.sessions_complete,
        "sessions_counted": table.fit.session_count,
        "sessions_planned": facts.progress.sessions_planned,
        "standings": [
            {**_cells(facts, line), "faults": dict(sorted(_faults(facts, line).items()))}
            for line in facts.lines
        ],
    }
    return (json.dumps(document, indent=2) + "\n").encode()


def standings_csv(facts: LeagueFacts) -> bytes:
    """Return one line for each bot in the order of the page, RFC 4180 with a header.

    A name that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    rows = [{**_cells(facts, line), "faults": sum(_faults(facts, line).values())} for line in facts.lines]
    header = [*(column.name for column in COLUMNS), *_BESIDE, "faults"]  # a season may have no bots yet
    return b"".join(encoded(([row[name] for name in header] for row in rows), header, Format.CSV))


_BESIDE = ("matches", "decisions", "time_mean_us", "time_max_us", "digest")


def _cells(facts: LeagueFacts, line: Line) -> dict[str, Cell]:
    bot = line.standing.bot
    times = facts.times.get(bot)
    return {
        **standing_cells(line),
        "matches": times.matches if times else 0,
        "decisions": times.decisions if times else 0,
        "time_mean_us": round(times.mean_us) if times else None,
        "time_max_us": times.max_us if times else None,
        "digest": facts.entry(bot).digest,
    }


def _faults(facts: LeagueFacts, line: Line) -> Mapping[FaultKind, int]:
    return facts.fault_counts.get(line.standing.bot, {})
