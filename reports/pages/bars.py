"""Turns counts of one bot into small tables with bars. Reads and writes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

from reports.pages.field import Best, Field, shares
from reports.tally import BotTally
from reports.text import ordinal


@dataclass(frozen=True, slots=True)
class ShareRow:
    """A share of its matches: `value` as it is written, of `count` matches, drawn as a bar.

    `field`, `best`: the same share of the field and of the best bot, "–" without them. `width`: of the bar,
    in percent of its cell.
    """

    name: str
    count: int
    value: str
    field: str
    best: str
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


def by_place(own: BotTally, field: Field, best: Best | None) -> tuple[ShareRow, ...]:
    """Return the shares of the matches that it finished at each place, beside the field's."""
    theirs = shares(best.tally.places) if best else ()
    return tuple(
        ShareRow(
            ordinal(at + 1),
            count,
            percent(count, own.matches),
            percent(field.places[at], 1) if field.places else "–",
            percent(theirs[at], 1) if theirs else "–",
            f"{100 * count / own.matches if own.matches else 0.0:.1f}%",
        )
        for at, count in enumerate(own.places)
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
