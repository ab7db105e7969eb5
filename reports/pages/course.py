"""The course of a league: how the scores moved from cycle to cycle, as lines. It reads and writes nothing.

The drawing is a table of pixels by percent: from the left the points, the lines, the leaders and the names.
Each bot is one group of it, so that a style sheet alone can set it off from the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor

from arena.score.table import Standing
from reports.facts import LeagueFacts
from reports.text import points

_LINE = 20  # pixels that a name beside the drawing needs
_LEAST_HEIGHT = 260
_TOP, _BOTTOM = 22, 34  # pixels above the lines, and below them for the axis of cycles
_MARGIN = 6.0  # percent kept free above and below, so that no line touches the edge
_COLOURS, _DASHES = 6, ("", " dash", " dot")
_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)
_MOST_TICKS = 8


@dataclass(frozen=True, slots=True)
class CourseLine:
    """The scores of a bot after each of the cycles shown.

    `points`: the same as places "x,y" in a square of 100 by 100; `band`: the outline of its interval there,
    empty without one. `end`: where the line ends, `name_at`: where its name and leader are, in pixels from
    the top. `look`: of the line: colour and kind. `chosen`: whether its interval is shown.
    """

    name: str
    points: str
    band: str
    end: str
    name_at: str
    look: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class AxisTick:
    """A tick: its place, in percent for cycles and in pixels for points, and its label."""

    at: str
    label: str


@dataclass(frozen=True, slots=True)
class Course:
    """How the scores moved. `cycles`: after how many complete ones; `all_cycles`: how many there are.

    `par`: its place; `top`, `inner`, `height`: where the lines begin, how high they are, and the height of
    all, in pixels. `unit`: of the scores; `about`: whose interval is shown, empty where none is.

    """

    cycles: tuple[int, ...]
    all_cycles: int
    lines: tuple[CourseLine, ...]
    scores: tuple[AxisTick, ...]
    times: tuple[AxisTick, ...]
    par: str
    top: int
    inner: int
    height: int
    unit: str
    about: str


def course(facts: LeagueFacts, rows: Sequence[Standing], own: str = "") -> Course | None:
    """Return how the scores of these bots moved from cycle to cycle; None before the second complete one.

    `own`: the id of the bot whose interval is shown, else that of the first.
    """
    moments = facts.course
    if len(moments) < 2:
        return None
    each = [{row.bot: row for row in standings.rows} for _, standings in moments]
    known = [(row.bot, [one.get(row.bot) for one in each]) for row in rows]
    drawn = [(bot, line) for bot, line in known if line[-1] is not None and line[-1].score is not None]
    if not drawn:
        return None
    cycles = tuple(cycles for cycles, __ in moments)
    inner = max(_LEAST_HEIGHT, _LINE * len(drawn))
    drawing = _Drawing(facts, cycles, _scale([line for _, line in drawn], facts.standings.par), inner)
    chosen = own if own in {bot for bot, __ in drawn} else drawn[0][0]
    lines = tuple(drawing.lines(drawn, chosen))
    return Course(
        cycles=cycles,
        all_cycles=cycles[-1],
        lines=lines,
        scores=tuple(drawing.score_ticks()),
        times=tuple(AxisTick(f"{drawing.across(at):.1f}%", str(at)) for at in cycles),
        par=drawing.pixels(facts.standings.par),
        top=_TOP,
        inner=inner,
        height=_TOP + inner + _BOTTOM,
        unit="points a seat and round" if facts.season.is_duel else "points a round",
        about=next((line.name for line in lines if line.chosen and line.band), ""),
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    """Maps points to percent of the height: fewest, which are best, at the top."""

    low: float
    high: float

    def place(self, score: float) -> float:
        return _MARGIN + (100 - 2 * _MARGIN) * (score - self.low) / (self.high - self.low)

    def ticks(self) -> Iterator[tuple[float, str]]:
        """Yield round numbers inside the range, with their labels."""
        span = self.high - self.low
        step = next((step for step in _STEPS if span / step <= _MOST_TICKS), _STEPS[-1])
        for number in range(ceil(self.low / step), floor(self.high / step) + 1):
            yield number * step, points(number * step, 0 if step >= 1 else 1)


def _scale(lines: Sequence[Sequence[Standing | None]], par: float) -> _Scale:
    """Return the scale in which all lines, par and the newest intervals fit. Wider ones are cut off."""
    scores = [row.score for line in lines for row in line if row is not None and row.score is not None]
    newest = [line[-1] for line in lines]
    ends = [
        row.score + side * row.half_width
        for row in newest
        if row is not None and row.score is not None and row.half_width is not None
        for side in (-1, 1)
    ]
    low, high = min(*scores, *ends, par), max(*scores, *ends, par)
    return _Scale(low, max(high, low + 1.0))


@dataclass(frozen=True, slots=True)
class _Drawing:
    """Places what is drawn: places of the lines in a square of 100 by 100, all others on the page."""

    facts: LeagueFacts
    cycles: Sequence[int]
    scale: _Scale
    inner: int

    LEFT, WIDTH = 8.0, 62.0
    """Percent of the width beside the lines, for the labels of points, and of the lines themselves."""

    def across(self, cycles: int) -> float:
        return self.LEFT + self.WIDTH * self._x(cycles) / 100

    def pixels(self, score: float) -> str:
        return f"{self._pixels(score):.1f}"

    def score_ticks(self) -> Iterator[AxisTick]:
        for score, label in self.scale.ticks():
            yield AxisTick(self.pixels(score), label)

    def lines(
        self, drawn: Sequence[tuple[str, Sequence[Standing | None]]], chosen: str
    ) -> Iterator[CourseLine]:
        ends = [self._pixels(row.score or 0.0) for _, line in drawn if (row := line[-1]) is not None]
        names = _apart(ends, _LINE, _TOP, _TOP + self.inner)
        for number, ((bot, line), end, at) in enumerate(zip(drawn, ends, names, strict=True)):
            look = f"k{number % _COLOURS}{_DASHES[number // _COLOURS % len(_DASHES)]}"
            yield CourseLine(
                name=self.facts.entry(bot).name,
                points=" ".join(self._point(at, row.score) for at, row in self._known(line)),
                band=self._band(line),
                end=f"{end:.1f}",
                name_at=f"{at:.1f}",
                look=look,
                chosen=bot == chosen,
            )

    def _x(self, cycles: int) -> float:
        return 100 * (cycles - self.cycles[0]) / (self.cycles[-1] - self.cycles[0])

    def _pixels(self, score: float) -> float:
        return _TOP + self.inner * self.scale.place(score) / 100

    def _point(self, cycles: int, score: float | None) -> str:
        return f"{self._x(cycles):.1f},{self.scale.place(score or 0.0):.1f}"

    def _known(self, line: Sequence[Standing | None]) -> Iterator[tuple[int, Standing]]:
        for at, row in zip(self.cycles, line, strict=True):
            if row is not None and row.score is not None:
                yield at, row

    def _band(self, line: Sequence[Standing | None]) -> str:
        ends = [(at, row.score or 0.0, row.half_width) for at, row in self._known(line)]
        known = [(at, score, half) for at, score, half in ends if half is not None]
        upper = [self._point(at, score - half) for at, score, half in known]
        lower = [self._point(at, score + half) for at, score, half in known]
        return " ".join([*upper, *reversed(lower)]) if len(known) > 1 else ""


def _apart(places: Sequence[float], least: float, top: float, bottom: float) -> list[float]:
    """Move the places as little as a walk down and one back up need, so that none overlap."""
    order = sorted(range(len(places)), key=places.__getitem__)
    moved = [max(top + least / 2, min(bottom - least / 2, place)) for place in places]
    for above, below in pairwise(order):
        moved[below] = max(moved[below], moved[above] + least)
    room = bottom - least / 2
    for number in reversed(order):
        moved[number] = min(moved[number], room)
        room = moved[number] - least
    return moved
