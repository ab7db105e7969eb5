"""Writes the standings as data: CSV for a spreadsheet, JSON for a program. Numbers only, no words."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

from arena.export import Cell, harmless, rounded, standing_cells
from arena.standings import Look, Standing
from reports.facts import LeagueFacts

__all__ = ["standings_csv", "standings_json"]


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
        "sessions_planned": facts.progress.sessions_planned,
        "standings": [
            {**_cells(facts, row), "faults": dict(sorted(facts.fault_counts.get(row.bot, {}).items()))}
            for row in _rows(facts)
        ],
    }
    return (json.dumps(document, indent=2) + "\n").encode()


def standings_csv(facts: LeagueFacts) -> bytes:
    """Return one line for each bot in the order of the page, RFC 4180 with a header.

    A name that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    text = io.StringIO(newline="")
    rows = [{**_cells(facts, row), "faults": _fault_count(facts, row)} for row in _rows(facts)]
    if rows:
        writer = csv.DictWriter(text, list(rows[0]))
        writer.writeheader()
        writer.writerows({key: harmless(value) for key, value in row.items()} for row in rows)
    return text.getvalue().encode()


def _rows(facts: LeagueFacts) -> Iterator[Standing]:
    yield from facts.standings.rows
    yield from facts.standings.house


def _cells(facts: LeagueFacts, row: Standing) -> dict[str, Cell]:
    entry = facts.entry(row.bot)
    times = facts.times.get(row.bot)
    return {
        **standing_cells(facts.look, row, entry, facts.ruling_on(row.bot)),
        "matches": times.matches if times else 0,
        "decisions": times.decisions if times else 0,
        "time_mean_us": round(times.mean_us) if times else None,
        "time_max_us": times.max_us if times else None,
        "digest": entry.digest,
    }


def _fault_count(facts: LeagueFacts, row: Standing) -> int:
    return sum(facts.fault_counts.get(row.bot, {}).values())
