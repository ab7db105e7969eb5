"""The rules that find what was remarkable in a match: how its winner won, and what else there was to tell.

Each rule looks for one thing, and says how remarkable it is, about 0 to 100: the rarer among matches of
bots, the more. Nothing here is drawn at random or a matter of taste; `story` chooses among what is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from math import comb, log2
from typing import Final

from arena.match.faults import HandOver
from arena.papayoo import PAPAYOO_POINTS, POINTS_PER_ROUND
from arena.translating import N_, _, pgettext
from reports.pages.story_facts import MatchFacts
from reports.pages.story_words import Filling, often

__all__ = ["HAND_OVERS", "HOW", "MORE", "MUCH", "Rule", "Told"]

MUCH: Final = 150
"""The points of a round, three fifths of all, that are worth telling when one bot takes them."""

MUCH_TO_WIN: Final = 100
"""The points of a round from which on it is worth telling that their taker won."""

LATE: Final = 3
"""The first trick of a round that can be called late."""

HAND_OVERS: Final = {
    HandOver.MAX_FAULTS: N_("after too many faults"),
    HandOver.SILENT: N_("because it did not answer"),
    HandOver.CRASHED: N_("because it crashed"),
    HandOver.START_FAILED: N_("because it could not be started"),
    HandOver.FLOOD: N_("because it wrote too much"),
    HandOver.RESOURCE: N_("because it used too much of the machine"),
}
"""Why a stand-in took over, as the end of a sentence that is not translated yet."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a rule found: how remarkable it is, and its words: a key of the phrases, and what fills it."""

    weight: int
    key: str
    blanks: Mapping[str, Filling]


Rule = Callable[[MatchFacts], Iterator[Told]]


# How the winner did it.


def _without_papayoo(facts: MatchFacts) -> Iterator[Told]:
    (winner,) = facts.winners
    rounds = len(facts.papayoos)
    if not facts.seats[winner].points:
        return  # the beginning says more
    if rounds and all(taker != winner for _, taker in facts.papayoos):
        key = "no papayoo" if rounds > 1 else "no papayoo once"
        yield Told(20 + _surprise(facts.players, rounds, 0), key, {})


def _clean(facts: MatchFacts) -> Iterator[Told]:
    """Rounds in which the winner took no point: the most that can be said of them in a few words."""
    (winner,) = facts.winners
    rounds = len(facts.points)
    clean = [number for number, points in enumerate(facts.points) if not points[winner]]
    if not 0 < len(clean) < rounds:
        return  # of a match without a point the beginning tells
    weight = 35 + 60 * len(clean) // rounds - 5 * facts.players  # at a large table it happens more often
    if clean == list(range(len(clean))):
        trick = next((one.row.number for one in facts.paid if one.row.taker == winner), 0)
        last = len(clean) == rounds - 1
        key = "first trick" if trick >= LATE else "first late" if last else "first"
        yield Told(weight + 10, key, {"round": len(clean), "trick": trick})
    elif len(clean) == rounds - 1:
        (dirty,) = set(range(rounds)) - set(clean)
        yield Told(weight, "one round", {"round": dirty})
    elif len(clean) > 1 and clean[0] == rounds - len(clean):
        yield Told(weight + 5, "clean end", {"rounds": len(clean)})
    elif len(clean) > 1:
        yield Told(weight, "clean rounds", {"rounds": len(clean), "all": rounds})
    else:
        yield Told(weight, "clean round", {"round": clean[0]})


