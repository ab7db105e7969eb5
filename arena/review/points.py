"""Where the points go: by phase, by trick, by suit and for the Papayoo, from records alone.

Each table shares out all points that a bot took, to the last one. No statement here says who was to blame: a
trick taken with a lead may have been the least evil. For that, see the costs of decisions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import fsum

from arena.match.stand_in import STAND_IN
from arena.papayoo import CARD_POINTS, PAPAYOO_POINTS, PAPAYOOS, PAYOO, SUIT_MASKS, Trick, points_of, suit_of
from arena.review.clusters import Estimate, Tally, difference
from arena.review.course import Course, Play
from arena.review.phases import Phase

__all__ = [
    "PapayooWay",
    "Row",
    "Rows",
    "Split",
    "Suit",
    "given_in_round",
    "taken_in_round",
    "where_points_go",
]


class Split(StrEnum):
    """The tables.

    TAKEN, TRICK, SUIT and PAPAYOO each share out the points that a bot took; PAPAYOO only the 40 of that
    card. GIVEN shares out the points of its own cards that others took.
    """

    TAKEN = "taken"
    GIVEN = "given"
    TRICK = "trick"
    SUIT = "suit"
    PAPAYOO = "papayoo"


class Suit(StrEnum):
    """The suit that was led, as the game sees it.

    The letters of the plain suits are drawn anew for each match, so they say nothing.
    """

    PAYOO = "payoo"
    PAPAYOO = "papayoo suit"
    PLAIN = "plain"


class PapayooWay(StrEnum):
    """How a bot came to take the Papayoo."""

    LED = "led"
    """It led the Papayoo itself."""
    THROWN = "thrown"
    """Another had no card of the suit that was led and threw it."""
    FORCED = "forced"
    """It was played to its suit, and every legal card of the bot was above what lay there."""
    CHOSEN = "chosen"
    """The rest: the bot led above it, or could have stayed under."""


Key = tuple[Split, str]
Points = dict[Key, int]
"""The points of one seat in one round, by table and row."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row: points a round.

    `field`: the mean of the other bots on the same boards. `best`: the mean of the best bot at these tables,
    in all its rounds. `difference`: of the bot and the field, paired by session; more is worse, except in
    GIVEN.
    """

    split: Split
    name: str
    bot: float
    field: float
    best: float
    difference: Estimate


Rows = tuple[Row, ...]


def taken_in_round(course: Course, seat: int) -> Points:
    """Return the points that a seat took, in each table but GIVEN.

    TAKEN goes by the card that took the trick: PASS where the seat had received it in the pass, else LEAD or
    FOLLOW, as it was played. A discard takes nothing.
    """
    found: Points = defaultdict(int)
    for number, trick in enumerate(course.tricks):
        if trick.taker == seat and trick.points:
            plays = course.plays[number * course.players : (number + 1) * course.players]
            own = plays[(seat - trick.leader) % course.players]
            passed_in = course.received[seat] >> own.card & 1
            phase = Phase.PASS if passed_in else own.phase
            found[Split.TAKEN, phase] += trick.points
            found[Split.TRICK, str(number + 1)] += trick.points
            found[Split.SUIT, _suit(course, trick)] += trick.points
            if PAPAYOOS[course.papayoo_suit] in trick.cards:
                found[Split.PAPAYOO, _way(course, plays, own)] += PAPAYOO_POINTS
    return found


def given_in_round(course: Course, seat: int) -> Points:
    """Return the points of a seat's own cards that others took, by phase: the table GIVEN.

    PASS: the points of the cards that it passed and did not take itself. The others: of the cards that it
    held after the pass and played to tricks of others.
    """
    found: Points = defaultdict(int)
    worth = CARD_POINTS[course.papayoo_suit]
    own_tricks = sum(1 << card for trick in course.tricks if trick.taker == seat for card in trick.cards)
    found[Split.GIVEN, Phase.PASS] = points_of(course.passed[seat] & ~own_tricks, course.papayoo_suit)
    for play in course.plays:
        if play.seat == seat and not own_tricks >> play.card & 1:
            found[Split.GIVEN, play.phase] += worth[play.card]
    return found


def _suit(course: Course, trick: Trick) -> Suit:
    led = suit_of(trick.cards[0])
    if led == PAYOO:
        return Suit.PAYOO
    return Suit.PAPAYOO if led == course.papayoo_suit else Suit.PLAIN


def _way(course: Course, plays: tuple[Play, ...], own: Play) -> PapayooWay:
    papayoo = PAPAYOOS[course.papayoo_suit]
    giver = next(play for play in plays if play.card == papayoo)
    if giver.phase is Phase.DISCARD:
        return PapayooWay.THROWN
    if giver.seat == own.seat and own.phase is Phase.LEAD:
        return PapayooWay.LED
    if own.phase is Phase.FOLLOW:
        led = SUIT_MASKS[suit_of(own.table[0])]
        best = max(card for card in own.table if led >> card & 1)
        if not own.legal & ((1 << best) - 1):
            return PapayooWay.FORCED
    return PapayooWay.CHOSEN


@dataclass(slots=True)
class _Sums:
    """By session and bot: its rounds, and its points by row."""

    rounds: dict[tuple[int, int], dict[str, int]] = field(default_factory=dict)
    points: dict[tuple[int, int], dict[str, Points]] = field(default_factory=dict)

    def add(self, course: Course) -> None:
        rounds = self.rounds.setdefault(course.session, defaultdict(int))
        points = self.points.setdefault(course.session, {})
        for seat, bot in enumerate(course.bots):
            if bot == STAND_IN:
                continue
            rounds[bot] += 1
            own = points.setdefault(bot, defaultdict(int))
            for part in (taken_in_round(course, seat), given_in_round(course, seat)):
                for key, value in part.items():
                    own[key] += value

    def mean(self, bot: str, key: Key) -> float:
        total = fsum(of_session.get(bot, {}).get(key, 0) for of_session in self.points.values())
        return total / sum(of_session.get(bot, 0) for of_session in self.rounds.values())

    def pairs(self, bot: str, key: Key) -> Iterator[tuple[Tally, Tally]]:
        """Yield the bot's points in each of its sessions, and those of the others."""
        for session, rounds in self.rounds.items():
            if bot in rounds:
                own, others = Tally(), Tally()
                for each, count in rounds.items():
                    value = self.points[session][each].get(key, 0)
                    (own if each == bot else others).add(value, count)
                yield own, others


