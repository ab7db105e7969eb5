"""The score of a league, pure: session results in, standings out. No IO, no clock, stdlib only."""

from __future__ import annotations

from .bradley_terry import Ratings, SessionComparisons, compare_rounds, ratings
from .comparison import OPPONENTS, Answer, Comparison, Gap, Outcome, answer, look_at_one
from .duel import duel, fit_any
from .fit import Fit, fit
from .results import SessionResult, SessionResultError
from .scoring import Moment, Scoring
from .table import Plan, Standing, Standings, progress, standings
from .tallies import (
    MatchResult,
    RoundResult,
    dealer_means,
    papayoo_shares,
    papayoo_taker,
    place_shares,
    seat_means,
)
from .verdicts import Look, NoLook, Pair, Verdict, look

__all__ = [
    "OPPONENTS",
    "Answer",
    "Comparison",
    "Fit",
    "Gap",
    "Look",
    "MatchResult",
    "Moment",
    "NoLook",
    "Outcome",
    "Pair",
    "Plan",
    "Ratings",
    "RoundResult",
    "Scoring",
    "SessionComparisons",
    "SessionResult",
    "SessionResultError",
    "Standing",
    "Standings",
    "Verdict",
    "answer",
    "compare_rounds",
    "dealer_means",
    "duel",
    "fit",
    "fit_any",
    "look",
    "look_at_one",
    "papayoo_shares",
    "papayoo_taker",
    "place_shares",
    "progress",
    "ratings",
    "seat_means",
    "standings",
]
