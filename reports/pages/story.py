"""Tells a finished match in one or two sentences, by rules over its record; nothing here is an opinion.

The first sentence says who won and, where a rule finds something, how. The second says what else there was
to remember. Every rule looks for one thing and says how remarkable it is; the most remarkable is told, and
of equals the first. The words are in `story_words`, what is counted in `story_facts`, the tricks to look at
in `key_moments`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise
from math import comb, log2
from typing import Final

from arena.match.faults import HandOver
from arena.papayoo import PAPAYOO_POINTS, POINTS_PER_ROUND
from reports.pages.key_moments import KeyMoment, key_moments
from reports.pages.rounds import RoundPart
from reports.pages.story_facts import Finish, MatchFacts
from reports.pages.story_words import Filling, Part, Sentence, phrase, plain_text, spelled

__all__ = ["HAND_OVERS", "KeyMoment", "Part", "Sentence", "Story", "match_story", "plain_text"]

MUCH: Final = 150
"""The points of a round, three fifths of all, from which on they are worth telling when one bot takes them."""

MUCH_TO_WIN: Final = 100
"""The points of a round from which on it is worth telling that their taker won."""

LATE: Final = 3
"""The first trick of a round that can be called late."""

HAND_OVERS: Final = {
    HandOver.MAX_FAULTS: "after too many faults",
    HandOver.SILENT: "because it did not answer",
    HandOver.CRASHED: "because it crashed",
    HandOver.START_FAILED: "because it could not be started",
    HandOver.FLOOD: "because it wrote too much",
    HandOver.RESOURCE: "because it used too much of the machine",
}
"""Why a stand-in took over, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Story:
    """The story of a match. `moments`: a few places to look at, in order; none without cards."""

    sentence: Sentence
    moments: tuple[KeyMoment, ...] = ()


@dataclass(frozen=True, slots=True)
class _Told:
    """Something a rule found: how remarkable it is (0 to about 100), and its words. `seat`: whom it is of."""

    weight: int
    key: str
    blanks: Mapping[str, Filling]
    seat: int = -1

    def words(self) -> Sentence:
        return phrase(self.key, **self.blanks)


_Rule = Callable[[MatchFacts], Iterator[_Told]]


def match_story(
    names: Sequence[str],
    seats: Sequence[Finish],
    points: Sequence[Sequence[int]],
    rounds: Sequence[RoundPart] = (),
) -> Story:
    """Return the story of a finished match.

    `names`, `seats`: by seat. `points`: card points by round and seat. `rounds`: the match played again,
    where its cards are shown; without them the story rests on the points alone. Takes about 0.2 ms for four
    rounds of four, and a tenth of that without cards.
    """
    facts = MatchFacts(names, seats, points, rounds)
    return Story(tuple(_sentences(facts)), key_moments(facts, HAND_OVERS))


def _sentences(facts: MatchFacts) -> Iterator[Part]:
    opening = _opening(facts)
    how = _best(_HOW, facts) if len(facts.winners) == 1 else None
    more = _best(_MORE, facts)
    yield from opening.words()
    if how is not None:
        yield from how.words()
    yield Part(". ")
    if more is not None:
        blanks = dict(more.blanks)
        if "papayoo" in blanks and how is not None and "apayoo" in how.key:
            blanks["papayoo"] = "it"
        yield from phrase(more.key, **blanks)
        yield Part(".")


def _best(rules: Sequence[_Rule], facts: MatchFacts) -> _Told | None:
    found = list(chain.from_iterable(rule(facts) for rule in rules))
    return max(found, key=lambda told: told.weight) if found else None


# The first sentence: who won.


