"""Where the points of a bot go, beside those of the field on the same hands: from records alone, and certain.

The matches of a session have the same boards, so others were dealt each hand that the bot was dealt. Each row
compares the bot with them, hand by hand, so the luck of the deal cancels. Rows of tricks and of suits share
out all points that it took. The others are about the rounds with something in common: there it is compared
with its own other rounds, each beside the field, because a bot that is weak everywhere is no weaker there. No
row says who was to blame.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import fsum
from typing import Final

from arena.match.stand_in import STAND_IN
from arena.papayoo import PAPAYOOS, PAYOO, PLAIN_SUITS, SUIT_MASKS, suit_of
from arena.reviews.costs import clustered
from arena.reviews.decisions import Place, RoundReplay
from arena.reviews.means import Estimate, compare, mean, p_above, survive

_FEWEST: Final = 8
"""In fewer rounds nothing stands out, nor beside fewer others."""
_SEVENS: Final = sum(1 << card for card in PAPAYOOS)
_TOP_PAYOOS: Final = SUIT_MASKS[PAYOO] & ~((1 << 55) - 1)
_SUIT_NAMES: Final = ("Payoo", "the Papayoo's suit", "another suit")
_COUNTS: Final = (
    ("no 7", "one 7", "two 7s or more"),
    ("no Payoo above P15", "one Payoo above P15", "two Payoos above P15 or more"),
    ("no short suit", "one short suit", "two short suits or more"),
)
"""Names for none, one, and two or more. A short suit is a plain suit of at most one card."""

Key = tuple[int, int, str]
"""A row: its group, its place there, and its name."""
_GROUPS: Final = ("tricks", "suit led", "seat", "7s dealt", "Payoos dealt", "suits dealt")
_SHARE_OUT: Final = 2
"""So many of these groups share out all points; the others are about the round as a whole."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row: points a round of the bot in so many `rounds`, and of the `field` on the same hands.

    `difference`: of the two; in a group that does not share out its points, what is more than in the bot's
    other rounds. `stands_out`: it is surely not 0. `field` and `difference` are None where nobody else was
    dealt these hands.
    """

    name: str
    rounds: int
    bot: float
    field: float | None
    difference: Estimate | None
    stands_out: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that belong together. `shares_out`: they share out all points of the bot."""

    name: str
    shares_out: bool
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class _Held:
    """A hand of a board as one bot played it: what it took, by row, and the rows of its round as a whole."""

    bot: str
    place: Place
    points: int
    parts: dict[Key, int]
    belongs: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class _Paired:
    """A round of the bot. `others`: those of other bots with the same hand."""

    own: _Held
    others: list[_Held]

    def beyond(self, key: Key | None = None) -> float:
        """Return by how much the bot took more than the others, in a row or in all."""
        return _taken(self.own, key) - fsum(_taken(each, key) for each in self.others) / len(self.others)


def _taken(held: _Held, key: Key | None) -> int:
    return held.points if key is None else held.parts.get(key, 0)


