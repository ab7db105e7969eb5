"""Draws how points and times are distributed, beside the field and the best bot. Reads and writes nothing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log

from arena.translating import _, decimals, pgettext
from reports.pages.bars import percent
from reports.pages.field import Best, Field, shares
from reports.tally import STEP, STEPS, BotTally
from reports.text import milliseconds, number
from reports.thinking import EDGES_US, SHARES, Spent, Thinking

__all__ = [
    "Column",
    "Mark",
    "PhaseRow",
    "PointsHistogram",
    "TimesHistogram",
    "phases",
    "points_of",
    "times_of",
]

_HEIGHT = 120  # pixels of the highest bar
_TOP = 18  # above it, for its number
_LEAST = 1.5  # pixels of the smallest bar
_MARK = 13  # pixels between the words of two marks, which may stand at the same place
_NUMBER = 20  # pixels that the number of a column takes above it


@dataclass(frozen=True, slots=True)
class Column:
    """A class of points or times. `x`, `middle` in percent of the width; the others in pixels from the top.

    `count` and `share`: of the bot; `field` and `best`: the shares of the field and of the best bot, "–"
    without them; `field_y`, `best_y`: where they are drawn, empty for none. `top`: what `count` stands above,
    that is the bar and the field's line, and the dot of the best if that would be in its way.
    """

    name: str
    count: int
    share: str
    field: str
    best: str
    x: str
    middle: str
    y: str
    height: str
    field_y: str
    best_y: str
    top: str


@dataclass(frozen=True, slots=True)
class PointsHistogram:
    """The distribution of the points of a round. `mean`: the place of their mean, in percent of the width."""

    columns: tuple[Column, ...]
    width: str
    mean: str
    mean_points: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A time in the histogram of times: its place in percent of the width, and where its words stand.

    `y`: of the words, in pixels; `anchor`: "start" or "end".
    """

    words: str
    x: str
    y: str
    anchor: str


@dataclass(frozen=True, slots=True)
class TimesHistogram:
    """The distribution of the times of all decisions. `edges`: the times between the columns.

    `marks`: within what time so many decisions were made; `limit`: of a decision, None where it is not known.
    """

    columns: tuple[Column, ...]
    width: str
    edges: tuple[Mark, ...]
    marks: tuple[Mark, ...]
    limit: Mark | None


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """The time of a phase in microseconds, for the bot itself, the middle of the field, or the best bot.

    `who`: "Pass" or "Play" for the bot itself. `decisions`: empty of others. `quantiles`: see `SHARES`.
    `limit_us`: 0 if the league file names none.
    """

    who: str
    own: bool
    decisions: str
    quantiles: tuple[int, ...]
    limit_us: int


def points_of(own: BotTally, field: Field, best: Best | None) -> PointsHistogram | None:
    """Return the distribution of the card points of its rounds; None before the first."""
    if not own.rounds:
        return None
    names = [f"{STEP * step}–{STEP * (step + 1) - (step + 1 < STEPS)}" for step in range(STEPS)]
    columns = _columns(names, own.classes, field.classes, shares(best.tally.classes) if best else (), 1)
    mean = sum(total for __, total in own.seats) / own.rounds
    return PointsHistogram(columns, _width(STEPS), f"{100 * mean / (STEP * STEPS):.2f}%", mean)


def times_of(own: BotTally, field: Field, best: Best | None, limit_us: int) -> TimesHistogram | None:
    """Return the distribution of the times of its decisions; None before the first."""
    thinking = own.thinking
    if thinking is None:
        return None
    theirs = shares(best.tally.thinking.classes) if best and best.tally.thinking else ()
    scale = _TimeScale(thinking, (field.times, theirs), limit_us)
    columns = _columns(
        scale.names(), scale.cut(thinking.classes), scale.cut(field.times), scale.cut(theirs), 2,
        _TOP + _MARK * (len(SHARES) - 1),
    )  # fmt: skip
    marks = [
        scale.mark(us, _within(share, us), 10 + _MARK * row)
        for row, (share, us) in enumerate(zip(SHARES[:-1], thinking.quantiles, strict=False))
    ]
    said = _("limit %(time)s", time=milliseconds(limit_us))
    limit = scale.mark(limit_us, said, 10) if limit_us else None
    return TimesHistogram(columns, _width(len(columns)), tuple(scale.edges()), tuple(marks), limit)


def _within(share: float, us: int) -> str:
    return _("%(share)s %%: %(time)s", share=decimals(f"{100 * share:.4g}"), time=milliseconds(us))


