"""What a review says of one bot, as plain data: it is stored, printed and shown in this form.

Every amount is in card points; more is worse. Nothing works here.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.review.clusters import Estimate
from arena.review.findings import Finding
from arena.review.ledger import Ledger
from arena.review.phases import Phase
from arena.review.points import Row
from arena.review.reviewed import Reviewed
from arena.review.weaknesses import Weakness

__all__ = ["BotReview", "Moment", "PhaseCost"]


@dataclass(frozen=True, slots=True)
class PhaseCost:
    """What the decisions of a phase cost.

    `choices`: how many of them had a choice. `reviewed`: how many are in the fair sample.
    `each`: points for one of them; None while none was reviewed. `a_round`: points in a round.
    """

    phase: Phase
    choices: int
    reviewed: int
    each: Estimate | None
    a_round: float | None


@dataclass(frozen=True, slots=True)
class Moment:
    """A costly decision with its position.

    `hand`: the seat's cards before it, a set. `table`: the cards of the trick before it, in order.
    `papayoo_suit`: None at a pass.
    """

    decision: Reviewed
    hand: int
    table: tuple[int, ...]
    papayoo_suit: int | None


@dataclass(frozen=True, slots=True)
class BotReview:
    """The review of one bot.

    `matches`, `rounds`: how much of its play was read (of `played` matches that it has finished).
    `choices`: the decisions in them that had a choice; `reviewed`: how many of these were reviewed.

    `mistakes_a_round`: what all its decisions cost beside the best ones, from the fair sample. `phases`: the
    same by phase. `findings`: what it does wrong again and again, the costliest first. `blunders`: how many
    (`arena.review.discovery`) are among the reviewed decisions; `costliest`: up to ten of them, the costliest
    first. `points`: where its points go. `ledger`: what was luck. `weaknesses`: when it does worse.
    """

    bot: str
    played: int
    matches: int
    rounds: int
    choices: int
    reviewed: int
    mistakes_a_round: Estimate | None
    phases: tuple[PhaseCost, ...]
    findings: tuple[Finding, ...]
    blunders: int
    costliest: tuple[Moment, ...]
    points: tuple[Row, ...]
    ledger: Ledger
    weaknesses: tuple[Weakness, ...]