class PointsTable:
    """The points of a bot, from all rounds of its matches."""

    def __init__(self, bot: str) -> None:
        self._bot = bot
        self._hands: dict[tuple[int, ...], list[_Held]] = defaultdict(list)

    def add(self, replay: RoundReplay, place: Place) -> None:
        """Add a round that is over. `place`: of any decision in it."""
        round_, match = replay.round, place[0]
        for seat, bot in enumerate(replay.bots):
            if bot != STAND_IN:
                position = (seat - round_.dealer) % round_.players
                held = _Held(
                    bot, place, round_.points[seat], _parts(replay, seat),
                    tuple(_belongs(replay.dealt[seat], position)),
                )  # fmt: skip
                self._hands[match.cycle, match.index, place[1], position].append(held)

    def total(self) -> Row:
        """Return all points of the bot beside the field's. Raises ValueError if it has no round."""
        pairs = self._pairs()
        difference = _mean_beyond(pairs, None) if pairs[0].others else None
        return _row("all", pairs, None, difference, False)

    def groups(self) -> tuple[Group, ...]:
        """Return all rows by group; `stands_out` is corrected for all of them. ValueError as `total`."""
        pairs = self._pairs()
        paired = bool(pairs[0].others)
        keys = {key for pair in pairs for each in (pair.own, *pair.others) for key in each.parts}
        keys |= {key for pair in pairs for key in pair.own.belongs}
        rows: list[tuple[Key, list[_Paired], Estimate | None]] = []
        for key in sorted(keys):
            if key[0] < _SHARE_OUT:
                rows.append((key, pairs, _mean_beyond(pairs, key) if paired else None))
            else:
                inside = [pair for pair in pairs if key in pair.own.belongs]
                rows.append((key, inside, _beyond_others(pairs, inside) if paired else None))
        sure = survive([_two_sided(difference) for _, _, difference in rows])
        grouped: dict[int, list[Row]] = defaultdict(list)
        for (key, used, difference), stands_out in zip(rows, sure, strict=True):
            shared_out = key if key[0] < _SHARE_OUT else None
            grouped[key[0]].append(_row(key[2], used, shared_out, difference, stands_out))
        return tuple(
            Group(_GROUPS[group], group < _SHARE_OUT, tuple(listed)) for group, listed in grouped.items()
        )

    def _pairs(self) -> list[_Paired]:
        """Return the rounds of the bot beside those of others. If any has others, those without go."""
        pairs = [
            _Paired(own, [each for each in held if each.bot != self._bot])
            for held in self._hands.values()
            for own in held
            if own.bot == self._bot
        ]
        if not pairs:
            raise ValueError(f"no round of {self._bot} is among these matches")
        return [pair for pair in pairs if pair.others] or pairs


def _parts(replay: RoundReplay, seat: int) -> dict[Key, int]:
    """Return what a seat took, shared out by trick and by the suit that was led."""
    tricks, suit = replay.round.tricks, replay.round.papayoo_suit
    bounds = [len(tricks) * third // 3 for third in range(4)]
    found: dict[Key, int] = {(1, number, name): 0 for number, name in enumerate(_SUIT_NAMES)}
    for first, end in pairwise(bounds):
        taken = sum(trick.points for trick in tricks[first:end] if trick.taker == seat)
        found[0, first, f"{first} to {end - 1}"] = taken
    for trick in tricks:
        if trick.taker == seat:
            led = suit_of(trick.cards[0])
            number = 0 if led == PAYOO else 1 if led == suit else 2
            found[1, number, _SUIT_NAMES[number]] += trick.points
    return found


def _belongs(dealt: int, position: int) -> Iterator[Key]:
    """Yield the rows to which a round belongs. `position`: seats to the left of the dealer."""
    yield 2, position, f"{position} left of the dealer" if position else "the dealer"
    short = sum((dealt & SUIT_MASKS[suit]).bit_count() <= 1 for suit in PLAIN_SUITS)
    counts = (dealt & _SEVENS).bit_count(), (dealt & _TOP_PAYOOS).bit_count(), short
    for group, (count, names) in enumerate(zip(counts, _COUNTS, strict=True), start=3):
        yield group, min(2, count), names[min(2, count)]


def _mean_beyond(pairs: Iterable[_Paired], key: Key | None) -> Estimate:
    return mean(clustered((pair.own.place, pair.beyond(key)) for pair in pairs))


def _beyond_others(pairs: list[_Paired], inside: list[_Paired]) -> Estimate | None:
    """Return by how much the bot is worse beside the field in these rounds than in its others."""
    chosen = set(map(id, inside))
    outside = [pair for pair in pairs if id(pair) not in chosen]
    if min(len(inside), len(outside)) < _FEWEST:
        return None
    beyond = clustered((pair.own.place, pair.beyond()) for pair in (*inside, *outside))
    return compare(beyond[: len(inside)], beyond[len(inside) :])


def _two_sided(found: Estimate | None) -> float:
    if found is None or not found.error:
        return 1.0
    above = p_above(found)
    return min(1.0, 2 * min(above, 1 - above))


def _row(
    name: str, pairs: list[_Paired], key: Key | None, difference: Estimate | None, stands_out: bool
) -> Row:
    bot = fsum(_taken(pair.own, key) for pair in pairs) / len(pairs)
    fields = [_taken(pair.own, key) - pair.beyond(key) for pair in pairs if pair.others]
    field = fsum(fields) / len(fields) if fields else None
    return Row(name, len(pairs), bot, field, difference, stands_out)
