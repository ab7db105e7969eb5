"""The score of a league, pure: session results in, standings out. No IO, no clock, stdlib only."""

from __future__ import annotations

from .bradley_terry import Ratings, SessionComparisons, compare_rounds, ratings
from .fit import Fit, fit
from .results import SessionResult, SessionResultError
from .table import Plan, Standing, Standings, progress, standings
from .tallies import MatchResult, place_shares, seat_means
from .verdicts import Look, NoLook, Pair, Verdict, look

__all__ = [
    "Fit",
    "Look",
    "MatchResult",
    "NoLook",
    "Pair",
    "Plan",
    "Ratings",
    "SessionComparisons",
    "SessionResult",
    "SessionResultError",
    "Standing",
    "Standings",
    "Verdict",
    "compare_rounds",
    "fit",
    "look",
    "place_shares",
    "progress",
    "ratings",
    "seat_means",
    "standings",
]
