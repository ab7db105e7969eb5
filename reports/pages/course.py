"""The course of a league: how the scores moved from cycle to cycle, as lines. It reads and writes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from arena.standings import Standing
from reports.facts import LeagueFacts
from reports.pages.words import bot_path
from reports.text import points

__all__ = ["Course", "course"]

_LINE = 20  # pixels that a name beside the drawing needs
_LEAST_HEIGHT = 200
_MARGIN = 6.0  # percent kept free above and below, so that no line touches the edge


@dataclass(frozen=True, slots=True)
class CourseLine:
    """The scores of a bot after each of the cycles shown, "–" before its first.

    `points`: the same as places "x,y" in a square of 100 by 100; `end`: the place of its name beside the
    drawing, in percent of the height; `side`: its side of par at the end, "below" or "above", with "own"
    for the bot whose page it is.
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


def course(facts: LeagueFacts, rows: Sequence[Standing], own: str = "") -> Course | None:
    """Return how the scores of these bots moved from cycle to cycle; None before the second complete one.

    `own`: the id of the bot whose line stands out.
    """
    moments = facts.course
    if len(moments) < 2:
        return None
    each = [{row.bot: row.score for row in standings.rows} for _, standings in moments]
    lines = [(row, [scores.get(row.bot) for scores in each]) for row in rows]
    known = [score for _, scores in lines for score in scores if score is not None]
    if not known:
        return None
    scale = _Scale(min(*known, facts.standings.par), max(*known, facts.standings.par))
    height = max(_LEAST_HEIGHT, _LINE * len(lines))
    drawn = [(row, scores) for row, scores in lines if scores[-1] is not None]
    ends = _apart([scale.place(scores[-1] or 0.0) for _, scores in drawn], 100 * _LINE / height)
    cycles = tuple(cycles for cycles, _ in moments)
    return Course(
        cycles=cycles,
        all_cycles=cycles[-1],
        lines=tuple(
            _line(facts, row.bot, scores, scale, end, row.bot == own)
            for (row, scores), end in zip(drawn, ends, strict=True)
        ),
        par=f"{scale.place(facts.standings.par):.1f}%",
        height=height,
    )


class _Scale:
    """Maps points to percent of the height: fewest, which are best, at the top."""

    def __init__(self, low: float, high: float) -> None:
        self._low, self._span = low, max(high - low, 1.0)

    def place(self, score: float) -> float:
        return _MARGIN + (100 - 2 * _MARGIN) * (score - self._low) / self._span


def _line(
    facts: LeagueFacts, bot: str, scores: Sequence[float | None], scale: _Scale, end: float, own: bool
) -> CourseLine:
    last = len(scores) - 1
    places = (
        f"{100 * number / last:.1f},{scale.place(score):.1f}"
        for number, score in enumerate(scores)
        if score is not None
    )
    return CourseLine(
        name=facts.entry(bot).name,
        path=bot_path(bot),
        scores=tuple("–" if score is None else points(score) for score in scores),
        points=" ".join(places),
        end=f"{end:.1f}%",
        side=("below" if (scores[-1] or 0.0) < facts.standings.par else "above") + " own" * own,
    )


def _apart(places: Sequence[float], least: float) -> list[float]:
    """Move the places as little as a walk down and one back up need, so that none overlap."""
    order = sorted(range(len(places)), key=places.__getitem__)
    moved = [max(least / 2, min(100 - least / 2, place)) for place in places]
    for above, below in pairwise(order):
        moved[below] = max(moved[below], moved[above] + least)
    room = 100 - least / 2
    for number in reversed(order):
        moved[number] = min(moved[number], room)
        room = moved[number] - least
    return moved
