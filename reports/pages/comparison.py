"""Compares bots on the leaderboard: head to head, over the cycles, by place at the table.

It reads and writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from arena.standings import Moment, Standing
from reports.facts import LeagueFacts
from reports.pages.bars import ShareRow, by_dealer, by_seat
from reports.pages.words import bot_path
from reports.tally import BotTally, Meeting
from reports.text import points

__all__ = ["Course", "HeatMap", "Positions", "course", "heat_map", "positions"]

_TONES = (0.04, 0.2, 0.6)
"""Shares of par from which a difference counts as some, clear and large."""

_LINE = 20  # pixels that a name beside the drawing needs
_LEAST_HEIGHT = 200
_MARGIN = 6.0  # percent kept free above and below, so that no line touches the edge


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


@dataclass(frozen=True, slots=True)
class CourseLine:
    """The scores of a bot after each of the cycles shown, "–" before its first.

    `points`: the same as places "x,y" in a square of 100 by 100; `end`: the place of its name beside the
    drawing, in percent of the height; `side`: its side of par at the end, "below" or "above".
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
    """Card points a round of all bots together, by seat and by distance from the dealer."""

    seats: tuple[ShareRow, ...]
    dealing: tuple[ShareRow, ...]


def heat_map(facts: LeagueFacts, rows: Sequence[Standing]) -> HeatMap | None:
    """Return every bot in `rows` against every other; None if nobody met anybody."""
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


def course(facts: LeagueFacts) -> Course | None:
    """Return how the scores moved from cycle to cycle; None before the second complete one."""
    moments = facts.course
    if len(moments) < 2:
        return None
    lines = [(row, _scores(moments, row.bot)) for row in facts.standings.rows]
    known = [score for _, scores in lines for score in scores if score is not None]
    if not known:
        return None
    scale = _Scale(min(*known, facts.standings.par), max(*known, facts.standings.par))
    height = max(_LEAST_HEIGHT, _LINE * len(lines))
    drawn = [(row, scores) for row, scores in lines if scores[-1] is not None]
    ends = _apart([scale.place(scores[-1] or 0.0) for _, scores in drawn], 100 * _LINE / height)
    cycles = tuple(moment.cycles for moment in moments)
    return Course(
        cycles=cycles,
        all_cycles=cycles[-1],
        lines=tuple(
            _line(facts, row.bot, scores, scale, end) for (row, scores), end in zip(drawn, ends, strict=True)
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


def _scores(moments: Sequence[Moment], bot: str) -> list[float | None]:
    found = ({row.bot: row.score for row in moment.standings.rows} for moment in moments)
    return [scores.get(bot) for scores in found]


def _line(
    facts: LeagueFacts, bot: str, scores: Sequence[float | None], scale: _Scale, end: float
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
        side="below" if (scores[-1] or 0.0) < facts.standings.par else "above",
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


def positions(facts: LeagueFacts) -> Positions | None:
    """Return where at the table points are made; None before the first round that counts."""
    total = BotTally(facts.season.seats)
    for own in facts.tallies.values():
        total.rounds += own.rounds
        total.seats = list(_added(total.seats, own.seats))
        total.dealing = list(_added(total.dealing, own.dealing))
    if not total.rounds:
        return None
    par = facts.standings.par
    return Positions(by_seat(total, par), by_dealer(total, par))


def _added(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    return ((a + c, b + d) for (a, b), (c, d) in zip(one, other, strict=True))
