"""What the page of one bot shows: who it is, where its points come from, how it thinks, what it did wrong."""

from __future__ import annotations

from dataclasses import dataclass

from reports.model.listing import ListedMatch

__all__ = ["BotPage", "FaultLine", "Histogram", "HistogramBar", "OpponentRow", "PhaseRow", "ShareRow"]


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
    """Rounds with so many points. `x` and `width` in percent; `y` and `height` in pixels."""

    name: str
    count: int
    share: str
    x: str
    middle: str
    y: str
    height: str


@dataclass(frozen=True, slots=True)
class Histogram:
    """How the points of a round are spread. `mean`: where their mean lies, in percent of the width."""

    bars: tuple[HistogramBar, ...]
    width: str
    mean: str
    mean_points: float


@dataclass(frozen=True, slots=True)
class OpponentRow:
    """The bot against another one: `difference` of their scores, below 0 when the bot is better.

    `half_width`: of that difference, 95 % if looked at once; `verdict`: what is sure of the pair, in
    words; both empty or None without intervals or verdicts. `together`: points a round more than the
    other at the same tables; `ahead`: share of those matches in which it had fewer points.
    """

    name: str
    path: str
    difference: float | None
    half_width: float | None
    verdict: str
    matches: int
    together: float | None
    ahead: str


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """The thinking time of a phase in microseconds; `limit_us` None when the league's file names none.

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
class FaultLine:
    """One fault. `path`: the way to the very trick, None without a page; `where`: "round 1, trick 4".

    `asked`: what it was asked for. `reason` and `sent` are empty, and `hidden` says why, while they
    must not be shown; so is `last_words`, the end of its standard error in that match.
    """

    date: str
    match: int
    path: str | None
    where: str
    asked: str
    kind: str
    reason: str
    sent: str
    hidden: str
    last_words: str
    wall_us: int


@dataclass(frozen=True, slots=True)
class BotPage:
    """Everything on the page of one bot.

    `identity`: terms with what is said; `marks`: what else others should know of how it behaved, with
    the matches. `faults`: the newest; `faults_total`: all. `url`: only a harmless address.
    """

    bot: str
    name: str
    note: str
    sentence: str
    identity: tuple[tuple[str, str], ...]
    command: str
    url: str
    matches: int
    rounds: int
    par: float
    histogram: Histogram | None
    seats: tuple[ShareRow, ...]
    dealing: tuple[ShareRow, ...]
    places: tuple[ShareRow, ...]
    papayoo: str
    opponents: tuple[OpponentRow, ...]
    phases: tuple[PhaseRow, ...]
    faults: tuple[FaultLine, ...]
    faults_total: int
    kinds: str
    best: tuple[ListedMatch, ...]
    worst: tuple[ListedMatch, ...]
    last: tuple[ListedMatch, ...]
    marks: tuple[tuple[ListedMatch, str], ...]
