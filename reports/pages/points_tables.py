"""Builds the tables of where a bot's points go, and its luck ledger. It reads and writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from arena.review.clusters import Estimate
from arena.review.ledger import Ledger, Part
from arena.review.phases import Phase
from arena.review.points import PapayooWay, Row, Split, Suit
from reports.pages.moments import estimated, plus_minus
from reports.text import points

__all__ = ["LedgerRow", "PointsRow", "PointsTable", "ledger_rows", "points_tables"]

_SURE = 2.0
"""So many standard errors are needed for a shade."""

_STEPS = (0.5, 1.5)
"""The points a round from which on a shade is darker."""

_DIGITS = 2

_TITLES: Mapping[Split, str] = {
    Split.TAKEN: "Taken, by the card that took the trick",
    Split.GIVEN: "Given to others, by how its card went",
    Split.TRICK: "Taken, by trick",
    Split.SUIT: "Taken, by the suit that was led",
    Split.PAPAYOO: "Taken with the Papayoo",
}

_NAMES: Mapping[Split, Mapping[str, str]] = {
    Split.TAKEN: {
        Phase.PASS: "One received in the pass",
        Phase.LEAD: "One that it led",
        Phase.FOLLOW: "One that followed suit",
    },
    Split.GIVEN: {
        Phase.PASS: "Passed",
        Phase.LEAD: "Led",
        Phase.FOLLOW: "Followed suit",
        Phase.DISCARD: "Discarded",
    },
    Split.SUIT: {
        Suit.PAYOO: "Payoo",
        Suit.PAPAYOO: "The Papayoo’s suit",
        Suit.PLAIN: "Another suit",
    },
    Split.PAPAYOO: {
        PapayooWay.LED: "It led it itself",
        PapayooWay.THROWN: "It was thrown it",
        PapayooWay.FORCED: "It was forced to take it",
        PapayooWay.CHOSEN: "It could have stayed under",
    },
}

_PARTS: Mapping[Part, str] = {
    Part.DEAL: "Deal",
    Part.DIE: "Die",
    Part.PASSED_IN: "Cards passed in",
    Part.OPPONENTS: "Opponents’ strength",
    Part.MISTAKES: "Its own mistakes",
    Part.REST: "Rest",
}


@dataclass(frozen=True, slots=True)
class PointsRow:
    """A row: points a round of the bot, the field and the best bot; the difference with its error.

    `shade`: the class of a sure difference, "a1" to "a3" where it is worse than the field, "b1" to "b3"
    where it is better, else empty.
    """

    name: str
    bot: str
    field: str
    best: str
    difference: str
    shade: str


@dataclass(frozen=True, slots=True)
class PointsTable:
    """One way to share out the points."""

    title: str
    rows: tuple[PointsRow, ...]


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """A part of the difference from par. `x`, `width`: of its bar, `low`, `high`: of its error, in percent.

    They are empty where nothing is known. `side`: "above" for what costs points, else "below".
    """

    name: str
    amount: str
    side: str
    x: str = ""
    width: str = ""
    low: str = ""
    high: str = ""


def points_tables(rows: Iterable[Row]) -> tuple[PointsTable, ...]:
    """Return the tables, in the order of the rows."""
    own: dict[Split, list[PointsRow]] = {}
    for row in rows:
        own.setdefault(row.split, []).append(_points_row(row))
    return tuple(PointsTable(_TITLES[split], tuple(found)) for split, found in own.items())


def _points_row(row: Row) -> PointsRow:
    name = f"Trick {int(row.name) - 1}" if row.split is Split.TRICK else _NAMES[row.split][row.name]
    bot, field, best = (points(value, _DIGITS) for value in (row.bot, row.field, row.best))
    return PointsRow(name, bot, field, best, estimated(row.difference), _shade(row.difference, row.split))


def _shade(difference: Estimate, split: Split) -> str:
    size = abs(difference.value)
    if difference.error is None or size <= _SURE * difference.error:
        return ""
    # What is given to others is good.
    worse = (difference.value > 0) is not (split is Split.GIVEN)
    return f"{'a' if worse else 'b'}{1 + sum(size >= step for step in _STEPS)}"


def ledger_rows(found: Ledger) -> tuple[str, tuple[LedgerRow, ...]]:
    """Return the place of 0 in percent, and the rows: the parts, and last what they add up to.

    The rest is what is left of the numbers as they are written, so that these add up too.
    """
    parts = {part: found.parts.get(part) for part in Part}
    known = [_rounded(one) for part, one in parts.items() if one is not None and part is not Part.REST]
    rest = parts[Part.REST]
    if rest is not None:
        left = _rounded(found.difference) - sum(known)
        parts[Part.REST] = Estimate(left, rest.error, rest.freedom)
    lines = [(_PARTS[part], one) for part, one in parts.items()]
    lines.append(("Difference from par", found.difference))
    ends = [end for __, one in lines if one is not None for end in _ends(one)]
    scale = _Scale(min(0.0, *ends), max(0.0, *ends))
    return scale.place(0.0), tuple(_ledger_row(name, one, scale) for name, one in lines)


def _rounded(one: Estimate) -> float:
    return round(one.value, _DIGITS)


def _ends(one: Estimate) -> tuple[float, float]:
    error = one.error or 0.0
    return one.value - error, one.value + error


class _Scale:
    """Maps points to percent of the width, with a little room at both ends."""

    def __init__(self, low: float, high: float) -> None:
        self._low, self._factor = low, 96 / max(high - low, 0.1)

    def place(self, value: float) -> str:
        return f"{2 + self._factor * (value - self._low):.1f}%"

    def width(self, value: float) -> str:
        return f"{self._factor * abs(value):.1f}%"


def _ledger_row(name: str, one: Estimate | None, scale: _Scale) -> LedgerRow:
    if one is None:
        return LedgerRow(name, "–", "below")
    low, high = _ends(one)
    return LedgerRow(
        name=name,
        amount=plus_minus(one.value, one.error, _DIGITS),
        side="above" if one.value > 0 else "below",
        x=scale.place(min(0.0, one.value)),
        width=scale.width(one.value),
        low=scale.place(low),
        high=scale.place(high),
    )
