"""Every bot against every other, as the leaderboard's heat map shows it. It reads and writes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.standings import Standing
from reports.facts import LeagueFacts
from reports.pages.words import bot_path
from reports.tally import Meeting
from reports.text import points

__all__ = ["HeatMap", "heat_map"]

_TONES = (0.04, 0.2, 0.6)
"""Shares of par from which a difference counts as some, clear and large."""


@dataclass(frozen=True, slots=True)
class HeatCell:
    """Points a round more than the other bot at the same tables, as written.

    `tone`: "a3" (many more), "a2", "a1", "z" (about as many), "b1", "b2", "b3" (many fewer). Both are empty
    for bots that never met.
    """

    text: str
    tone: str


@dataclass(frozen=True, slots=True)
class HeatRow:
    """A bot against all others, in the order of the rows; None against itself."""

    name: str
    path: str
    cells: tuple[HeatCell | None, ...]


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Every bot against every bot. Columns have the rows' order and numbers, from 1."""

    rows: tuple[HeatRow, ...]


def heat_map(facts: LeagueFacts, rows: Sequence[Standing]) -> HeatMap | None:
    """Return every bot in `rows` against every other; None if nobody met anybody, or for too many bots."""
    if facts.many:
        return None
    met = [row for row in rows if row.bot in facts.tallies and facts.tallies[row.bot].meetings]
    if len(met) < 2:
        return None
    return HeatMap(
        tuple(
            HeatRow(
                facts.entry(row.bot).name,
                bot_path(row.bot),
                tuple(_against(facts, row.bot, other.bot) for other in met),
            )
            for row in met
        )
    )


def _against(facts: LeagueFacts, bot: str, other: str) -> HeatCell | None:
    if bot == other:
        return None
    meeting = facts.tallies[bot].meetings.get(other, Meeting())
    if not meeting.rounds:
        return HeatCell("", "")
    mean = meeting.points / meeting.rounds
    level = sum(abs(mean) >= share * facts.standings.par for share in _TONES)
    tone = f"{'a' if mean > 0 else 'b'}{level}" if level else "z"
    return HeatCell(("+" if round(mean) > 0 else "") + points(mean, 0), tone)
