"""Twins: how often two bots choose the same from the same hand and the same table.

In a session each bot holds each hand of the same boards, so two bots can be compared choice by choice: passes
from the same dealt hand, plays from the same hand to the same cards of a trick.

The plain suits have other letters in each match, and many bots break ties by letter, or even take the first
cards of the hand. So choices are the same here if they are so up to the plain suits: the same ranks, the same
Payoo cards, the Papayoo. Where two matches have the same letters, the question was the same word for word,
and only the same cards are the same choice. A program without dice and memory never differs from its copy.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import exp, hypot, lgamma, log, log1p
from statistics import median
from typing import NamedTuple

from arena.integrity.choices import Play
from arena.integrity.naming import Effect, name_pairs
from arena.match.record import MatchRecord
from arena.papayoo import PAYOO, PLAIN_SUITS

KINDS = ("questions", "passes", "plays")
"""The same questions word for word; passes and plays up to the letters of the suits."""

FAR = 0.25
"""A pair is named if it surely differs in less than this share of the choices in which pairs usually do."""

LEAST_APART = 0.1
"""Plays contradict that two bots are alike where they differ in more than this share and half the usual."""

UNKNOWN = 0.5
"""The share of same plays that is taken for usual where too few pairs came to the same table."""

LEAST_PAIRS = 6
"""The fewest pairs of which a median says what is usual: those of four bots."""

LEAST_USUAL = 0.05
"""Where pairs usually differ in fewer of their choices, a kind of choice tells no bots apart."""

CLOSE = 0.1
"""Habits of bots that are alike are surely closer than this."""

_RANKS = 10
_PLAIN_CARDS = _RANKS * PAYOO
_SPREAD = [sum(1 << 3 * rank for rank in range(_RANKS) if cards >> rank & 1) for cards in range(1 << _RANKS)]
"""Sets of cards of a plain suit with three bits for each rank, so that those of four suits can be added."""


@dataclass(frozen=True, slots=True)
class Shared:
    """How many choices of one kind two bots both had, and in how many they chose the same."""

    compared: int = 0
    same: int = 0

    @property
    def rate(self) -> float | None:
        """Return the share of the same choices; None if there was nothing to compare."""
        return self.same / self.compared if self.compared else None


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two bots are. `shared`: by kind. `chance`: how likely this is for bots that are not alike.

    Not alike are those that differ in at least a quarter of the choices in which pairs usually do.
    """

    bots: tuple[str, str]
    shared: Mapping[str, Shared]
    chance: float
    named: bool


class _Choice(NamedTuple):
    """What a bot chose, exactly and up to the plain suits, and the letters of the suits in its match."""

    bot: str
    letters: str
    cards: int
    ranks: int


