"""Places the marks of a chart, as text ready for SVG. Pure geometry: no bots, no store.

Horizontal places are percentages of the width, so a chart of any width needs no scaling and no script, and
its lines stay sharp.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor

_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
_MOST_TICKS = 7
_MARGIN = 5.0  # percent kept free at both ends, so that no mark touches the edge


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the axis: its place, and its label."""

    x: str
    label: str


@dataclass(frozen=True, slots=True)
class Axis:
    """The common axis of a chart's rows; `par`: the place of the average score."""

    ticks: tuple[Tick, ...]
    par: str


@dataclass(frozen=True, slots=True)
class Interval:
    """A score with its interval: ends and middle, and its side of par.

    `side`: "below", "above" or "across" (par lies inside the interval).
    """

    low: str
    middle: str
    high: str
    width: str
    side: str


class Scale:
    """Maps points to places so that `values` and `par` all fit, on an axis with round numbers."""

    def __init__(self, values: Iterable[float], par: float) -> None:
        self._par = par
        known = [*values, par]
        self._low, self._high = min(known), max(known)
        if self._high - self._low < 1.0:
            self._low, self._high = self._low - 0.5, self._high + 0.5

    def axis(self) -> Axis:
        """Return ticks at round numbers inside the range, and the place of par."""
        span = self._high - self._low
        step = next((step for step in _STEPS if span / step <= _MOST_TICKS), _STEPS[-1])
        numbers = range(ceil(self._low / step), floor(self._high / step) + 1)
        digits = 0 if step >= 1 else 1
        ticks = tuple(Tick(self._place(n * step), f"{n * step:.{digits}f}") for n in numbers)
        return Axis(ticks, self._place(self._par))

    def interval(self, score: float, half_width: float) -> Interval:
        """Return the marks of one score."""
        low, high = score - half_width, score + half_width
        side = "below" if high < self._par else "above" if low > self._par else "across"
        width = f"{self._percent(high) - self._percent(low):.2f}%"
        return Interval(self._place(low), self._place(score), self._place(high), width, side)

    def _percent(self, value: float) -> float:
        share = (value - self._low) / (self._high - self._low)
        return _MARGIN + share * (100 - 2 * _MARGIN)

    def _place(self, value: float) -> str:
        return f"{self._percent(value):.2f}%"
