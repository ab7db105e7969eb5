"""Draws the points that reviewed bots were expected to have, round by round, with their costly decisions.

It places the marks of a graph as text ready for SVG, and says in words what they are. It reads nothing, and
whoever calls it knows that the cards may be shown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from arena.match.relabel import Relabelling
from arena.papayoo import POINTS_PER_ROUND
from arena.review.discovery import blunders
from arena.review.findings import Place
from arena.review.reviewed import Reviewed
from reports.pages.moments import CardGroup, as_it_lay, faces, plus_minus, question_words
from reports.pages.rounds import RoundPart
from reports.text import points

__all__ = ["Costly", "Graph", "RoundReview", "round_reviews"]

_HEIGHT = 100.0
_EVERY = 5
"""So many tricks are between two marks of the axis."""

_ROOM = 6.0
"""Percent kept free at each side, so that no mark touches the edge."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a graph, in percent from the left and from above."""

    x: str
    y: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the axis: its place from the left in percent, and its label."""

    x: str
    label: str


@dataclass(frozen=True, slots=True)
class Costly:
    """A decision that surely cost points.

    `id`: of its note on the page; `anchor`: of the card in the replay; `where`: "trick 3". `cost`: with its
    error; `lay`: what it did with the cards as they lay; `brief`: cost and better cards, as text.
    """

    id: str
    anchor: str
    where: str
    question: int
    chosen: tuple[CardGroup, ...]
    best: tuple[CardGroup, ...]
    cost: str
    lay: str
    brief: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class Graph:
    """The expected points of one seat in one round.

    `line`: places "x,y" in a square of 100 by 100, one for each reviewed decision, and last the end of the
    round; `area`: below it. `par`: the place of the average from above, and `average` its points. `words`:
    the same for those who listen. `end`: the points that it got.
    """

    seat: int
    bot: str
    line: str
    area: str
    par: str
    average: str
    ticks: tuple[Tick, ...]
    last: Mark
    end: str
    words: str
    costly: tuple[Costly, ...]


@dataclass(frozen=True, slots=True)
class RoundReview:
    """The reviewed decisions of a round: a graph for each seat that has any."""

    graphs: tuple[Graph, ...]

    def note(self, question: int, seat: int) -> Costly | None:
        """Return what is said of a decision; None if it was not costly."""
        notes = (note for graph in self.graphs if graph.seat == seat for note in graph.costly)
        return next((note for note in notes if note.question == question), None)


def round_reviews(
    parts: Iterable[RoundPart],
    suits: str,
    reviewed: Collection[Reviewed],
    named: Collection[Place],
    prefix: str = "",
) -> dict[int, RoundReview]:
    """Return what is shown of the rounds of a match that have reviewed decisions, by their numbers.

    `suits`: as in `Relabelling`. `named`: decisions that a review of the whole season calls costly. Others
    are if they are blunders (`arena.review.discovery`) among those of the bot in this match. `prefix`: of all
    anchors, where a page shows several matches.
    """
    by_bot: defaultdict[str, list[Reviewed]] = defaultdict(list)
    by_seat: defaultdict[tuple[int, int], list[Reviewed]] = defaultdict(list)
    for one in reviewed:
        by_bot[one.bot].append(one)
        by_seat[one.round, one.seat].append(one)
    costly = {one.place for own in by_bot.values() for one in blunders(own)} | set(named)
    found = {}
    for part in parts:
        rows = [row for row in part.hands if (part.number, row.seat) in by_seat]
        drawn = (_Drawing(part, row.seat, suits, by_seat[part.number, row.seat], prefix) for row in rows)
        graphs = tuple(one.graph(row.bot, costly) for one, row in zip(drawn, rows, strict=True))
        if graphs:
            found[part.number] = RoundReview(graphs)
    return found


class _Drawing:
    """The graph of a seat in a round. Decisions are in the order of the round."""

    def __init__(
        self, part: RoundPart, seat: int, suits: str, decisions: Sequence[Reviewed], prefix: str
    ) -> None:
        self._part = part
        self._here = f"{prefix}r{part.number}"
        self._seat = seat
        self._suits = suits
        self._decisions = sorted(decisions, key=lambda one: one.question)
        self._end = part.tricks[-1].running[seat]
        self._par = POINTS_PER_ROUND / len(part.hands)
        self._top = max(2 * self._par, self._end, *(one.expected for one in decisions))

    def graph(self, bot: str, costly: Collection[Place]) -> Graph:
        last = len(self._part.tricks) + 1  # after the last trick
        values = [(one.question, one.expected) for one in self._decisions]
        values.append((last, float(self._end)))
        places = [(self._across(question), self._down(value)) for question, value in values]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        left, right = places[0][0], places[-1][0]
        return Graph(
            seat=self._seat,
            bot=bot,
            line=line,
            area=f"{left:.1f},{_HEIGHT:.0f} {line} {right:.1f},{_HEIGHT:.0f}",
            par=f"{self._down(self._par):.1f}%",
            average=points(self._par, 1),
            ticks=tuple(self._ticks()),
            last=self._mark(*values[-1]),
            end=str(self._end),
            words=self._words(),
            costly=tuple(self._costly(one) for one in self._decisions if one.place in costly),
        )

    def _ticks(self) -> Iterator[Tick]:
        tricks = len(self._part.tricks)
        yield Tick(f"{self._across(0):.1f}%", "pass")
        for trick in range(0, tricks, _EVERY):
            if trick:
                yield Tick(f"{self._across(trick + 1):.1f}%", f"trick {trick}")
        yield Tick(f"{self._across(tricks + 1):.1f}%", "end")

    def _words(self) -> str:
        return ", ".join(
            f"{question_words(one.question)} {points(one.expected, 0)}"
            for one in self._decisions
        )  # fmt: skip

    def _across(self, question: int) -> float:
        return _ROOM / 2 + (100 - _ROOM) * question / (len(self._part.tricks) + 1)

    def _down(self, value: float) -> float:
        return _HEIGHT - (_HEIGHT - _ROOM) * value / self._top

    def _mark(self, question: int, value: float) -> Mark:
        return Mark(f"{self._across(question):.1f}%", f"{self._down(value):.1f}%")

    def _costly(self, one: Reviewed) -> Costly:
        papayoo = self._papayoo if one.question else None
        cost = plus_minus(one.cost, one.error)
        better = " ".join(Relabelling.of(self._suits).names(one.best))
        return Costly(
            id=f"{self._here}s{one.seat}q{one.question}",
            anchor=self._anchor(one),
            where=question_words(one.question),
            question=one.question,
            chosen=faces(self._suits, one.chosen, papayoo),
            best=faces(self._suits, one.best, papayoo),
            cost=cost,
            lay=as_it_lay(one),
            brief=f"costs {cost}; better: {better}",
            mark=self._mark(one.question, one.expected),
        )

    def _anchor(self, one: Reviewed) -> str:
        if one.trick is None:
            return f"{self._here}p"
        trick = self._part.tricks[one.trick]
        turn = (one.seat - trick.leader) % len(trick.cards)
        return f"{self._here}t{one.trick}c{turn}"

    @property
    def _papayoo(self) -> int:
        return Relabelling.of(self._suits).suits.index(self._part.papayoo.name[0])
