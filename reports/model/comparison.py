"""Bots beside one another, on the leaderboard: head to head, over the cycles, by place at the table."""

from __future__ import annotations

from dataclasses import dataclass

from reports.model.bot import ShareRow

__all__ = ["Course", "CourseLine", "HeatCell", "HeatMap", "HeatRow", "Positions"]


@dataclass(frozen=True, slots=True)
class HeatCell:
    """Points a round more than the other at the same tables, as written; `tone`: "a3" (many more),

    "a2", "a1", "z" (about as many), "b1", "b2", "b3" (many fewer); both empty where they never met.
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
    """Everybody against everybody. Columns have the rows' order and bear their numbers, from 1."""

    rows: tuple[HeatRow, ...]


@dataclass(frozen=True, slots=True)
class CourseLine:
    """The scores of a bot after each of the cycles shown, "–" before its first.

    `points`: the same as places "x,y" in a square of 100 by 100; `end`: where its name stands beside the
    drawing, in percent of the height; `side`: which side of par it ended on, "below" or "above".
    """

    name: str
    path: str
    scores: tuple[str, ...]
    points: str
    end: str
    side: str


@dataclass(frozen=True, slots=True)
class Course:
    """How the scores moved. `cycles`: after how many complete ones; `all_cycles`: how many there are.

    `par`: its place in percent of the height; `height`: of the drawing, in pixels.
    """

    cycles: tuple[int, ...]
    all_cycles: int
    lines: tuple[CourseLine, ...]
    par: str
    height: int


@dataclass(frozen=True, slots=True)
class Positions:
    """Card points a round of all bots together, by seat and by how far from the dealer they sat."""

    seats: tuple[ShareRow, ...]
    dealing: tuple[ShareRow, ...]