def _opening(facts: MatchFacts) -> _Told:
    winners, total = facts.winners, facts.totals[facts.winners[0]]
    if len(winners) > 1:
        key = "all level" if len(winners) == facts.players else "shared" if total else "shared clean"
        return _Told(0, key, {"who": [facts.who(seat) for seat in winners], "total": total})
    (winner,) = winners
    more = min(other for seat, other in enumerate(facts.totals) if seat != winner)
    second = [facts.who(seat) for seat, other in enumerate(facts.totals) if other == more]
    key, course = _course(facts, winner)
    if not total:
        key = "won clean"
    elif key == "overtook" and [course["other"]] == second:
        key = "overtook second"
    blanks: dict[str, Filling] = {
        "who": facts.who(winner),
        "total": total,
        "margin": more - total,
        "more": more,
        "second": second if len(second) < 3 else "the next",
    }
    return _Told(0, key, blanks | course)


def _course(facts: MatchFacts, winner: int) -> tuple[str, dict[str, Filling]]:
    """Return the beginning that fits the way to victory, and what else its words need."""
    rounds = len(facts.points)
    if facts.charged:
        return "won", {}
    if _in_the_last_trick(facts, winner):
        return "last trick", {}
    behind = [number for number in range(rounds - 1) if facts.last(number) == winner]
    if behind and behind[-1] == rounds - 2:
        return "came back late", {}
    before = facts.leader(rounds - 2) if rounds > 1 else winner
    if before not in (None, winner):
        return "overtook", {"other": facts.who(before or 0)}
    if behind and behind[-1] > 0:
        return "came back", {"rounds": behind[-1] + 1, "all": rounds}
    if rounds > 2 and all(facts.leader(number) == winner for number in range(rounds)):
        return "led", {}
    return "won", {}


def _in_the_last_trick(facts: MatchFacts, winner: int) -> bool:
    """Return whether somebody had fewer points than the winner before the last trick of the match."""
    decided = facts.decided
    if decided is None or decided is not facts.paid[-1]:
        return False
    if decided.row.number < len(facts.rounds[-1].tricks) - 1:
        return False
    now = facts.standing(decided)
    now[decided.row.taker] -= decided.row.points
    return min(now) < now[winner]


# How the winner did it.


def _without_papayoo(facts: MatchFacts) -> Iterator[_Told]:
    (winner,) = facts.winners
    rounds = len(facts.papayoos)
    if not facts.seats[winner].points:
        return  # the beginning says more
    if rounds and all(taker != winner for _, taker in facts.papayoos):
        key = "no papayoo" if rounds > 1 else "no papayoo once"
        yield _Told(20 + _surprise(facts.players, rounds, 0), key, {}, winner)


def _clean(facts: MatchFacts) -> Iterator[_Told]:
    """Rounds in which the winner took no point: the most that can be said of them in a few words."""
    (winner,) = facts.winners
    rounds = len(facts.points)
    clean = [number for number, points in enumerate(facts.points) if not points[winner]]
    if not 0 < len(clean) < rounds:
        return  # of a match without a point the beginning tells
    weight = 35 + 60 * len(clean) // rounds - 5 * facts.players  # at a large table it happens more often
    if clean == list(range(len(clean))):
        trick = next((one.row.number for one in facts.paid if one.row.taker == winner), 0)
        key = "first trick" if trick >= LATE else "first"
        yield _Told(weight + 10, key, {"round": len(clean), "trick": trick}, winner)
    elif len(clean) == rounds - 1:
        (dirty,) = set(range(rounds)) - set(clean)
        yield _Told(weight, "one round", {"round": dirty}, winner)
    elif len(clean) > 1 and clean[0] == rounds - len(clean):
        yield _Told(weight + 5, "clean end", {"rounds": len(clean)}, winner)
    elif len(clean) > 1:
        yield _Told(weight, "clean rounds", {"rounds": len(clean), "all": rounds}, winner)
    else:
        yield _Told(weight, "clean round", {"round": clean[0]}, winner)