def where_points_go(courses: Iterable[Course], bot: str, best: str | None = None) -> Rows:
    """Return the rows of all tables for a bot, in the order in which they are shown.

    `courses`: all rounds of the field, not only those of the bot. `best`: the bot to show beside it, or the
    one with the fewest points a round. The stand-in's own seats are left out. Takes about 0.1 ms a round.
    Raises ValueError if the bot has no round, or is alone.
    """
    sums = _Sums()
    for course in courses:
        sums.add(course)
    bots = {name for of_session in sums.rounds.values() for name in of_session}
    for name in (bot, *([best] if best else [])):
        if name not in bots:
            raise ValueError(f"no round of {name} is among these matches")
    shown = best or min(sorted(bots), key=lambda name: _points_of(sums, name))
    return tuple(_row(sums, bot, shown, key) for key in _keys(sums))


def _points_of(sums: _Sums, bot: str) -> float:
    return fsum(sums.mean(bot, (Split.TAKEN, phase)) for phase in Phase)


def _row(sums: _Sums, bot: str, best: str, key: Key) -> Row:
    pairs = list(sums.pairs(bot, key))
    own, others = ([pair[side] for pair in pairs] for side in (0, 1))
    if not any(other.count for other in others):
        raise ValueError(f"{bot} is alone at its tables, so there is no field to compare it with")
    return Row(key[0], key[1], _mean(own), _mean(others), sums.mean(best, key), difference(pairs))


def _mean(tallies: Iterable[Tally]) -> float:
    listed = list(tallies)
    return fsum(tally.total for tally in listed) / fsum(tally.count for tally in listed)


def _keys(sums: _Sums) -> Iterator[Key]:
    names: Mapping[Split, Iterable[str]] = {
        Split.TAKEN: (Phase.PASS, Phase.LEAD, Phase.FOLLOW),
        Split.GIVEN: Phase,
        Split.SUIT: Suit,
        Split.PAPAYOO: PapayooWay,
    }
    found = {key for by_bot in sums.points.values() for points in by_bot.values() for key in points}
    tricks = sorted((int(name) for split, name in found if split is Split.TRICK))
    for split in Split:
        for name in map(str, tricks) if split is Split.TRICK else names[split]:
            yield split, name
