"""What the costly decisions of a bot share: one condition after the other, from a short list.

A condition is about what the seat saw or what it chose. It is told when the decisions under it surely cost
more than the bot's other plays (or passes), and surely more than `_LEAST` on average: playouts by another
policy find so much in sound play as well. "Surely" is corrected for all conditions of the list
(`arena.reviews.means.survive`). Of those that are sure the one is told that splits the costs best, as in a
regression tree: the one with the largest sum of squares between its two sides. Then the rest is looked at
without the decisions under it, so that the same costs are not told twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Final

from arena.papayoo import PAPAYOOS, PAYOO, PLAIN_SUITS, SUIT_MASKS, cards_of, hand_size, rank_of, suit_of
from arena.reviews.costs import Reviewed, average_cost, clustered
from arena.reviews.decisions import Decision, Phase
from arena.reviews.means import Estimate, compare, p_above, survive
from arena.strategy import NO_CARD, best_of

_LEAST: Final = {True: 3.0, False: 0.3}
"""The points that the decisions under a condition must cost on average: passes, and plays."""
_FEWEST: Final = 8
"""So many decisions must be on each side of a condition."""
_MOST: Final = 3
"""The most conditions that are told of passes, and of plays."""

_PAYOOS: Final = SUIT_MASKS[PAYOO]
_HIGH_PAYOOS: Final = _PAYOOS & ~((1 << 50) - 1)  # P11 and above
_TOP_PAYOOS: Final = _PAYOOS & ~((1 << 55) - 1)  # P16 and above
_SEVENS: Final = sum(1 << card for card in PAPAYOOS)
_HIGH_PLAIN: Final = sum(0b111 << 10 * suit + 7 for suit in PLAIN_SUITS)
_LOW: Final = sum(0b111 << 10 * suit for suit in PLAIN_SUITS)


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition of decisions of some phases. `words`: when it holds, "when it leads its highest card"."""

    words: str
    phases: tuple[Phase, ...]
    holds: Callable[[Decision], bool]


@dataclass(frozen=True, slots=True)
class Shared:
    """A condition that costly decisions share.

    `decisions` of `reviewed` plays (or passes) are under it. `each`: what one of them costs, in points;
    `otherwise`: what one of the rest does. `share`: of what all of them cost, from 0 to 1.
    """

    words: str
    decisions: int
    reviewed: int
    each: Estimate
    otherwise: float
    share: float


def shared_by_costly(reviewed: Sequence[Reviewed]) -> tuple[Shared, ...]:
    """Return what costly decisions share, of passes and of plays, the largest share of the costs first."""
    found = []
    for of_passes in (True, False):
        left = [each for each in reviewed if (each.decision.phase is Phase.PASS) == of_passes]
        whole = len(left)
        for _ in range(_MOST):
            best = _best_split(left, _LEAST[of_passes])
            if best is None:
                break
            condition, inside, outside = best
            costs, others = (fsum(each.cost for each in side) for side in (inside, outside))
            share = costs / (costs + max(0.0, others))
            each = average_cost(inside)
            found.append(Shared(condition.words, len(inside), whole, each, others / len(outside), share))
            left = outside
    return tuple(sorted(found, key=lambda each: -each.share))


_Split = tuple[Condition, list[Reviewed], list[Reviewed]]


def _best_split(reviewed: Sequence[Reviewed], least: float) -> _Split | None:
    """Return the condition that is sure and splits the costs best, with what is under it and what is not."""
    splits: list[_Split] = []
    for condition in CONDITIONS:
        sides: tuple[list[Reviewed], list[Reviewed]] = [], []
        for each in reviewed:
            holds = each.decision.phase in condition.phases and condition.holds(each.decision)
            sides[not holds].append(each)
        if min(map(len, sides)) >= _FEWEST:
            splits.append((condition, *sides))
    p_values = [_p_of(inside, outside, least) for _, inside, outside in splits]
    sure = [split for split, kept in zip(splits, survive(p_values), strict=True) if kept]
    return max(sure, key=_between, default=None)


def _p_of(inside: Sequence[Reviewed], outside: Sequence[Reviewed], least: float) -> float:
    """Return how likely such costs are where those inside cost no more than others, or only `least`."""
    costs = clustered((each.decision.place, each.cost) for each in (*inside, *outside))
    more = compare(costs[: len(inside)], costs[len(inside) :])
    return max(p_above(average_cost(inside), least), p_above(more))


