"""Turns counts and times of one bot into small tables and drawings, with bars. Reads and writes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from reports.tally import STEP, STEPS, BotTally, Spent
from reports.text import ordinal, points

__all__ = [
    "Histogram",
    "PhaseRow",
    "PlaceShare",
    "ShareRow",
    "by_dealer",
    "by_place",
    "by_seat",
    "histogram",
    "percent",
    "phases",
    "place_shares",
]

_HEIGHT = 120  # pixels of the highest bar
_TOP = 18  # above it, for its number
_SIDES = ("dealer", "left of the dealer")


@dataclass(frozen=True, slots=True)
class ShareRow:
    """A line of a small table: `value` as it is written, of `count` rounds or matches, drawn as a bar.

    `width`: of the bar, in percent of its cell.
    """

    name: str
    count: int
    value: str
    width: str


@dataclass(frozen=True, slots=True)
class HistogramBar:
    """The rounds of one class of points. `x` and `width` in percent; `y` and `height` in pixels."""

    name: str
    count: int
    share: str
    x: str
    middle: str
    y: str
    height: str


@dataclass(frozen=True, slots=True)
class Histogram:
    """The distribution of the points of a round. `mean`: the place of their mean, in percent of the width."""

    bars: tuple[HistogramBar, ...]
    width: str
    mean: str
    mean_points: float


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """The thinking time of a phase in microseconds; `limit_us` is None if the league file names none.

    `width`: the longest as a share of the limit, in percent of its cell.
    """

    name: str
    decisions: int
    median_us: int
    p95_us: int
    longest_us: int
    limit_us: int | None
    width: str


@dataclass(frozen=True, slots=True)
class PlaceShare:
    """The share of its matches that a bot finished at a place, drawn from `x` on, in percent of the cell."""

    place: int
    share: str
    x: str
    width: str


def percent(part: float, whole: float, digits: int = 0) -> str:
    """Return a share as it is written; "–" if there is no whole."""
    return f"{100 * part / whole:.{digits}f} %" if whole else "–"


def by_seat(own: BotTally, par: float) -> tuple[ShareRow, ...]:
    """Return card points a round at each seat."""
    return tuple(_means(own.seats, [str(seat) for seat in range(own.size)], par))


def by_dealer(own: BotTally, par: float) -> tuple[ShareRow, ...]:
    """Return card points a round by distance to the left of the dealer, who leads the first trick."""
    names = [*_SIDES, *(f"{place} to the left" for place in range(2, own.size - 1)), "right of the dealer"]
    return tuple(_means(own.dealing, [name.capitalize() for name in names], par))


def _means(table: list[tuple[int, int]], names: list[str], par: float) -> Iterator[ShareRow]:
    for name, (rounds, total) in zip(names, table, strict=True):
        mean = total / rounds if rounds else 0.0
        # A bar as wide as half the cell is par.
        yield ShareRow(name, rounds, points(mean) if rounds else "–", f"{min(100.0, 50 * mean / par):.1f}%")


def by_place(own: BotTally) -> tuple[ShareRow, ...]:
    """Return the shares of the matches that it finished at each place."""
    return tuple(
        ShareRow(
            ordinal(place),
            count,
            percent(count, own.matches),
            f"{100 * count / own.matches if own.matches else 0.0:.1f}%",
        )
        for place, count in enumerate(own.places, 1)
    )


def place_shares(own: BotTally) -> tuple[PlaceShare, ...]:
    """Return the same side by side in one bar; empty before the first match that counts."""
    if not own.matches:
        return ()
    shares = [100 * count / own.matches for count in own.places]
    starts = accumulate(shares, initial=0.0)
    return tuple(
        PlaceShare(place, f"{share:.0f}", f"{x:.1f}%", f"{share:.1f}%")
        for place, (share, x) in enumerate(zip(shares, starts, strict=False), 1)
    )


def histogram(own: BotTally) -> Histogram | None:
    """Return the distribution of the card points of its rounds; None before the first."""
    if not own.rounds:
        return None
    most = max(own.classes)
    mean = sum(total for _, total in own.seats) / own.rounds
    width = 100 / STEPS
    bars = tuple(
        HistogramBar(
            name=f"{STEP * step}–{STEP * (step + 1) - (step + 1 < STEPS)}",
            count=count,
            share=percent(count, own.rounds),
            x=f"{width * step + 0.4:.1f}%",
            middle=f"{width * (step + 0.5):.1f}%",
            y=f"{_TOP + _HEIGHT * (1 - count / most):.1f}",
            height=f"{_HEIGHT * count / most:.1f}",
        )
        for step, count in enumerate(own.classes)
    )
    return Histogram(bars, f"{width - 0.8:.1f}%", f"{100 * mean / (STEP * STEPS):.2f}%", mean)


def phases(own: BotTally, limit_us: int | None) -> tuple[PhaseRow, ...]:
    """Return the thinking times of the phases in which it was asked at all."""
    both = (("Pass", own.passes), ("Play", own.plays))
    return tuple(_phase(name, spent, limit_us) for name, spent in both if spent.us)


def _phase(name: str, spent: Spent, limit_us: int | None) -> PhaseRow:
    median, p95, longest = spent.quantiles(0.5, 0.95, 1.0)
    width = f"{min(100.0, 100 * longest / limit_us) if limit_us else 0.0:.1f}%"
    return PhaseRow(name, len(spent.us), median, p95, longest, limit_us, width)
