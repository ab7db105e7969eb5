"""Whether a choice is the one that the policy of rollouts would have made too.

That policy is simple, and its own choices cost something beside the best ones: 11 points a round beside a
search (bots/README.md). A bot that plays as soundly as it has no fault in the sense of a finding. So findings
take such choices for free, and look for what costs more than sound play.
"""

from __future__ import annotations

from arena.review.phases import Phase
from arena.review.sight import Sight
from arena.strategy import NO_CARD, Policy, alike, best_of, passed

__all__ = ["plays_soundly"]


def plays_soundly(sight: Sight) -> bool:
    """Return whether the policy chooses the same, or a card of the same effect. Takes about 0.05 ms."""
    if sight.phase is Phase.PASS:
        return sight.chosen == passed(sight.hand, sight.chosen.bit_count())
    suit = sight.course.papayoo_suit
    card = Policy(sight.course.players, suit).choose(sight.legal, sight.others, sight.table)
    if card == sight.card:
        return True
    best = best_of(sight.table)
    between = sight.others | (0 if best == NO_CARD else 1 << best)
    return any(group >> card & group >> sight.card & 1 for group in alike(sight.legal, between, suit))
