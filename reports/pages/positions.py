"""Where at the table points are made: by seat, by distance from the dealer. It reads and writes nothing.

The matches of a session have the same boards, and in all of them a hand lies at the same seat. So seats are
compared within sessions, and errors are those between sessions (`reports.sittings`). A bot is compared with
those who held the same hands, so that the luck of the cards does not look like a seat that suits it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from arena.translating import N_, _
from reports.facts import LeagueFacts
from reports.pages.field import Best
from reports.sittings import Effects
from reports.tally import BotTally
from reports.text import listed, points, signed

__all__ = ["PlaceRow", "Places", "places_of", "positions"]

_DRAWN = 44.0  # percent of the cell on each side of its middle that the longest interval may take


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """A place at the table, with points a round as they are written.

    `others`: what others made of the same cards; `best`: of the best bot of the field; `more`: than at all
    places on average, with its `error`. `x`, `width`, `at`: of its interval as drawn, in percent of the
    cell, whose middle is 0. `sure`: whether the interval leaves out 0. What is not known is "–" or empty.
    """

    name: str
    rounds: int
    points: str
    others: str
    best: str
    more: str
    error: str
    x: str
    width: str
    at: str
    sure: bool

    @property
    def worse(self) -> bool:
        """Return whether there are surely more points here."""
        return self.sure and self.more.startswith("+")


@dataclass(frozen=True, slots=True)
class Places:
    """Points a round by seat, by distance from the dealer, and what is sure of them, in words."""

    seats: tuple[PlaceRow, ...]
    dealing: tuple[PlaceRow, ...]
    answer: str


def positions(facts: LeagueFacts) -> Places | None:
    """Return where at the table points are made by all bots; None before the first round that counts."""
    total = BotTally(facts.season.seats)
    for own in facts.tallies.values():
        total.rounds += own.rounds
        total.seats = list(_added(total.seats, own.seats))
        total.dealing = list(_added(total.dealing, own.dealing))
    if not total.rounds:
        return None
    return _places(total, facts.sittings.everybody, None, _ALL)


def places_of(facts: LeagueFacts, bot: str, own: BotTally, best: Best | None) -> Places | None:
    """Return the same of one bot; None before its first round that counts."""
    return _places(own, facts.sittings.of(bot), best, _ONE) if own.rounds else None


@dataclass(frozen=True, slots=True)
class _Words:
    """How the answer is said: of places with fewer points, with more, of both; of nothing, and before all.

    None is translated yet.
    """

    fewer: str
    more: str
    both: str
    nothing: str
    unknown: str


_ALL = _Words(
    N_("Bots take surely fewer points %(fewer)s than over all places."),
    N_("Bots take surely more points %(more)s than over all places."),
    N_("Bots take surely fewer points %(fewer)s and surely more points %(more)s than over all places."),
    N_("No seat and no distance from the dealer is surely better than another."),
    N_("Whether one place is better than another cannot be said before three sessions are complete."),
)
_ONE = _Words(
    N_("Beside others with the same cards it does surely better %(fewer)s than at its places on average."),
    N_("Beside others with the same cards it does surely worse %(more)s than at its places on average."),
    N_(
        "Beside others with the same cards it does surely better %(fewer)s and surely worse %(more)s than at"
        " its places on average."
    ),
    N_(
        "No seat and no distance from the dealer is surely better or worse for it than for others with the"
        " same cards."
    ),
    N_(
        "Whether one place is better for it than another cannot be said before three of its sessions are"
        " complete."
    ),
)


def _places(own: BotTally, effects: tuple[Effects, Effects], best: Best | None, words: _Words) -> Places:
    size = own.size
    names = (list(_seats(size)), list(_distances(size)))
    tables = (own.seats, own.dealing)
    of_best = (best.tally.seats, best.tally.dealing) if best else ([(0, 0)] * size, [(0, 0)] * size)
    reach = max((_extent(each, 2 * size) for each in effects), default=0.0) or 1.0
    rows = [
        tuple(_row(name, table[at], theirs[at], each, at, reach) for at, name in enumerate(called))
        for called, table, theirs, each in zip(names, tables, of_best, effects, strict=True)
    ]
    answer = _answer(zip([*names[0], *names[1]], [*rows[0], *rows[1]], strict=True), words)
    return Places(rows[0], rows[1], answer)


@dataclass(frozen=True, slots=True)
class _Name:
    """What a place is called in a table, and in a sentence."""

    name: str
    where: str


def _seats(size: int) -> Iterator[_Name]:
    for seat in range(size):
        yield _Name(_("Seat %(seat)s", seat=seat), _("at seat %(seat)s", seat=seat))


def _distances(size: int) -> Iterator[_Name]:
    yield _Name(_("Dealer"), _("as dealer"))
    yield _Name(_("Left of the dealer"), _("left of the dealer"))
    for at in range(2, size - 1):
        where = _("%(seats)s seats left of the dealer", seats=at)
        yield _Name(_("%(seats)s to the left", seats=at), where)
    yield _Name(_("Right of the dealer"), _("right of the dealer"))


def _extent(effects: Effects, comparisons: int) -> float:
    """Return how far from 0 an interval reaches."""
    places = range(len(effects.sums))
    return max(abs(effects.mean(at)) + (effects.half_width(at, comparisons) or 0.0) for at in places)


def _row(
    name: _Name, own: tuple[int, int], best: tuple[int, int], effects: Effects, place: int, reach: float
) -> PlaceRow:
    mean, others = effects.mean(place), effects.others_mean(place)
    # All places of both tables are looked at, so the intervals are wide enough for all of them together.
    error = effects.half_width(place, 2 * len(effects.sums))
    half = _DRAWN * (error or 0.0) / reach
    at = 50 + _DRAWN * mean / reach
    return PlaceRow(
        name=name.name,
        rounds=own[0],
        points=_mean(own),
        others="–" if others is None else points(others),
        best=_mean(best),
        more=signed(mean) if effects.sessions else "–",
        error="" if error is None else points(error),
        x=f"{at - half:.1f}%",
        width=f"{2 * half:.1f}%" if error is not None else "",
        at=f"{at:.1f}%",
        sure=error is not None and abs(mean) > error,
    )


def _mean(own: tuple[int, int]) -> str:
    return points(own[1] / own[0]) if own[0] else "–"


def _answer(rows: Iterable[tuple[_Name, PlaceRow]], words: _Words) -> str:
    known = [(name, row) for name, row in rows if row.error]
    if not known:
        return _(words.unknown)
    sure = [(f"{name.where} ({row.more} ± {row.error})", row.more[0]) for name, row in known if row.sure]
    fewer, more = (listed([where for where, sign in sure if sign == wanted]) for wanted in "−+")
    if fewer and more:
        return _(words.both, fewer=fewer, more=more)
    if fewer:
        return _(words.fewer, fewer=fewer)
    return _(words.more, more=more) if more else _(words.nothing)


def _added(one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    return ((a + c, b + d) for (a, b), (c, d) in zip(one, other, strict=True))
