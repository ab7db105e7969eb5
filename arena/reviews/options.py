"""The options that a decision is compared with. It must not know how good an option is.

A play has all legal cards, one for each group of equal effect (`arena.strategy.alike`). A pass has too many
for all to be tried: 3,003 at a table of four. So it is compared with at most `MOST_OPTIONS` of them:

- what the policy of rollouts would pass;
- all combinations of the cards that this policy likes least, two more than are passed;
- the passes that leave the seat without one or more plain suits, filled up with the cards liked least;
- what the policy would pass with its last card exchanged for each other card of the hand, so that every card
  is in some option.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Final

from arena.papayoo import PLAIN_SUITS, SUIT_MASKS, mask_of, pass_count
from arena.reviews.decisions import Decision
from arena.strategy import NO_CARD, alike, best_of, worst_first

MOST_OPTIONS: Final = 64
"""The most options that a decision is compared with."""
_MORE: Final = 2
"""That many cards more than are passed are tried in all combinations."""


def options_of(decision: Decision) -> tuple[int, ...]:
    """Return what could have been chosen, as sets of cards: first what was chosen."""
    if decision.position is None:
        passes = _passes(decision.hand, pass_count(decision.players))
        return tuple(dict.fromkeys([decision.chosen, *passes]))[:MOST_OPTIONS]
    best = best_of(decision.table)
    between = decision.seen.hidden | (0 if best == NO_CARD else 1 << best)
    groups = alike(decision.legal, between, decision.papayoo_suit)
    return (decision.chosen, *(group & -group for group in groups if not group & decision.chosen))


def _passes(hand: int, count: int) -> Iterator[int]:
    worst = worst_first(hand)
    yield mask_of(worst[:count])
    for cards in combinations(worst[: count + _MORE], count):
        yield mask_of(cards)
    suits = [hand & SUIT_MASKS[suit] for suit in PLAIN_SUITS if hand & SUIT_MASKS[suit]]
    for number in range(1, len(suits) + 1):
        for voided in combinations(suits, number):
            cards_away = sum(voided)
            if cards_away.bit_count() <= count:
                rest = [card for card in worst if not cards_away >> card & 1]
                yield cards_away | mask_of(rest[: count - cards_away.bit_count()])
    for card in worst[count:]:
        yield mask_of([*worst[: count - 1], card])