def _between(split: _Split) -> float:
    """Return the sum of squares between the two sides of a condition."""
    _, inside, outside = split
    means = [fsum(each.cost for each in side) / len(side) for side in (inside, outside)]
    apart = means[0] - means[1]
    return apart * apart * len(inside) * len(outside) / (len(inside) + len(outside))


# ------------------------------------------------------------------------------------------ the conditions


def _papayoo(decision: Decision) -> int:
    return 1 << PAPAYOOS[decision.papayoo_suit]


def _above_papayoo(decision: Decision) -> int:
    return _HIGH_PLAIN & SUIT_MASKS[decision.papayoo_suit]


def _papayoo_elsewhere(decision: Decision) -> bool:
    return bool(decision.seen.hidden & _papayoo(decision))


def _is_highest(decision: Decision) -> bool:
    ranks = [rank_of(card) for card in cards_of(decision.legal)]
    (chosen,) = cards_of(decision.chosen)
    return rank_of(chosen) == max(ranks) > min(ranks)


def _is_lowest(decision: Decision) -> bool:
    ranks = [rank_of(card) for card in cards_of(decision.legal)]
    (chosen,) = cards_of(decision.chosen)
    return rank_of(chosen) == min(ranks) < max(ranks)


def _under(decision: Decision) -> int:
    """Return the legal cards below the one that is winning. Asked only where the seat follows suit."""
    best = best_of(decision.table)
    assert best != NO_CARD, "nothing lies there"
    return decision.legal & ((1 << best) - 1)


def _goes_over(decision: Decision) -> bool:
    under = _under(decision)
    return bool(under) and not under & decision.chosen


def _has_points(decision: Decision) -> bool:
    table = sum(1 << card for card in decision.table)
    return bool(table & (_PAYOOS | _papayoo(decision)))


def _voids(decision: Decision) -> int:
    """Return the cards of all suits that another seat has shown not to have."""
    others = [cards for seat, cards in enumerate(decision.seen.possible) if seat != decision.seat]
    return sum(suit for suit in SUIT_MASKS if any(not cards & suit for cards in others))


def _third(number: int) -> Callable[[Decision], bool]:
    return lambda decision: 3 * (decision.place[2] - 1) // hand_size(decision.players) == number


def _taken(decision: Decision) -> bool:
    return decision.position is not None and decision.position.points[decision.seat] > 0


def _led(suit: int | None) -> Callable[[Decision], bool]:
    """Return whether a suit was led; for None that of the Papayoo."""

    def holds(decision: Decision) -> bool:
        return suit_of(decision.table[0]) == (decision.papayoo_suit if suit is None else suit)

    return holds


def _keeps(cards: int) -> Callable[[Decision], bool]:
    """Return whether it could choose some of these cards and chooses none of them."""
    return lambda decision: bool(decision.legal & cards) and not decision.chosen & cards


def _holds(cards: int, least: int = 1) -> Callable[[Decision], bool]:
    return lambda decision: (decision.hand & cards).bit_count() >= least


def _passes_highest(decision: Decision) -> bool:
    ranks = sorted((rank_of(card) for card in cards_of(decision.hand)), reverse=True)
    passed = sorted((rank_of(card) for card in cards_of(decision.chosen)), reverse=True)
    return ranks[: len(passed)] == passed


def _passes_no_suit(decision: Decision) -> bool:
    count = decision.chosen.bit_count()
    short = [decision.hand & SUIT_MASKS[suit] for suit in PLAIN_SUITS]
    could = [cards for cards in short if 1 <= cards.bit_count() <= count]
    return bool(could) and all(cards & ~decision.chosen for cards in could)


def _is_short(decision: Decision) -> bool:
    return any((decision.hand & SUIT_MASKS[suit]).bit_count() <= 1 for suit in PLAIN_SUITS)


_PASS, _LEAD, _FOLLOW, _DISCARD = (Phase.PASS,), (Phase.LEAD,), (Phase.FOLLOW,), (Phase.DISCARD,)
_ANSWER = (Phase.FOLLOW, Phase.DISCARD)
_PLAY = (Phase.LEAD, Phase.FOLLOW, Phase.DISCARD)


def _always(decision: Decision) -> bool:
    return True


