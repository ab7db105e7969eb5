"""Every bot against every other, as the leaderboard's heat map shows it. It reads and writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from arena.score.table import Standing
from reports.facts import LeagueFacts
from reports.pages.words import bot_path
from reports.tally import Gap
from reports.text import points, signed

SHADES = 5
"""The number of shades on each side of 0."""

_STEPS = (0.5, 1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 25, 30, 40, 50, 100, 200, 500)
"""Points a round from one shade to the next: the smallest that reaches the largest difference is taken."""


@dataclass(frozen=True, slots=True)
class HeatCell:
    """Points a round more than the other bot at the same tables, as written, with its `error`.

    `tone`: "a5" (many more) to "a1", "z" (none), "b1" to "b5" (many fewer). `sure`: whether it is more than
    chance makes of any pair of the table. All are empty for bots that never met, `error` also before three
    sessions.
    """

    text: str
    error: str
    tone: str
    sure: bool


@dataclass(frozen=True, slots=True)
class HeatRow:
    """A bot against all others, in the order of the rows; None against itself."""

    name: str
    path: str
    cells: tuple[HeatCell | None, ...]


@dataclass(frozen=True, slots=True)
class Shade:
    """A shade of the legend: its tone, and up to how many points a round it goes, as written."""

    tone: str
    text: str


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Every bot against every bot. Columns have the rows' order and numbers, from 1.

    `legend`: the shades that are there, from many fewer points to many more; `pairs`: how many have met.
    """

    rows: tuple[HeatRow, ...]
    legend: tuple[Shade, ...]
    pairs: int


def heat_map(facts: LeagueFacts, rows: Sequence[Standing]) -> HeatMap | None:
    """Return every bot in `rows` against every other; None if nobody met anybody, or for too many bots."""
    if facts.many:
        return None
    met = [row.bot for row in rows if row.bot in facts.tallies and facts.tallies[row.bot].met]
    if len(met) < 2:
        return None
    pairs = [(bot, other) for at, bot in enumerate(met) for other in met[at + 1 :]]
    gaps = {pair: gap for pair in pairs if (gap := facts.counts.gap(*pair)) is not None}
    scale = _Scale(facts, gaps.values(), len(gaps))
    return HeatMap(
        tuple(
            HeatRow(
                facts.entry(bot).name,
                bot_path(bot),
                tuple(None if bot == other else scale.cell(bot, other) for other in met),
            )
            for bot in met
        ),
        tuple(scale.legend()),
        len(gaps),
    )


class _Scale:
    """Writes and shades the differences of a table of so many pairs."""

    def __init__(self, facts: LeagueFacts, gaps: Iterable[Gap], pairs: int) -> None:
        self._facts, self._pairs = facts, pairs
        most = max((abs(gap.mean) for gap in gaps), default=0.0)
        self._step = next((step for step in _STEPS if step * SHADES >= most), _STEPS[-1])

    def cell(self, bot: str, other: str) -> HeatCell:
        gap = self._facts.counts.gap(bot, other)
        if gap is None:
            return HeatCell("", "", "", sure=False)
        mean = gap.mean
        shade = min(SHADES, ceil(abs(mean) / self._step))
        error, of_all = gap.half_width(), gap.half_width(self._pairs)
        return HeatCell(
            signed(mean, 0),
            "" if error is None else str(ceil(error)),
            f"{'a' if mean > 0 else 'b'}{shade}" if shade else "z",
            sure=of_all is not None and abs(mean) > of_all,
        )

    def legend(self) -> Iterable[Shade]:
        for shade in range(SHADES, 0, -1):
            yield Shade(f"b{shade}", points(-shade * self._step, 1 if self._step < 1 else 0))
        for shade in range(1, SHADES + 1):
            yield Shade(f"a{shade}", signed(shade * self._step, 1 if self._step < 1 else 0))