def phases(own: BotTally, field: Field, best: Best | None, limit_us: int) -> Iterator[PhaseRow]:
    """Yield the times of the phases in which it was asked at all, each beside the field and the best bot."""
    for name, spent in ((pgettext("phase", "Pass"), _passes), (pgettext("phase", "Play"), _plays)):
        if not (mine := spent(own)).us:
            continue
        yield PhaseRow(name, True, number(len(mine.us)), mine.quantiles(*SHARES), limit_us)
        if middle := field.middle_times(spent, SHARES):
            yield PhaseRow(_("Field"), False, "", tuple(middle), 0)
        if best and (theirs := spent(best.tally)).us:
            yield PhaseRow(best.word, False, "", theirs.quantiles(*SHARES), 0)


def _passes(tally: BotTally) -> Spent:
    return tally.passes


def _plays(tally: BotTally) -> Spent:
    return tally.plays


class _TimeScale:
    """The classes of times that are shown: from the shortest to the longest of all, and to the limit."""

    def __init__(self, own: Thinking, others: Sequence[Sequence[float]], limit_us: int) -> None:
        seen = {at for counts in (own.classes, *others) for at, count in enumerate(counts) if count}
        last = max(seen) if not limit_us else max(*seen, _class_of(limit_us))
        self._first, self._past = min(seen), last + 1
        # Two columns at least, so that a single one does not fill the page.
        if self._past - self._first < 2 <= self._past:
            self._first -= 1

    def cut(self, counts: Sequence[float]) -> Sequence[float]:
        return counts[self._first : self._past]

    def names(self) -> list[str]:
        """Return the name of each class: "up to 0.2 ms"."""
        inside = [_("up to %(time)s", time=_short(edge)) for edge in EDGES_US[self._first : self._past]]
        over = _("over %(time)s", time=_short(EDGES_US[-1]))
        return [*inside, over][: self._past - self._first]

    def edges(self) -> Iterator[Mark]:
        for at in range(self._first, min(self._past - 1, len(EDGES_US))):
            x = 100 * (at + 1 - self._first) / (self._past - self._first)
            yield Mark(_short(EDGES_US[at]), f"{x:.1f}%", "", "")

    def mark(self, us: int, words: str, y: int) -> Mark:
        at = _class_of(us)
        high = EDGES_US[at] if at < len(EDGES_US) else 2 * EDGES_US[-1]
        low = EDGES_US[at - 1] if at else EDGES_US[0] / 2
        within = min(1.0, max(0.0, log(max(us, 1) / low) / log(high / low)))
        x = 100 * (at + within - self._first) / (self._past - self._first)
        return Mark(words, f"{x:.1f}%", str(y), "start" if x < 80 else "end")


def _class_of(us: int) -> int:
    return bisect_left(EDGES_US, us)


def _short(us: int) -> str:
    return decimals(f"{us // 1_000_000} s" if us >= 1_000_000 else f"{us / 1000:g} ms")


def _width(columns: int) -> str:
    return f"{100 / columns - 0.8:.1f}%"


def _columns(
    names: Sequence[str],
    counts: Sequence[float],
    field: Sequence[float],
    best: Sequence[float],
    digits: int,
    top: int = _TOP,
) -> tuple[Column, ...]:
    """Return the columns, as high as the shares are. `digits`: of a share in percent."""
    total, width = sum(counts), 100 / len(names)
    own = [count / total for count in counts]
    most = max(*own, *field, *best)

    def place(share: float) -> str:
        # What is there at all is seen, however little.
        return f"{top + _HEIGHT - max(_LEAST, _HEIGHT * share / most):.1f}" if share else ""

    def above(highest: float, dot: float) -> float:
        return dot if 0 < dot - highest < most * _NUMBER / _HEIGHT else highest

    return tuple(
        Column(
            name=name,
            count=int(count),
            share=percent(share, 1, digits),
            field=percent(field[at], 1, digits) if field else "–",
            best=percent(best[at], 1, digits) if best else "–",
            x=f"{width * at + 0.4:.1f}%",
            middle=f"{width * (at + 0.5):.1f}%",
            y=place(share),
            height=f"{max(_LEAST, _HEIGHT * share / most):.1f}" if share else "",
            field_y=place(field[at]) if field else "",
            best_y=place(best[at]) if best else "",
            top=place(above(max(share, field[at] if field else 0), best[at] if best else 0)),
        )
        for at, (name, count, share) in enumerate(zip(names, counts, own, strict=True))
    )