# Where two conditions hold for the same decisions, the first of them is told: what the bot does comes first.
CONDITIONS: Final = tuple(
    Condition(*each)
    for each in (
        ("when it passes no 7, though it holds some", _PASS, _keeps(_SEVENS)),
        ("when it passes no Payoo above P15, though it holds some", _PASS, _keeps(_TOP_PAYOOS)),
        ("when it passes no Payoo, though it holds P11 or above", _PASS,
            lambda each: bool(each.hand & _HIGH_PAYOOS) and not each.chosen & _PAYOOS),
        ("when it passes no plain suit away whole, though it could", _PASS, _passes_no_suit),
        ("when it passes cards of rank 1 to 3", _PASS, lambda each: bool(each.chosen & _LOW)),
        ("when it passes its highest cards, whatever their suits", _PASS, _passes_highest),
        ("when it passes and holds two 7s or more", _PASS, _holds(_SEVENS, 2)),
        ("when it passes and holds two Payoos above P15 or more", _PASS, _holds(_TOP_PAYOOS, 2)),
        ("when it passes and holds at most one card of a plain suit", _PASS, _is_short),
        ("when it passes after the first round of a match", _PASS, lambda each: each.place[1] > 0),
        ("when it leads its highest card", _LEAD, _is_highest),
        ("when it leads its lowest card", _LEAD, _is_lowest),
        ("when it leads a Payoo, though it holds other cards", _LEAD,
            lambda each: bool(each.chosen & _PAYOOS and each.legal & ~_PAYOOS)),
        ("when it leads an 8, 9 or 10", _LEAD, lambda each: bool(each.chosen & _HIGH_PLAIN)),
        ("when it leads above the Papayoo while another holds it", _LEAD,
            lambda each: _papayoo_elsewhere(each) and bool(each.chosen & _above_papayoo(each))),
        ("when it leads a suit that another has shown not to have", _LEAD,
            lambda each: bool(each.chosen & _voids(each))),
        ("when it goes over points, though it could stay under", _FOLLOW,
            lambda each: _goes_over(each) and _has_points(each)),
        ("when it goes over, though it could stay under", _FOLLOW, _goes_over),
        ("when it plays above the Papayoo while it may still fall", _FOLLOW,
            lambda each: _papayoo_elsewhere(each) and bool(each.chosen & _above_papayoo(each))
            and len(each.table) < each.players - 1),
        ("when it follows with its highest card", _FOLLOW, _is_highest),
        ("when it follows with its lowest card", _FOLLOW, _is_lowest),
        ("when it follows suit and cannot stay under", _FOLLOW, lambda each: not _under(each)),
        ("when it keeps the Papayoo, though it could throw it", _DISCARD,
            lambda each: bool(each.legal & ~each.chosen & _papayoo(each))),
        ("when it throws a card without points while it holds P11 or above", _DISCARD,
            lambda each: bool(each.legal & _HIGH_PAYOOS) and not each.chosen & (_PAYOOS | _papayoo(each))),
        ("when it throws its highest card", _DISCARD, _is_highest),
        ("when it throws its lowest card", _DISCARD, _is_lowest),
        ("when it leads", _LEAD, _always),
        ("when it follows suit", _FOLLOW, _always),
        ("when it cannot follow suit", _DISCARD, _always),
        ("when Payoo is led", _ANSWER, _led(PAYOO)),
        ("when the Papayoo's suit is led", _ANSWER, _led(None)),
        ("as the last to play", _ANSWER, lambda each: len(each.table) == each.players - 1),
        ("while points lie on the table", _ANSWER, _has_points),
        ("while it holds the Papayoo", _PLAY, lambda each: bool(each.hand & _papayoo(each))),
        ("while another holds the Papayoo", _PLAY, _papayoo_elsewhere),
        ("while it holds a Payoo above P15", _PLAY, _holds(_TOP_PAYOOS)),
        ("after another has shown to have none of a suit", _PLAY, lambda each: bool(_voids(each))),
        ("after it has taken points in the round", _PLAY, _taken),
        ("in the first third of a round", _PLAY, _third(0)),
        ("in the middle third of a round", _PLAY, _third(1)),
        ("in the last third of a round", _PLAY, _third(2)),
        ("after the first round of a match", _PLAY, lambda each: each.place[1] > 0),
    )
)  # fmt: skip
"""All conditions."""
