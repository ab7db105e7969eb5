"""Builds the table of a bot's versions in an open league, side by side on the page of each.

Scores are those of the present field, as on the leaderboard. Writes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.score.entry_ids import bot_of
from reports.facts import LeagueFacts
from reports.pages.words import note_on
from reports.text import minute


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version of a bot. `came`: when it entered the season; `path`: its page, empty for this one.

    `matches`: all that it finished; `sessions`: those that count now; `points`: its mean card points a round
    in all that it played, against whomever; `score`, `half_width`: None where there is none.
    """

    name: str
    path: str
    came: str
    note: str
    matches: int
    sessions: int
    points: float | None
    faults: int
    score: float | None
    half_width: float | None


def versions_of(facts: LeagueFacts, bot: str) -> tuple[VersionRow, ...]:
    """Return all versions of the bot of an entry, oldest first; empty if there is only one."""
    entries = [entry for entry in facts.season.entries if bot_of(entry.bot) == bot_of(bot)]
    if len(entries) < 2:
        return ()
    table = facts.standings
    rows = {row.bot: row for row in (*table.rows, *table.house, *table.retired)}
    made = []
    for entry in entries:
        row, own = rows.get(entry.bot), facts.tallies.get(entry.bot)
        made.append(
            VersionRow(
                name=entry.name,
                path="" if entry.bot == bot else f"{entry.bot}.html",
                came=minute(entry.entered_at),
                note=note_on(facts, row, entry),
                matches=own.matches if own else 0,
                sessions=row.sessions if row else 0,
                points=own.card_points if own else None,
                faults=sum(facts.fault_counts.get(entry.bot, {}).values()),
                score=row.score if row else None,
                half_width=row.half_width if row else None,
            )
        )
    return tuple(made)
