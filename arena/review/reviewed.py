"""What a review found out about one decision: plain data, as it is stored and shown. Nothing works here.

The unit of every cost is points of a round; more is worse. What a cost means, and under which policies, is
explained where it is computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.deals import MatchKey
from arena.review.phases import Phase

__all__ = ["METHOD", "Reviewed"]


METHOD: Final = 1
"""The version of what finds costs: options, worlds, estimate and policy. Two versions are not compared."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One reviewed decision, which had a choice and was the bot's own.

    `round` and `question` are its place in the match: question 0 is the pass, t + 1 the play to trick t.
    `chosen`, `best`: sets of canonical cards (one card, or those to pass); equal where nothing better was
    found. `cost`: expected points to the end of the round of `chosen` minus those of the best choice, over
    deals that fit all the seat could know; it may be a little below 0, because it is unbiased. `error`: its
    standard error. `true_cost`: the same with the cards as they really lay, by one rollout: luck, not
    judgement. `beside`, `beside_error`: expected points of `chosen` minus those of what the policy of
    rollouts would have chosen, with its standard error; 0 where that has the same effect. `expected`: the
    points that the seat was expected to have at the end of the round after `chosen`. `worlds`: the number of
    deals. `options`: how many choices were compared. `method`: the version of what found it. `in_sample`: it
    belongs to the fair sample. A decision that was looked at because of what it is does not, and says nothing
    of how much all decisions cost.
    """

    match: MatchKey
    round: int
    question: int
    seat: int
    bot: str
    phase: Phase
    chosen: int
    best: int
    cost: float
    error: float
    true_cost: float
    beside: float
    beside_error: float
    expected: float
    worlds: int
    options: int
    method: int = METHOD
    in_sample: bool = True

    @property
    def trick(self) -> int | None:
        """Return the trick, from 0; None for a pass."""
        return self.question - 1 if self.question else None

    @property
    def place(self) -> tuple[MatchKey, int, int, int]:
        """Return what names the decision: match, round, question and seat."""
        return self.match, self.round, self.question, self.seat
