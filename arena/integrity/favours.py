"""Favours: does a bot throw its points at everybody but one?

Looked at are the plays in which a bot leaves the trick to whoever holds it, and may give more points with it
or fewer. The share that it gives of what it could is compared between the tricks that the other bot holds and
those that the rest of the table hold. What the giver gives in general, and how often the taker holds tricks,
plays no part; so strong and weak bots are alike here. Innocent bots differ a little all the same, because
they hold tricks at different times; how much is usual is estimated from all pairs, robust against a few.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot, log1p, sqrt
from statistics import NormalDist, median

from arena.integrity.choices import Play
from arena.integrity.naming import Effect, name_pairs
from arena.papayoo import CARD_POINTS, PAPAYOO_POINTS, PAYOO, SUIT_MASKS
from arena.papayoo.cards import SUIT_OF

LEAST_SESSIONS = 4
"""Pairs with fewer sessions in which the giver had such a choice are not judged."""

LEAST_USUAL = 0.08
"""The spread of what is given that is always taken for usual, as a share of what could be given."""

_MEDIAN_SQUARE = 0.4549
"""The median of the square of a standard normal variable."""

_PAYOO_CARDS = SUIT_MASKS[PAYOO]

Bots = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Favour:
    """What a giver leaves to a taker. `chance`: how likely this is for a giver that treats all alike.

    `to_taker`, `to_others`: the shares of what it could give that it gave with tricks that they held, in
    `choices` and `sessions`.
    """

    giver: str
    taker: str
    sessions: int
    choices: int
    to_taker: float
    to_others: float
    chance: float
    named: bool


class Favours:
    """Adds up what is given to whom in each session, and judges the pairs of bots."""

    def __init__(self) -> None:
        self._given: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(lambda: [0.0, 0]))
        self._by_pair: dict[Bots, list[tuple[float, ...]]] = defaultdict(list)
        self._by_giver: dict[str, list[tuple[float, float]]] = defaultdict(list)

    def add_play(self, bots: Sequence[str], play: Play) -> None:
        """Take in a play at a table of bots by seat."""
        share = _share_given(play)
        if share is not None:
            own = self._given[bots[play.seat]][bots[play.holder]]
            own[0] += share
            own[1] += 1

    def end_session(self) -> None:
        """Sum up what was taken in since the last session: for each pair, to the taker and to the others."""
        for giver, given in self._given.items():
            all_given, choices = (sum(own[at] for own in given.values()) for at in (0, 1))
            self._by_giver[giver].append((all_given, choices))
            for taker, (own, count) in given.items():
                if taker != giver:
                    self._by_pair[giver, taker].append((own, count, all_given - own, choices - count))
        self._given.clear()

    def habits(self) -> dict[str, Effect]:
        """Return the share that each bot gives of what it can, to whomever; copies of a bot have the same."""
        habits = {}
        for bot, sessions in self._by_giver.items():
            given, choices = map(sum, zip(*sessions, strict=True))
            moves = ((own - given / choices * count) / choices for own, count in sessions)
            habits[bot] = Effect(given / choices, sqrt(sum(move**2 for move in moves)))
        return habits

    def judge(self, authors: Mapping[str, str]) -> tuple[Favour, ...]:
        """Return all pairs with enough sessions, the most suspicious first."""
        differences = {
            pair: _difference(sessions)
            for pair, sessions in self._by_pair.items()
            if len(sessions) >= LEAST_SESSIONS and any(session[3] for session in sessions)
        }
        found = differences.values()
        spread = median([own.value**2 for own in found]) / _MEDIAN_SQUARE if found else 0.0
        luck = median([own.error**2 for own in found]) if found else 0.0
        usual = max(LEAST_USUAL, sqrt(max(0.0, spread - luck)))
        chances = {
            pair: _so_little(own, usual, len(self._by_pair[pair])) for pair, own in differences.items()
        }
        named = name_pairs(chances, authors)
        favours = []
        for pair, chance in chances.items():
            own, count, rest, others = map(sum, zip(*self._by_pair[pair], strict=True))
            shares, sessions = (own / count, rest / others), len(self._by_pair[pair])
            favours.append(Favour(*pair, sessions, int(count), *shares, chance, pair in named))
        return tuple(sorted(favours, key=lambda one: (one.chance, one.giver, one.taker)))


def _share_given(play: Play) -> float | None:
    """Return the share of the points that a bot gave of those that it could give; None without a choice.

    0 is the least that it could give, and 1 the most. Cards that take the trick give nothing.
    """
    if not play.trick:
        return None
    led = SUIT_MASKS[SUIT_OF[play.trick[0]]]
    leaving = play.legal & ~(led & -1 << play.best)
    if not leaving >> play.card & 1:
        return None
    payoo, papayoo = leaving & _PAYOO_CARDS, leaving >> play.papayoo & 1
    if not payoo and not papayoo:
        return None
    worth = CARD_POINTS[SUIT_OF[play.papayoo]]
    most = PAPAYOO_POINTS if papayoo else worth[payoo.bit_length() - 1]
    free = leaving & ~payoo & ~(1 << play.papayoo)
    least = 0 if free else worth[(payoo & -payoo).bit_length() - 1] if payoo else PAPAYOO_POINTS
    return (worth[play.card] - least) / (most - least) if most > least else None


def _difference(sessions: Sequence[tuple[float, ...]]) -> Effect:
    """Return how much more is given to the taker than to others, as a share; sessions are independent."""
    own, count, rest, others = map(sum, zip(*sessions, strict=True))
    to_taker, to_others = own / count, rest / others
    moves = (
        (one[0] - to_taker * one[1]) / count - (one[2] - to_others * one[3]) / others for one in sessions
    )
    m = len(sessions)
    return Effect(to_taker - to_others, sqrt(m / (m - 1) * sum(move**2 for move in moves)))


def _so_little(difference: Effect, usual: float, sessions: int) -> float:
    """Return the tail of Student's t, by Wallace's approximation with a normal variable."""
    t, df = difference.value / hypot(difference.error, usual), sessions - 1
    z = (8 * df + 1) / (8 * df + 3) * sqrt(df * log1p(t * t / df))
    return NormalDist().cdf(-z if t < 0 else z)