def _late(facts: MatchFacts) -> Iterator[_Told]:
    """In every round the winner got its first points late."""
    (winner,) = facts.winners
    first = min((one.row.number for one in facts.paid if one.row.taker == winner), default=0)
    tricks = len(facts.rounds[0].tricks) if facts.rounds else 0
    if first >= LATE and first * 2 >= tricks:
        key = "late" if len(facts.rounds) > 1 else "late alone"
        yield _Told(30 + 40 * first // tricks, key, {"trick": first}, winner)


def _given(facts: MatchFacts) -> Iterator[_Told]:
    """Whom the winner's cards hurt: the Papayoo twice or more, or twice the points to be expected."""
    (winner,) = facts.winners
    if not facts.rounds or facts.seats[winner].faults:
        return  # the stand-in may have played them
    for other in range(facts.players):
        times = facts.papayoos.count((winner, other))
        if other != winner and times > 1:
            word = "twice" if times == 2 else f"{spelled(times)} times"
            yield _Told(30 + 12 * times, "gave", {"other": facts.who(other), "times": word}, winner)
    most, other = max((facts.gave[winner][seat], -seat) for seat in range(facts.players) if seat != winner)
    expected = POINTS_PER_ROUND * len(facts.rounds) // facts.players**2
    if most >= 2 * expected:
        weight = min(70, 20 + 10 * most // expected)
        yield _Told(weight, "into", {"points": most, "other": facts.who(-other)}, winner)


def _few(facts: MatchFacts) -> Iterator[_Told]:
    (winner,) = facts.winners
    took = sum(one.row.taker == winner for one in facts.paid)
    every = sum(len(part.tricks) for part in facts.rounds)
    if took == 1 and len(facts.rounds) > 1:
        yield _Told(55, "one trick", {}, winner)
    elif took and took * facts.players * 4 <= every:
        yield _Told(55 - 5 * min(took, 4), "few", {"tricks": took, "all": every}, winner)


def _despite(facts: MatchFacts) -> Iterator[_Told]:
    (winner,) = facts.winners
    if facts.seats[winner].charge:
        yield _Told(90, "despite", _charge(facts, winner), winner)


def _despite_round(facts: MatchFacts) -> Iterator[_Told]:
    (winner,) = facts.winners
    most, before = max((points[winner], -number) for number, points in enumerate(facts.points))
    if most >= MUCH_TO_WIN and len(facts.points) > 1:
        weight = 40 + (most - MUCH_TO_WIN) // 2
        yield _Told(weight, "despite round", {"points": most, "round": -before}, winner)


_HOW: Final[tuple[_Rule, ...]] = (_despite, _despite_round, _clean, _late, _given, _without_papayoo, _few)


# What else there was.


def _stand_in(facts: MatchFacts) -> Iterator[_Told]:
    gone = [seat for seat, finish in enumerate(facts.seats) if finish.hand_over is not None]
    if len(gone) > 1:
        yield _Told(95, "stand-ins", {"who": [facts.who(seat) for seat in gone]})
    for seat in gone:
        finish = facts.seats[seat]
        assert finish.hand_over is not None
        blanks: dict[str, Filling] = {"who": facts.who(seat), "why": HAND_OVERS[finish.hand_over]}
        yield _Told(94, "stand-in", {**blanks, "when": _when(finish.hand_over_at)}, seat)


def _when(place: tuple[int, int] | None) -> str:
    round_, question = place or (0, 0)
    if question:
        return f"from trick {question - 1} of round {round_} on"
    return f"from round {round_} on" if round_ else "from the start"


def _faults(facts: MatchFacts) -> Iterator[_Told]:
    for seat, finish in enumerate(facts.seats):
        if not finish.charge or finish.hand_over is not None or seat in facts.winners:
            continue
        others = (other.points for place, other in enumerate(facts.seats) if place != seat)
        ahead = finish.points < min(others)
        key = "fewest but" if ahead else "charged"
        yield _Told(98 if ahead else 35, key, {"who": facts.who(seat), **_charge(facts, seat)}, seat)


def _charge(facts: MatchFacts, seat: int) -> dict[str, Filling]:
    finish = facts.seats[seat]
    return {"charge": finish.charge, "faults": "a fault" if finish.faults == 1 else "faults"}


def _papayoos(facts: MatchFacts) -> Iterator[_Told]:
    rounds = len(facts.papayoos)
    takers = [taker for _, taker in facts.papayoos]
    for seat in set(takers) - set(facts.winners):
        times = takers.count(seat)
        blanks: dict[str, Filling] = {"who": facts.who(seat), "papayoo": "the 40-point Papayoo"}
        if times > 1:
            key = "papayoo" if times < rounds else "papayoo both" if rounds == 2 else "papayoo all"
            weight = 35 + max(
                0, _surprise(facts.players, rounds, times) - 10 * facts.players.bit_length() + 10
            )
            yield _Told(weight, key, {**blanks, "rounds": times, "all": rounds}, seat)
        elif rounds > 1 and 0 < (margin := facts.totals[seat] - min(facts.totals)) <= PAPAYOO_POINTS:
            where = {"round": takers.index(seat), "margin": margin}
            yield _Told(75 - margin, "papayoo lost", blanks | where, seat)


def _shares(facts: MatchFacts) -> Iterator[_Told]:
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
        yield _Told(weight, key, {"who": facts.who(seat), "points": most, "round": round_}, seat)
    every = POINTS_PER_ROUND * rounds
    most, other = max((finish.points, -seat) for seat, finish in enumerate(facts.seats))
    if rounds > 1 and 2 * most >= every and -other not in facts.winners:
        weight = min(80, 25 * facts.players * most // every)
        yield _Told(weight, "most", {"who": facts.who(-other), "points": most, "every": every}, -other)


def _big_trick(facts: MatchFacts) -> Iterator[_Told]:
    for one in facts.paid:
        percent = 100 * one.row.points // facts.dearest_trick
        if percent >= 60 and one.row.taker not in facts.winners:
            who = facts.who(one.row.taker)
            blanks: dict[str, Filling] = {"who": who, "points": one.row.points, "round": one.round}
            yield _Told(20 + 7 * (percent - 60) // 4, "big trick", blanks, one.row.taker)


def _lost_lead(facts: MatchFacts) -> Iterator[_Told]:
    """Somebody led for some rounds and did not win."""
    rounds = len(facts.points)
    if facts.charged or rounds < 2:
        return
    worst = max(facts.totals)
    for number in range(rounds - 1):
        seat = facts.leader(number)
        if seat is None or seat in facts.winners:
            continue
        who, late = facts.who(seat), number == rounds - 2
        if facts.totals[seat] == worst and (late or number):
            words = "first to last late" if late else "first to last"
            yield _Told(60 + 25 * late, words, {"who": who, "rounds": number + 1, "all": rounds}, seat)
        elif late:
            alone = len(facts.winners) == 1
            key = "lost there" if alone and _course(facts, facts.winners[0])[0] == "overtook" else "lost lead"
            points = facts.points[-1][seat]
            yield _Told(35 + points // 3, key, {"who": who, "points": points}, seat)


def _changes(facts: MatchFacts) -> Iterator[_Told]:
    leaders = [leader for leader in map(facts.leader, range(len(facts.points))) if leader is not None]
    changes = sum(one != other for one, other in pairwise(leaders))
    if changes > 2 and not facts.charged:
        yield _Told(45 + 5 * changes, "changes", {"times": f"{spelled(changes)} times"})


def _last(facts: MatchFacts) -> Iterator[_Told]:
    worst = max(facts.totals)
    last = [facts.who(seat) for seat, total in enumerate(facts.totals) if total == worst]
    if facts.players > len(last) < 3 and len(facts.winners) < facts.players:
        yield _Told(5, "last", {"who": last, "total": worst})


_MORE: Final[tuple[_Rule, ...]] = (
    _stand_in, _faults, _papayoos, _shares, _big_trick, _lost_lead, _changes, _last,
)  # fmt: skip


@cache
def _surprise(players: int, rounds: int, times: int) -> int:
    """Return how rare it is that a given bot takes the Papayoo so often by chance, in tenths of a bit."""
    chance = comb(rounds, times) * (players - 1) ** (rounds - times) / players**rounds
    return min(60, round(-10 * log2(chance)))