def _late(facts: MatchFacts) -> Iterator[Told]:
    """In every round the winner got its first points late."""
    (winner,) = facts.winners
    first = min((one.row.number for one in facts.paid if one.row.taker == winner), default=0)
    tricks = len(facts.rounds[0].tricks) if facts.rounds else 0
    if first >= LATE and first * 2 >= tricks:
        key = "late" if len(facts.rounds) > 1 else "late alone"
        yield Told(30 + 40 * first // tricks, key, {"trick": first})


def _given(facts: MatchFacts) -> Iterator[Told]:
    """Whom the winner's cards hurt: the Papayoo twice or more, or twice the points to be expected."""
    (winner,) = facts.winners
    if not facts.rounds or facts.seats[winner].faults:
        return  # the stand-in may have played them
    for other in range(facts.players):
        times = facts.papayoos.count((winner, other))
        if other != winner and times > 1:
            yield Told(30 + 12 * times, "gave", {"other": facts.who(other), "times": partial(often, times)})
    most, other = max((facts.gave[winner][seat], -seat) for seat in range(facts.players) if seat != winner)
    expected = POINTS_PER_ROUND * len(facts.rounds) // facts.players**2
    if most >= 2 * expected:
        weight = min(70, 20 + 10 * most // expected)
        yield Told(weight, "into", {"points": most, "other": facts.who(-other)})


def _few(facts: MatchFacts) -> Iterator[Told]:
    (winner,) = facts.winners
    took = sum(one.row.taker == winner for one in facts.paid)
    every = sum(len(part.tricks) for part in facts.rounds)
    if took == 1 and len(facts.rounds) > 1:
        yield Told(55, "one trick", {})
    elif took and took * facts.players * 4 <= every:
        yield Told(55 - 5 * min(took, 4), "few", {"tricks": took, "all": every})


def _despite(facts: MatchFacts) -> Iterator[Told]:
    (winner,) = facts.winners
    if facts.seats[winner].charge:
        yield Told(90, "despite", _charge(facts, winner))


def _despite_round(facts: MatchFacts) -> Iterator[Told]:
    (winner,) = facts.winners
    most, before = max((points[winner], -number) for number, points in enumerate(facts.points))
    if most >= MUCH_TO_WIN and len(facts.points) > 1:
        weight = 40 + (most - MUCH_TO_WIN) // 2
        yield Told(weight, "despite round", {"points": most, "round": -before})


HOW: Final[tuple[Rule, ...]] = (_despite, _despite_round, _clean, _late, _given, _without_papayoo, _few)


# What else there was.


def _stand_in(facts: MatchFacts) -> Iterator[Told]:
    gone = [seat for seat, finish in enumerate(facts.seats) if finish.hand_over is not None]
    if len(gone) > 1:
        yield Told(95, "stand-ins", {"who": [facts.who(seat) for seat in gone]})
    for seat in gone:
        finish = facts.seats[seat]
        assert finish.hand_over is not None
        blanks: dict[str, Filling] = {"who": facts.who(seat), "why": partial(_, HAND_OVERS[finish.hand_over])}
        yield Told(94, "stand-in", {**blanks, "when": partial(_when, finish.hand_over_at)})


def _when(place: tuple[int, int] | None) -> str:
    round_, question = place or (0, 0)
    if question:
        return _("from trick %(trick)s of round %(round)s on", trick=question - 1, round=round_)
    return _("from round %(round)s on", round=round_) if round_ else _("from the start")


def _faults(facts: MatchFacts) -> Iterator[Told]:
    for seat, finish in enumerate(facts.seats):
        if not finish.charge or finish.hand_over is not None or seat in facts.winners:
            continue
        others = (other.points for place, other in enumerate(facts.seats) if place != seat)
        ahead = finish.points < min(others)
        key = "fewest but" if ahead else "charged"
        yield Told(98 if ahead else 35, key, {"who": facts.who(seat), **_charge(facts, seat)})


def _charge(facts: MatchFacts, seat: int) -> dict[str, Filling]:
    finish = facts.seats[seat]
    return {"charge": finish.charge, "faults": partial(_for_faults, finish.faults)}


def _for_faults(faults: int) -> str:
    return pgettext("points for", "a fault") if faults == 1 else pgettext("points for", "faults")


def _the_papayoo() -> str:
    return _("the 40-point Papayoo")


def _papayoos(facts: MatchFacts) -> Iterator[Told]:
    rounds = len(facts.papayoos)
    takers = [taker for _, taker in facts.papayoos]
    best, spared = min(facts.totals), not set(takers) & set(facts.winners)
    for seat in set(takers) - set(facts.winners):
        times = takers.count(seat)
        blanks: dict[str, Filling] = {"who": facts.who(seat), "papayoo": _the_papayoo}
        if times > 1:
            key = "papayoo" if times < rounds else "papayoo both" if rounds == 2 else "papayoo all"
            weight = _surprise(facts.players, rounds, times) - 10 * (facts.players.bit_length() - 1)
            yield Told(35 + max(0, weight), key, {**blanks, "rounds": times, "all": rounds})
        elif rounds > 1 and spared and 0 < (margin := facts.totals[seat] - best) < PAPAYOO_POINTS:
            told = (
                len(facts.winners) == 1 and facts.totals[seat] == sorted(facts.totals)[1]
            )  # by the beginning
            where = {"round": takers.index(seat), "margin": margin}
            yield Told(75 - margin, "papayoo once" if told else "papayoo lost", blanks | where)


def _shares(facts: MatchFacts) -> Iterator[Told]:
    """Somebody took most of a round, or of the match."""
    rounds = len(facts.points)
    for round_, points in enumerate(facts.points):
        most = max(points)
        seat = points.index(most)
        if most < MUCH or seat in facts.winners:
            continue
        key = "everything" if most == POINTS_PER_ROUND else "share"
        if rounds == 1:
            key += " alone"
        weight = 25 + (most - MUCH) // 2 + 20 * (most == POINTS_PER_ROUND)
        yield Told(weight, key, {"who": facts.who(seat), "points": most, "round": round_})
    every = POINTS_PER_ROUND * rounds
    most, other = max((finish.points, -seat) for seat, finish in enumerate(facts.seats))
    if rounds > 1 and 2 * most >= every and -other not in facts.winners:
        weight = min(80, 25 * facts.players * most // every)
        yield Told(weight, "most", {"who": facts.who(-other), "points": most, "every": every})


def _big_trick(facts: MatchFacts) -> Iterator[Told]:
    for one in facts.paid:
        percent = 100 * one.row.points // facts.dearest_trick
        if percent >= 60 and one.row.taker not in facts.winners:
            who = facts.who(one.row.taker)
            blanks: dict[str, Filling] = {"who": who, "points": one.row.points, "round": one.round}
            yield Told(20 + 7 * (percent - 60) // 4, "big trick", blanks)


def _lost_lead(facts: MatchFacts) -> Iterator[Told]:
    """Somebody led for some rounds and did not win."""
    rounds = len(facts.points)
    if facts.charged or rounds < 2:
        return
    last = facts.last(rounds - 1)
    for number in range(rounds - 1):
        seat = facts.leader(number)
        if seat is None or seat in facts.winners:
            continue
        who, late = facts.who(seat), number == rounds - 2
        if seat == last and (late or number):
            key = "first to last late" if late else "first to last"
            yield Told(60 + number + 25 * late, key, {"who": who, "rounds": number + 1, "all": rounds})
        elif late:
            points = facts.points[-1][seat]
            yield Told(35 + points // 3, "lost lead", {"who": who, "points": points})


def _changes(facts: MatchFacts) -> Iterator[Told]:
    leaders = [leader for leader in map(facts.leader, range(len(facts.points))) if leader is not None]
    changes = sum(one != other for one, other in pairwise(leaders))
    if changes > 2 and not facts.charged:
        yield Told(45 + 5 * changes, "changes", {"times": partial(often, changes)})


def _last(facts: MatchFacts) -> Iterator[Told]:
    worst = max(facts.totals)
    last = [facts.who(seat) for seat, total in enumerate(facts.totals) if total == worst]
    if facts.players > len(last) < 3 and len(facts.winners) < facts.players:
        yield Told(5, "last", {"who": last, "total": worst})


MORE: Final[tuple[Rule, ...]] = (
    _stand_in, _faults, _papayoos, _shares, _big_trick, _lost_lead, _changes, _last,
)  # fmt: skip


@cache
def _surprise(players: int, rounds: int, times: int) -> int:
    """Return how rare it is that a given bot takes the Papayoo so often by chance, in tenths of a bit."""
    chance = comb(rounds, times) * (players - 1) ** (rounds - times) / players**rounds
    return round(-10 * log2(max(chance, 2**-6)))
