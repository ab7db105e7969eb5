"""What decisions cost, as plain data: what a review has found, and stores. It holds no SQL and finds nothing.

`arena.review` says how it is found, and what follows from many of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.deals import MatchKey

__all__ = ["ReviewedDecision"]


@dataclass(frozen=True, slots=True)
class ReviewedDecision:
    """One decision of a finished match, and what it cost in points to the end of the round.

    `question`: 0 is the pass, t + 1 the play to trick t. `method`: the version of what found it; numbers of
    two versions are not compared. `worlds`: the deals of the hidden cards that were looked at. `options`: the
    choices that were compared. `best`: the one that is best on average, a set of cards. `cost`: how many
    points more than that are expected after what was chosen, with the standard error `error`; a little below
    0 by chance. `true_cost`: how many more it was with the cards that the others really held.
    """

    key: MatchKey
    seat: int
    round: int
    question: int
    method: int
    worlds: int
    options: int
    best: int
    cost: float
    error: float
    true_cost: float
