"""Writes the standings as data: CSV for a spreadsheet, JSON for a program. Numbers only, no words."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

from arena.standings import Look, Standing
from reports.facts import LeagueFacts

__all__ = ["standings_csv", "standings_json"]

_DIGITS = 6  # of points: more would differ between machines

Cell = str | int | float | bool | None


def standings_json(facts: LeagueFacts) -> bytes:
    """Return the standings with what is needed to read them; points of a round, times in microseconds."""
    table = facts.standings
    document = {
        "league": facts.name,
        "season": facts.season.number,
        "season_digest": facts.season.digest,
        "seats": facts.season.seats,
        "par": round(table.par, _DIGITS),
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
        writer.writerows({key: _harmless(value) for key, value in row.items()} for row in rows)
    return text.getvalue().encode()


def _rows(facts: LeagueFacts) -> Iterator[Standing]:
    yield from facts.standings.rows
    yield from facts.standings.house


def _cells(facts: LeagueFacts, row: Standing) -> dict[str, Cell]:
    entry = facts.entry(row.bot)
    times = facts.times.get(row.bot)
    low, high, letters = _verdict(facts, row.bot)
    return {
        "rank": row.rank,
        "rank_low": low,
        "rank_high": high,
        "letters": letters,
        "bot": row.bot,
        "name": entry.name,
        "role": entry.role.value,
        "disqualified": row.disqualified,
        "score": _rounded(row.score),
        "half_width": _rounded(row.half_width),
        "standard_error": _rounded(row.standard_error),
        "card_points": _rounded(row.fap),
        "fault_points": _rounded(row.charge),
        "sessions": row.sessions,
        "rounds": row.rounds,
        "matches": times.matches if times else 0,
        "decisions": times.decisions if times else 0,
        "time_mean_us": round(times.mean_us) if times else None,
        "time_max_us": times.max_us if times else None,
        "digest": entry.digest,
    }


def _verdict(facts: LeagueFacts, bot: str) -> tuple[int | None, int | None, str | None]:
    """Return the lowest and highest possible rank, and the letters; None without verdicts."""
    seen = facts.look
    if not isinstance(seen, Look) or bot not in seen.ranks:
        return None, None, None
    return *seen.ranks[bot], " ".join(seen.letters[bot])


def _fault_count(facts: LeagueFacts, row: Standing) -> int:
    return sum(facts.fault_counts.get(row.bot, {}).values())


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


def _harmless(value: Cell) -> Cell:
    # A spreadsheet would compute a text that begins like a formula.
    risky = isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r"))
    return f"'{value}" if risky else value