class Twins:
    """Compares the choices of each session, and judges the pairs of bots."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], dict[str, list[int]]] = defaultdict(
            lambda: {kind: [0, 0] for kind in KINDS}
        )
        self._open: dict[tuple[object, ...], list[_Choice]] = defaultdict(list)

    def add_passes(self, record: MatchRecord, number: int) -> None:
        """Take in the passes of one round of a match."""
        played = record.rounds[number]
        for seat, cards in enumerate(played.passes):
            if seat not in played.stand_in:
                choice = _Choice(record.seats[seat].bot, record.setup.suits, cards, _ranks(cards))
                self._open["passes", number, seat].append(choice)

    def add_play(self, record: MatchRecord, number: int, play: Play) -> None:
        """Take in a play of one round of a match."""
        unlike_others = play.card >= _PLAIN_CARDS or play.card == play.papayoo
        ranks = play.card if unlike_others else play.card % _RANKS - _RANKS
        choice = _Choice(record.seats[play.seat].bot, record.setup.suits, play.card, ranks)
        self._open["plays", number, play.hand, play.trick].append(choice)

    def end_session(self) -> None:
        """Compare what was taken in since the last session."""
        for (kind, *_), choices in self._open.items():
            for one, other in combinations(choices, 2):
                if one.bot != other.bot:
                    self._compare(str(kind), one, other)
        self._open.clear()

    def _compare(self, kind: str, one: _Choice, other: _Choice) -> None:
        own = self._counts[(one.bot, other.bot) if one.bot < other.bot else (other.bot, one.bot)]
        word_for_word = one.letters == other.letters
        same = one.cards == other.cards if word_for_word else one.ranks == other.ranks
        for counted in (own[kind], own["questions"]) if word_for_word else (own[kind],):
            counted[0] += 1
            counted[1] += same

    def judge(
        self, authors: Mapping[str, str], habits: Mapping[str, Effect]
    ) -> tuple[dict[str, float | None], tuple[Likeness, ...]]:
        """Return the usual share of same choices by kind, and all pairs, the most suspicious first.

        The usual share is the median over pairs, None if there are too few. `habits`: something that a bot
        and its copy have in common, but for luck; a pair that may differ in it is not named.
        """
        shared = {pair: {kind: Shared(*own[kind]) for kind in KINDS} for pair, own in self._counts.items()}
        usual = {kind: _usual([own[kind] for own in shared.values()]) for kind in KINDS}
        chances = {
            pair: 1.0 if _differ(habits, *pair) else _chance(own, usual) for pair, own in shared.items()
        }
        named = name_pairs(chances, authors)
        pairs = (Likeness(pair, own, chances[pair], pair in named) for pair, own in shared.items())
        return usual, tuple(sorted(pairs, key=lambda pair: (pair.chance, pair.bots)))


def _ranks(cards: int) -> int:
    """Return a set of cards up to the plain suits: how many of each rank, and the Payoo cards."""
    counted = cards >> _PLAIN_CARDS << 3 * _RANKS
    for suit in PLAIN_SUITS:
        counted += _SPREAD[cards >> _RANKS * suit & (1 << _RANKS) - 1]
    return counted


def _differ(habits: Mapping[str, Effect], one: str, other: str) -> bool:
    """Return whether habits differ, or are not known well enough to say that they do not."""
    a, b = habits.get(one), habits.get(other)
    if a is None or b is None:
        return False
    apart, error = abs(a.value - b.value), hypot(a.error, b.error)
    return apart > 3 * error or apart + 2 * error > CLOSE


def _usual(found: Sequence[Shared]) -> float | None:
    rates = [shared.rate for shared in found if shared.rate is not None]
    return median(rates) if len(rates) >= LEAST_PAIRS else None


def _chance(shared: Mapping[str, Shared], usual: Mapping[str, float | None]) -> float:
    """Return the p-value of a pair: by questions word for word, or by passes and plays both.

    Most choices are passes, and many bots pass alike. So nobody is named whose plays contradict it.
    """
    assumed = dict(usual)
    if usual["passes"] is not None and usual["plays"] is None:
        assumed["plays"] = UNKNOWN
    chances = {kind: _so_few_differences(shared[kind], assumed[kind]) for kind in KINDS}
    alone = chances.pop("questions")
    both = max((chance for chance in chances.values() if chance is not None), default=1.0)
    plays, usually = shared["plays"].rate, assumed["plays"]
    if plays is not None and usually is not None and 1 - plays > max(LEAST_APART, (1 - usually) / 2):
        return 1.0
    return min(1.0, 2 * min(1.0 if alone is None else alone, both))


def _so_few_differences(shared: Shared, usual: float | None) -> float | None:
    """Return the binomial tail of a kind of choice; None if this kind tells nobody apart."""
    if usual is None or 1 - usual < LEAST_USUAL:
        return None
    n, share = shared.compared, FAR * (1 - usual)
    terms = (
        lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(share) + (n - k) * log1p(-share)
        for k in range(n - shared.same + 1)
    )
    return min(1.0, sum(map(exp, terms)))
